#include "repair/report/failure.h"

#include <array>
#include <utility>

#include "repair/base/text.h"

namespace suture {
namespace {

constexpr std::array<std::pair<FailureKind, std::string_view>, 10> kWords = {{
    {FailureKind::kException, "exception"},
    {FailureKind::kAssertion, "assertion"},
    {FailureKind::kSyntax, "syntax"},
    {FailureKind::kImport, "import"},
    {FailureKind::kCompile, "compile"},
    {FailureKind::kLink, "link"},
    {FailureKind::kCuda, "cuda"},
    {FailureKind::kHang, "hang"},
    {FailureKind::kSignal, "signal"},
    {FailureKind::kUnknown, "unknown"},
}};

}  // namespace

std::string_view to_string(FailureKind kind) {
  for (const auto& [each, word] : kWords) {
    if (each == kind) return word;
  }
  return "unknown";
}

std::optional<FailureKind> failure_kind_from(std::string_view word) {
  for (const auto& [kind, each] : kWords) {
    if (each == word) return kind;
  }
  return std::nullopt;
}

std::string_view Failure::type_name() const {
  std::string_view name = type;
  // "a::b::Error" is a C++ type; "a.b.Error" a Python one.
  std::size_t end = name.find_last_of(".:");
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

std::string Failure::headline() const {
  std::string_view first = trim(std::string_view(message).substr(0, message.find('\n')));
  if (type.empty()) return std::string(first);
  return first.empty() ? type : type + ": " + std::string(first);
}

}  // namespace suture
