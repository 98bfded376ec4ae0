#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "repair/edited_code.h"
#include "repair/report/check.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// Whether pytest collects a file of this name: test_*.py, *_test.py.
bool is_test_file(std::string_view path);

/// How much of a test file a check runs itself, as far as its command line says.
enum class CheckScope { kNothing, kPart, kAll };
CheckScope scope_of(const Check& check, std::string_view test_file, const SourceTree& tree);

/// Test files of the tree that may execute the edited places, the most specific first, at most
/// `limit`: those of which the check runs a part; those that import an edited module and are named
/// after it; that import or mention the edited definition; that import the module; that are only
/// named after it. Among equals those whose folders are more like the edited file's, then by path.
/// Files that the check runs as a whole are left out. Imports are read, not run.
std::vector<std::string> related_test_files(const std::vector<EditedPlace>& places,
                                            const Check& check, SourceTree& tree,
                                            std::size_t limit = 3);

}  // namespace suture
