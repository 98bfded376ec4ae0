#include "repair/report/classify.h"

#include <algorithm>
#include <array>

namespace suture::report {
namespace {

std::string_view last_component(std::string_view type) {
  std::size_t dot = type.rfind('.');
  return dot == std::string_view::npos ? type : type.substr(dot + 1);
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t N>
bool mentions_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view each) {
    return text.find(each) != std::string_view::npos;
  });
}

constexpr std::array<std::string_view, 3> kSyntaxTypes = {"SyntaxError", "IndentationError",
                                                          "TabError"};
constexpr std::array<std::string_view, 2> kImportTypes = {"ImportError", "ModuleNotFoundError"};
constexpr std::array<std::string_view, 4> kCudaMessages = {"CUDA error:", "CUDA out of memory",
                                                           "CUBLAS_STATUS_", "CUDNN_STATUS_"};
constexpr std::array<std::string_view, 8> kNameEndings = {
    "Error", "Exception", "Warning", "Interrupt", "Timeout", "Exit", "Failure", "Fault"};

constexpr std::array<std::string_view, 7> kWrapperTypes = {
    "ChildFailedError",  "ProcessRaisedException", "ProcessExitedException", "CalledProcessError",
    "BrokenProcessPool", "ExceptionGroup",         "BaseExceptionGroup"};
constexpr std::array<std::string_view, 10> kAftermathTypes = {
    "SignalException",        "DistBackendError",
    "DistNetworkError",       "DistStoreError",
    "ConnectionResetError",   "ConnectionAbortedError",
    "ConnectionRefusedError", "BrokenPipeError",
    "KeyboardInterrupt",      "SystemExit"};
constexpr std::array<std::string_view, 9> kAftermathMessages = {
    "NCCL communicator was aborted",
    "Connection reset by peer",
    "Connection closed by peer",
    "Broken pipe",
    "Watchdog caught collective operation timeout",
    "Timed out waiting",
    "NCCL error",
    "Socket Timeout",
    "received by PID"};

}  // namespace

FailureKind kind_of_exception(std::string_view type, std::string_view message) {
  std::string_view name = last_component(type);
  if (is_one_of(name, kSyntaxTypes)) return FailureKind::kSyntax;
  if (is_one_of(name, kImportTypes)) return FailureKind::kImport;
  if (name == "AssertionError") return FailureKind::kAssertion;
  // pytest-timeout ends a test with pytest.fail().
  if (name == "Failed" && message.substr(0, 7) == "Timeout") return FailureKind::kHang;
  if (name == "Failed") return FailureKind::kAssertion;
  if (mentions_one_of(message.substr(0, 400), kCudaMessages)) return FailureKind::kCuda;
  return type.empty() ? FailureKind::kUnknown : FailureKind::kException;
}

bool looks_like_exception_name(std::string_view type) {
  std::string_view name = last_component(type);
  bool dotted = name.size() != type.size();
  return std::any_of(kNameEndings.begin(), kNameEndings.end(), [&](std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    // "Error: ..." alone is what many programs print; "binascii.Error: ..." is an exception.
    return dotted || name.size() > ending.size();
  });
}

Hearsay hearsay_of(std::string_view type, std::string_view message) {
  std::string_view name = last_component(type);
  // "Caught IndexError in DataLoader worker process 0.", before the "Original Traceback".
  bool is_rethrown = message.starts_with("Caught ") &&
                     message.substr(0, 200).find(" in ") != std::string_view::npos;
  if (is_one_of(name, kWrapperTypes) || is_rethrown) return Hearsay::kWrapper;
  bool is_aftermath = is_one_of(name, kAftermathTypes) ||
                      mentions_one_of(message.substr(0, 2000), kAftermathMessages);
  return is_aftermath ? Hearsay::kAftermath : Hearsay::kNone;
}

}  // namespace suture::report
