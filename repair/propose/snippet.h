#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/propose/binding.h"
#include "repair/syntax/source_file.h"

namespace suture {

/// A piece of code with metavariables, compiled to a tree that is compared with trees of sources:
///   $NAME      one node; the same name twice must be the same text
///   $_         one node, whatever it is
///   $$$NAME    any number of neighbouring nodes (arguments, elements, statements)
/// Comments, white space and a trailing comma never matter.
class Snippet {
 public:
  /// Errors: kBadInput when the code does not parse, or is a lone metavariable (it would match
  /// all).
  static Result<Snippet> compile(std::string_view code, Language language);

  /// Kind of the nodes that can match.
  std::string_view root_kind() const { return root_kind_; }
  /// Of a Python call the name that it calls, where that is fixed: "info" of `$LOG.info($$$ARGS)`;
  /// "" for all else.
  std::string_view called() const { return called_; }
  /// Names of the metavariables.
  const std::vector<std::string>& variables() const { return variables_; }
  /// Whether the node matches; adds to `bindings` then, and leaves them alone otherwise.
  bool match(Node node, Bindings& bindings) const;

 private:
  struct Shape;
  std::shared_ptr<const Shape> shape_;  ///< the code, ready to be compared
  std::string root_kind_, called_;
  std::vector<std::string> variables_;
};

/// Replaces metavariables by identifiers that the grammars accept, so that code with holes parses.
std::string encode_metavariables(std::string_view code);
/// The other way round: text as the pattern's author wrote it.
std::string decode_metavariables(std::string_view encoded);
/// The metavariable that such an identifier stands for ("NAME", or "$$NAME" for a sequence); "" for
/// any other text.
std::string decode_metavariable(std::string_view identifier);
/// The metavariables of a text in order of appearance, each once, without `$`.
std::vector<std::string> metavariables_of(std::string_view text);

}  // namespace suture
