#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "repair/syntax/node.h"

namespace suture {

/// Kinds of statements that import.
inline const std::initializer_list<std::string_view> kImportKinds = {
    "import_statement", "import_from_statement", "future_import_statement"};

/// One name that a Python import statement binds.
struct ImportedName {
  std::string module;  ///< of `from module import name`, as written ("..a.b"); "" for `import name`
  std::string name;    ///< the name in that module, "*" for all; "a.b" for `import a.b`
  std::string alias;   ///< behind `as`; "" when there is none
  Node node;           ///< the part of the statement that stands for it

  /// The name that it gives to the file: `import a.b` binds a.
  std::string bound() const;
  bool same_as(const ImportedName& other) const {
    return module == other.module && name == other.name && alias == other.alias;
  }
};

bool is_import(Node statement);

/// The names of an import statement; none for other nodes.
std::vector<ImportedName> imported_names(Node statement);

}  // namespace suture
