#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace suture {

/// What went wrong, coarse enough to choose an exit code by. The text of an Error is for people.
enum class ErrorKind {
  kUsage,        ///< the user asked for something impossible: exit code 2
  kBadInput,     ///< a file, report or pattern the user gave cannot be used: exit code 2
  kNotFound,     ///< something the input names does not exist: exit code 2
  kUnsupported,  ///< understood, but not something suture can do: exit code 6
  kInfra,      ///< disk, sandbox, interpreter, lost process: exit code 5; never a candidate's fault
  kCancelled,  ///< the cancel token fired: exit code 130
  kInternal,   ///< a defect of suture: exit code 70
};

/// The lower-case word that JSON and logs use for a kind ("usage", "bad_input", ...).
std::string_view to_string(ErrorKind kind);

/// A place in a file that a message points at. Lines and columns are 1-based; 0 means unknown.
struct SourcePos {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The one error type that crosses layers. Errors are values; nothing throws across a layer.
struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;             ///< one sentence, what is wrong, no trailing period
  std::string hint;                ///< what to do next; may be empty
  std::optional<SourcePos> where;  ///< the place in the user's input, when there is one

  /// "file:line:column: message (hint)", leaving out what is unknown.
  std::string display() const;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// Shorthand for the error branch of a Result: `return fail(ErrorKind::kInfra, "no space left")`.
inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {},
                                  std::optional<SourcePos> where = std::nullopt) {
  return tl::unexpected<Error>(Error{kind, std::move(message), std::move(hint), std::move(where)});
}

}  // namespace suture

#define SUTURE_CONCAT_(a, b) a##b
#define SUTURE_CONCAT(a, b) SUTURE_CONCAT_(a, b)

/// `TRY(auto value, expression)`: binds the value of a Result or returns its error from the
/// enclosing function.
#define TRY(declaration, expression) TRY_(declaration, expression, SUTURE_CONCAT(try_, __LINE__))
#define TRY_(declaration, expression, temporary)                                        \
  auto temporary = (expression);                                                        \
  if (!temporary) return tl::unexpected<::suture::Error>(std::move(temporary).error()); \
  declaration = std::move(*temporary)

/// `TRY_STATUS(expression)`: the same for a Status.
#define TRY_STATUS(expression)                                                              \
  do {                                                                                      \
    auto try_status = (expression);                                                         \
    if (!try_status) return tl::unexpected<::suture::Error>(std::move(try_status).error()); \
  } while (0)
