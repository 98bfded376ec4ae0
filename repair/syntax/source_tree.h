#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/syntax/source_file.h"

namespace suture {

/// A parameter as written.
struct ParameterSyntax {
  std::string name;        ///< without stars
  std::string prefix;      ///< "", "*", "**"
  std::string annotation;  ///< "" when there is none
  std::string default_text;
  bool has_default = false;
  bool keyword_only = false;
};

/// Something that gives a name a meaning.
struct Definition {
  enum class Kind { kFunction, kClass, kVariable, kImport } kind = Kind::kVariable;
  std::string name;
  std::string qualname;  ///< "Class.method"
  std::string file;      ///< relative to the tree
  Range range;           ///< of the whole definition (with its decorators), statement or import
  int line = 0;          ///< of the `def`, `class` or assignment
  std::vector<ParameterSyntax> parameters;  ///< of functions, self included
  std::vector<std::string> bases;           ///< of classes, as written
  std::string source_module;  ///< of imports: the module as written ("..a.b"), "" for `import x`
  std::string source_name;    ///< of imports: the name in it ("*" for all), or the module
};

/// The parameters of a function_definition or lambda.
std::vector<ParameterSyntax> parameters_of(Node function);

/// All sources of a tree, read and parsed only when asked for, each at most once. Files are listed
/// once at construction (version control folders, caches, build products and virtual environments
/// left out; symbolic links that lead outside the tree left out). Thread-safe. Pointers live as
/// long as the tree.
class SourceTree {
 public:
  /// `root` is an existing folder. Errors: kNotFound, kBadInput.
  static Result<std::unique_ptr<SourceTree>> open(const std::filesystem::path& root);
  /// A tree in memory: path -> content. For tests of patterns.
  static std::unique_ptr<SourceTree> in_memory(std::map<std::string, std::string> files);
  /// A tree like this one, but with other contents for some of its files. Nothing that was read or
  /// parsed is shared.
  std::unique_ptr<SourceTree> edited(const std::map<std::string, std::string>& files) const;
  ~SourceTree();

  const std::filesystem::path& root() const;
  const std::vector<std::string>& paths() const;  ///< sources of any language, sorted, relative
  bool has(std::string_view path) const;

  /// The parsed file; null when it is missing, unreadable, binary or over 4 MB.
  const SourceFile* source(std::string_view path);
  /// The file's bytes without parsing; empty when it cannot be read.
  std::string_view bytes(std::string_view path);

  /// Python files whose text mentions the word (bytes are searched, not parsed). Sorted.
  std::vector<std::string> files_mentioning(std::string_view word);
  /// Python files that hold `def name` or `class name`, by an index of their text (made once, not
  /// parsed): cheap enough to ask for every call. Sorted.
  const std::vector<std::string>& files_defining(std::string_view name);
  /// Module-level names, classes, methods, class fields and functions named `name` anywhere in the
  /// tree (Python), imports left out: found by text, then parsed. At most 50, in the order of
  /// paths.
  std::vector<Definition> definitions(std::string_view name);
  /// All that a file defines: module level, classes and their methods (one level), imports
  /// included.
  const std::vector<Definition>& outline(std::string_view path);

  /// "pkg.mod" -> "pkg/mod.py" or "pkg/mod/__init__.py", also below "src/"; nothing when not in the
  /// tree.
  std::optional<std::string> file_of_module(std::string_view module) const;
  /// "src/pkg/mod.py" -> "pkg.mod".
  std::string module_of_file(std::string_view path) const;
  /// A module as written in a file ("..a.b") -> "pkg.a.b".
  std::string absolute_module(std::string_view file, std::string_view module) const;
  /// Top-level import names that the tree provides (packages and modules at the root or below
  /// src/).
  std::vector<std::string> top_level_names() const;

  /// Where `name`, dotted or not, as used in `file` comes from: the file's module level first, else
  /// the imports in its functions, else `import *`; follows imports (relative, re-exports up to
  /// depth 5) to the defining file of the tree and dots into modules, classes and their bases.
  /// Nothing when it leaves the tree or cannot be told. A name that means a module gives a
  /// Definition of kind kImport with the module's name and file and an empty range.
  std::optional<Definition> resolve(std::string_view file, std::string_view name);
  /// The class and its bases as far as the tree defines them, nearest first.
  std::vector<Definition> class_and_bases(const Definition& cls);
  /// Attributes assigned on self in the class's methods and names in its body (methods, fields),
  /// own class only, in order of appearance, each once.
  std::vector<std::string> members_of(const Definition& cls);

 private:
  struct State;
  explicit SourceTree(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace suture
