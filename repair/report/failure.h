#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repair/report/check.h"

namespace suture {

/// What kind of failure a text or a run shows. Pattern priors and `when:` conditions are by kind.
enum class FailureKind {
  kException,  ///< an exception other than AssertionError
  kAssertion,  ///< AssertionError, pytest `assert`, unittest's assert methods, or a failed exit of
               ///< the check
  kSyntax,     ///< SyntaxError, IndentationError, TabError while loading a file
  kImport,     ///< ImportError or ModuleNotFoundError
  kCompile,
  kLink,
  kCuda,
  kHang,    ///< the check ran into its time limit
  kSignal,  ///< ended by a signal (segmentation fault, abort)
  kUnknown,
};

/// "exception", "assertion", "syntax", "import", "compile", "link", "cuda", "hang", "signal",
/// "unknown".
std::string_view to_string(FailureKind kind);
std::optional<FailureKind> failure_kind_from(std::string_view word);

/// One line of a traceback, as printed. Lines are 1-based.
struct Frame {
  std::string file;
  int line = 0;
  std::string function;
  std::string source;  ///< the source line as printed; empty when it was not
};

/// One exception of a chain.
struct ExceptionRecord {
  std::string type;           ///< as printed, with its module: "torch.OutOfMemoryError"
  std::string message;        ///< may have several lines
  std::vector<Frame> frames;  ///< outermost first
};

/// What a text says went wrong.
struct Failure {
  FailureKind kind = FailureKind::kUnknown;
  std::string type;                     ///< of the last exception, as printed
  std::string message;                  ///< of the last exception
  std::vector<Frame> frames;            ///< of the last exception, outermost first
  std::vector<ExceptionRecord> causes;  ///< earlier exceptions of the chain, oldest first
  std::vector<std::string> test_ids;    ///< pytest node ids or unittest names named as failing
  int rank = -1;                        ///< of a torchrun log; -1 when not distributed

  /// The exception's class without its module: "OutOfMemoryError".
  std::string_view type_name() const;
  /// "TypeError: message", first line only.
  std::string headline() const;
};

}  // namespace suture
