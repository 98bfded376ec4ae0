#include "repair/report/pytest.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "repair/base/text.h"
#include "repair/report/classify.h"
#include "repair/report/traceback.h"

namespace suture::report {
namespace {

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

/// "x.py:12: in f" (short), "x.py:12: " (long, on the way), "x.py:12: TypeError" (long, the end)
/// and "x.py:12: TypeError: message" (line).
struct Place {
  enum class Sort { kShort, kLongOnTheWay, kLongEnd, kLine } sort;
  Frame frame;
  std::string type;
  std::string message;
};

/// Whether ":<digit>" occurs: what every place has and hardly any other line, and is quick to see.
bool has_line_number(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == ':' && text[i + 1] >= '0' && text[i + 1] <= '9') return true;
  }
  return false;
}

std::optional<Place> parse_place(std::string_view text) {
  static const RE2 kPlace(R"(([^\s"'][^"]*?):(\d{1,9}): ?(.*))");
  static const RE2 kEnd(R"(([A-Za-z_][\w.]*)(?:: (.*))?)");
  if (text.size() > 4000 || !has_line_number(text)) return std::nullopt;
  Place place{};
  std::string rest;
  if (!RE2::FullMatch(piece(text), kPlace, &place.frame.file, &place.frame.line, &rest)) {
    return std::nullopt;
  }
  if (rest.empty()) {
    place.sort = Place::Sort::kLongOnTheWay;
    return place;
  }
  if (rest.starts_with("in ") && rest.size() > 3) {
    place.frame.function = trim(std::string_view(rest).substr(3));
    bool is_name = place.frame.function.find(' ') == std::string::npos;
    if (!is_name && place.frame.function.front() != '<') return std::nullopt;
    place.sort = Place::Sort::kShort;
    return place;
  }
  if (rest.starts_with("assert ")) {
    place.type = "AssertionError";
    place.message = rest;
    place.sort = Place::Sort::kLine;
    return place;
  }
  if (!RE2::FullMatch(rest, kEnd, &place.type, &place.message)) return std::nullopt;
  // "x.py:3: UserWarning: ..." is how a warning is shown.
  if (place.type.ends_with("Warning")) return std::nullopt;
  place.sort = place.message.empty() ? Place::Sort::kLongEnd : Place::Sort::kLine;
  return place;
}

bool is_error_line(std::string_view text) {
  return !text.empty() && text[0] == 'E' && (text.size() == 1 || text.starts_with("E  "));
}

bool is_arrow_line(std::string_view text) { return text.starts_with(">  "); }

/// The name that the first line of an excerpt defines.
std::optional<std::string> defined_name(std::string_view text) {
  static const RE2 kDef(R"(\s*(?:async\s+def|def|class)\s+(\w+)\b.*)");
  if (!text.starts_with("    ") && !is_arrow_line(text)) return std::nullopt;
  std::string name;
  if (is_arrow_line(text)) text.remove_prefix(1);
  if (!RE2::FullMatch(piece(text), kDef, &name)) return std::nullopt;
  return name;
}

/// The text of "E   ..." lines without what they are indented by in common.
std::vector<std::string> error_text(const std::vector<std::string_view>& error_lines) {
  std::vector<std::string> texts;
  std::size_t indent = std::string_view::npos;
  for (std::string_view line : error_lines) {
    line.remove_prefix(1);
    if (indent == std::string_view::npos) indent = line.find_first_not_of(' ');
    std::size_t own = std::min(line.find_first_not_of(' '), line.size());
    texts.emplace_back(line.substr(std::min(own, indent)));
  }
  return texts;
}

/// Reads the lines of one section.
class SectionReader {
 public:
  void take(std::string_view text) {
    if (is_error_line(text)) {
      errors_.push_back(text);
    } else if (is_chain_phrase(text)) {
      finish();
    } else if (is_arrow_line(text)) {
      if (auto name = defined_name(text)) note_definition(std::move(*name));
      arrow_ = trim(text.substr(1));
    } else if (auto place = parse_place(text)) {
      take_place(std::move(*place));
    } else if (auto name = defined_name(text)) {
      note_definition(std::move(*name));
    } else if (wants_source_ && !text.empty() && !is_caret_line(text)) {
      // "???" stands for source that is not at hand.
      if (trim(text) != "???") record_.frames.back().source = trim(text);
      wants_source_ = false;
    }
  }

  std::vector<ExceptionRecord> chain() {
    finish();
    return std::move(chain_);
  }

 private:
  /// An excerpt starts with the line that defines its function; a nested def comes later.
  void note_definition(std::string name) {
    if (function_.empty()) function_ = std::move(name);
  }

  void take_place(Place place) {
    bool is_long = place.sort == Place::Sort::kLongOnTheWay || place.sort == Place::Sort::kLongEnd;
    if (is_long) {
      place.frame.function = std::exchange(function_, {});
      place.frame.source = std::exchange(arrow_, {});
    }
    if (place.sort == Place::Sort::kLine) {
      record_.type = place.type;
      record_.message = place.message;
    }
    wants_source_ = place.sort == Place::Sort::kShort;
    end_type_ = place.type;
    record_.frames.push_back(std::move(place.frame));
  }

  void finish() {
    if (!errors_.empty()) read_errors(error_text(errors_));
    if (record_.type.empty() && record_.message.empty()) {
      record_.type = looks_like_exception_name(end_type_) ? end_type_ : "";
    }
    bool is_one = !record_.type.empty() || !record_.message.empty();
    if (is_one) chain_.push_back(std::exchange(record_, {}));
    record_ = {};
    errors_.clear();
    end_type_.clear();
    function_.clear();
    arrow_.clear();
    wants_source_ = false;
  }

  /// Whether an "E" line is "Type: message": the place below it names the type too in the long
  /// style; in the short one the name must look like an exception's.
  bool is_exception(const ExceptionLine& line) const {
    if (line.type == "Failed" || looks_like_exception_name(line.type)) return true;
    return !end_type_.empty() && (line.type == end_type_ || line.type.ends_with("." + end_type_));
  }

  void read_errors(const std::vector<std::string>& texts) {
    std::size_t at = 0;
    // A syntax error's file and line come first, as Python prints them.
    while (at < texts.size() && take_syntax_frame(texts, at)) {
    }
    if (at == texts.size()) return;
    auto exception = parse_exception_line(texts[at]);
    std::vector<std::string> message(texts.begin() + static_cast<std::ptrdiff_t>(at), texts.end());
    if (exception && is_exception(*exception)) {
      record_.type = std::move(exception->type);
      message.front() = std::move(exception->message);
    } else {
      bool is_assert = texts[at].starts_with("assert ");
      record_.type = is_assert ? "AssertionError" : end_type_;
    }
    record_.message = trim(join(message, "\n"));
  }

  bool take_syntax_frame(const std::vector<std::string>& texts, std::size_t& at) {
    auto frame = parse_frame_line("  " + std::string(trim(texts[at])));
    if (!frame) return false;
    for (++at; at < texts.size() && texts[at].starts_with("  "); ++at) {
      if (frame->source.empty() && !is_caret_line(texts[at])) frame->source = trim(texts[at]);
    }
    record_.frames.push_back(std::move(*frame));
    return true;
  }

  std::vector<ExceptionRecord> chain_;
  ExceptionRecord record_;
  std::vector<std::string_view> errors_;
  std::string function_;  ///< of the excerpt being read
  std::string arrow_;     ///< its line with ">"
  std::string end_type_;  ///< the type that the last place names
  bool wants_source_ = false;
};

bool ends_section(std::string_view text) {
  if (text.size() < 3) return false;
  // "_ _ _ _" only divides the entries of a section.
  return is_rule(text) && !text.starts_with("_ _");
}

/// Whether a failure goes on at this line when no section header tells where it ends.
bool is_of_failure(std::string_view text) {
  return is_blank(text) || text.starts_with(' ') || text.starts_with("_ _") ||
         is_error_line(text) || is_arrow_line(text) || is_chain_phrase(text) ||
         parse_place(text).has_value();
}

/// Whether the place at `at` ends a failure that no section header limits.
bool is_last_place(Lines lines, std::size_t at) {
  auto place = parse_place(lines[at].text);
  if (!place || place->type.empty()) return false;
  std::size_t next = skip_blank(lines, at + 1, "");
  return next == lines.size() || !is_chain_phrase(lines[next].text);
}

/// Whether an "E" line comes soon: ">" alone may as well start a quotation in Markdown.
bool has_error_soon(Lines lines, std::size_t at) {
  constexpr std::size_t kSoon = 12;
  Lines next = lines.subspan(at, std::min(kSoon, lines.size() - at));
  return std::any_of(next.begin(), next.end(),
                     [](const LogLine& line) { return is_error_line(line.text); });
}

bool starts_failure(Lines lines, std::size_t at) {
  std::string_view text = lines[at].text;
  if (text.empty() || text[0] == ' ') return false;
  if (text.starts_with("E   ")) return true;
  if (text.starts_with(">   ")) return has_error_soon(lines, at);
  auto place = parse_place(text);
  return place && place->sort == Place::Sort::kShort;
}

/// Whether the test printed what stands in the section: not the failure itself.
bool is_capture_header(std::string_view text) {
  return text.find(" Captured ") != std::string_view::npos;
}

}  // namespace

std::optional<std::string> pytest_section(std::string_view text) {
  static const RE2 kHeader(R"(_{2,} (\S.*?) _{2,})");
  static const RE2 kError(R"(ERROR (?:at (?:setup|teardown) of|collecting) (.*))");
  if (!text.starts_with("__")) return std::nullopt;
  std::string name, subject;
  if (!RE2::FullMatch(piece(text), kHeader, &name)) return std::nullopt;
  return RE2::FullMatch(name, kError, &subject) ? subject : name;
}

std::optional<Found> read_pytest_failure(Lines lines, std::size_t at) {
  auto section = pytest_section(lines[at].text);
  if (!section && !starts_failure(lines, at)) return std::nullopt;
  SectionReader reader;
  std::size_t end = section ? at + 1 : at;
  bool has_errors = false;
  bool has_native = false;
  for (; end < lines.size(); ++end) {
    std::string_view text = lines[end].text;
    if (ends_section(text) || (!section && !is_of_failure(text))) break;
    if (is_capture_header(text)) break;
    has_errors = has_errors || is_error_line(text);
    has_native = has_native || text.starts_with("Traceback (most");
    reader.take(text);
    if (!section && is_last_place(lines, end)) {
      ++end;
      break;
    }
  }
  Found found{{}, end};
  std::vector<ExceptionRecord> chain = reader.chain();
  if (chain.empty() || (has_native && !has_errors)) {
    if (section) found.end = at + 1;  // what stands in it is for other readers
    return found;
  }
  found.findings.push_back(finding_of_chain(std::move(chain), lines[at].number));
  found.findings.back().test_name = section.value_or("");
  return found;
}

std::optional<Found> read_pytest_line(Lines lines, std::size_t at) {
  auto place = parse_place(lines[at].text);
  if (!place || !looks_like_exception_name(place->type)) return std::nullopt;
  ExceptionRecord record{std::move(place->type), std::move(place->message), {place->frame}};
  return Found{{finding_of_chain({std::move(record)}, lines[at].number)}, at + 1};
}

std::optional<PytestVerdict> parse_pytest_verdict(const LogLine& line) {
  static const RE2 kVerbose(R"((?:\[gw\d+\] \[ *\d+%\] )?(?:(FAILED|ERROR) )?(\S+\.py(?:::.+?)?))"
                            R"((?: (FAILED|ERROR)(?: +\[ *\d+%\])?)?)");
  std::string_view text = line.text;
  if (text.find("FAILED") == text.npos && text.find("ERROR") == text.npos) return std::nullopt;
  if (text.size() > 4000 || text.find(".py") == text.npos) return std::nullopt;
  bool is_summary = text.starts_with("FAILED ") || text.starts_with("ERROR ");
  std::string_view subject = text;
  PytestVerdict verdict{{}, {}, line.number};
  if (is_summary) {
    // A parameter may contain " - ": the id ends at the first one outside brackets.
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '[') ++depth;
      if (text[i] == ']') --depth;
      if (depth <= 0 && text.substr(i).starts_with(" - ")) {
        subject = text.substr(0, i);
        verdict.message = trim(text.substr(i + 3));
        break;
      }
    }
  }
  std::string before, after;
  if (!RE2::FullMatch(piece(trim(subject)), kVerbose, &before, &verdict.node_id, &after)) {
    return std::nullopt;
  }
  if (before.empty() == after.empty()) return std::nullopt;
  // torchrun says "train.py FAILED" of a script.
  if (before.empty() && verdict.node_id.find("::") == std::string::npos) return std::nullopt;
  return verdict;
}

std::string section_name_of(std::string_view node_id) {
  std::size_t at = node_id.find("::");
  if (at == std::string_view::npos) return std::string(node_id);
  std::string_view test = node_id.substr(at + 2);
  std::size_t bracket = std::min(test.find('['), test.size());
  return replace_all(std::string(test.substr(0, bracket)), "::", ".") +
         std::string(test.substr(bracket));
}

}  // namespace suture::report
