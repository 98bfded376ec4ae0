#pragma once

#include <string_view>
#include <vector>

#include "repair/syntax/edit.h"

namespace suture {

/// The edit that inserts an item into a list of items with commas, before items[index] (behind the
/// last one when index is their number). `list` is the node around them, whose first byte is a
/// bracket when it is empty. One item a line, trailing commas and comments are kept up.
Edit insert_item(Node list, const std::vector<Node>& items, std::size_t index,
                 std::string_view item);

}  // namespace suture
