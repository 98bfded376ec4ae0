#pragma once

#include <tree_sitter/api.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "repair/syntax/bindings.h"

namespace suture {

/// What has been found out about nodes of one file, kept for whoever asks again. Thread-safe; an
/// answer stays where it is as long as the memo lives.
template <class Answer>
class NodeMemo {
 public:
  /// The answer for a node: the one kept, or what `find` returns now.
  template <class Find>
  const Answer& of(Node node, Find find) const {
    {
      std::lock_guard lock(mutex_);
      if (auto at = answers_.find(node.raw().id); at != answers_.end()) return *at->second;
    }
    auto found = std::make_unique<const Answer>(find());
    std::lock_guard lock(mutex_);
    return *answers_.try_emplace(node.raw().id, std::move(found)).first->second;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unordered_map<const void*, std::unique_ptr<const Answer>> answers_;
};

/// What patterns ask of the same function, class or module again and again.
struct SyntaxMemo {
  NodeMemo<std::vector<Binding>> bindings;  ///< of scopes
  NodeMemo<std::unordered_map<std::string_view, int>> identifier_counts;
  NodeMemo<std::vector<std::string>> self_attributes;  ///< of classes
};

}  // namespace suture
