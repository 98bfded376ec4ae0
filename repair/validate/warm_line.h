#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "repair/report/failure.h"
#include "repair/validate/verdict.h"

// The fields of a line that a warm process writes. It comes from the side of the check: what is not
// there or has another type is as good as not said.

namespace suture {

std::string text_in(const nlohmann::json& line, const char* key);
double number_in(const nlohmann::json& line, const char* key);
bool flag_in(const nlohmann::json& line, const char* key);

/// How a child ended.
struct ChildEnd {
  Verdict verdict = Verdict::kNotRun;
  int code = 0;  ///< exit status or signal
};
/// Nothing when the line does not say.
std::optional<ChildEnd> child_end_in(const nlohmann::json& line);
/// The exception that a child ended with. Nothing when the line does not say.
std::optional<ExceptionRecord> failure_in(const nlohmann::json& line);

}  // namespace suture
