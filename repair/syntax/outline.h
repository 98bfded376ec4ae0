#pragma once

#include "repair/syntax/imports.h"
#include "repair/syntax/source_tree.h"

namespace suture {

/// All that a file defines; what SourceTree::outline() holds.
std::vector<Definition> outline_of(const SourceFile& file);

/// The Definition of a name that an import statement binds.
Definition import_definition(const ImportedName& imported, Node statement);

}  // namespace suture
