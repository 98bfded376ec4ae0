#include "client/eval/budget.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "repair/base/text.h"

namespace suture {
namespace {

using std::chrono::milliseconds;

constexpr double kLongestSeconds = 30 * 24 * 3600.0;

/// A positive number and the unit after it; nothing when the text is not like that.
struct Amount {
  double number = 0;
  std::string_view unit;
};

std::optional<Amount> read_amount(std::string_view text) {
  text = trim(text);
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !(number > 0)) return std::nullopt;
  return Amount{number, trim(text.substr(std::size_t(end - text.data())))};
}

std::optional<milliseconds> to_duration(const Amount& amount) {
  double seconds = amount.unit == "ms"                         ? amount.number / 1000
                   : amount.unit.empty() || amount.unit == "s" ? amount.number
                   : amount.unit == "m"                        ? amount.number * 60
                   : amount.unit == "h"                        ? amount.number * 3600
                                                               : -1;
  if (seconds < 0.001 || seconds > kLongestSeconds) return std::nullopt;
  return milliseconds(std::int64_t(seconds * 1000 + 0.5));
}

std::optional<std::int64_t> to_runs(const Amount& amount) {
  if (amount.unit != "runs" && amount.unit != "run") return std::nullopt;
  if (amount.number > 1e9 || amount.number != double(std::int64_t(amount.number)))
    return std::nullopt;
  return std::int64_t(amount.number);
}

}  // namespace

Result<milliseconds> parse_duration(std::string_view text) {
  if (auto amount = read_amount(text)) {
    if (auto duration = to_duration(*amount)) return *duration;
  }
  return fail(ErrorKind::kUsage, fmt::format("'{}' is not a length of time", text),
              "write 60s, 1500ms, 2m or 1h");
}

Result<Budget> parse_budget(std::string_view text) {
  Budget budget{std::nullopt, std::nullopt};
  for (const std::string& part : split(text, ',')) {
    std::optional<Amount> amount = read_amount(part);
    std::optional<std::int64_t> runs = amount ? to_runs(*amount) : std::nullopt;
    std::optional<milliseconds> time = amount ? to_duration(*amount) : std::nullopt;
    bool again = (runs && budget.check_runs) || (time && budget.time);
    if (again || (!runs && !time)) {
      return fail(ErrorKind::kUsage, fmt::format("'{}' is not a budget", text),
                  "write 60s, 40 runs, or both: '40 runs, 60s'");
    }
    if (runs) budget.check_runs = runs;
    if (time) budget.time = time;
  }
  return budget;
}

}  // namespace suture
