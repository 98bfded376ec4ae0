#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/refute/edited_file.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// A function of the tree as a call sees it.
struct Callee {
  std::string name;                         ///< as a message gives it: "f", "Class", "Class.f"
  std::vector<ParameterSyntax> parameters;  ///< those that the call fills: without self or cls
};

/// Finds the function that a call calls, where there is no doubt: every name on the way is bound
/// once, by a `def`, a `class` or an import of a module of the tree; no decorator, metaclass,
/// `__new__` or base from elsewhere takes part; and no code of tree or check assigns to that name
/// or names it in a string, as those do that replace functions. Methods are found through `self`
/// only, if no other class of the tree has one of that name. Not thread-safe.
class CalleeFinder {
 public:
  CalleeFinder(SourceTree& tree, std::string check_text)
      : tree_(tree), check_text_(std::move(check_text)) {}

  /// `call` is a node of the file `path` after the change.
  std::optional<Callee> find(const EditedTree& edited, const std::string& path, Node call);

 private:
  std::optional<Callee> named(const EditedTree& edited, const std::string& path,
                              std::string_view name, int depth);
  std::optional<Callee> member_of_module(const EditedTree& edited, const std::string& path,
                                         std::string_view object, std::string_view name);
  std::optional<Callee> method(const EditedTree& edited, const std::string& path, Node call,
                               std::string_view name);
  std::optional<Callee> constructor(const EditedTree& edited, const std::string& path, Node cls,
                                    int depth);
  bool is_plain_base(const EditedTree& edited, const std::string& path, std::string_view base,
                     int depth);
  std::optional<std::string> only_file_of(const std::string& path, std::string_view module);
  bool is_replaced(const std::string& name);

  SourceTree& tree_;
  std::string check_text_;
  std::map<std::string, bool> replaced_;
  std::map<std::string, bool> ambiguous_;  ///< first parts of modules
};

}  // namespace suture
