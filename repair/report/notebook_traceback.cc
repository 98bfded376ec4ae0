#include "repair/report/notebook_traceback.h"

#include <re2/re2.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repair/base/text.h"
#include "repair/report/classify.h"

namespace suture::report {
namespace {

bool matches(std::string_view text, const RE2& pattern, std::string* a, std::string* b) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern, a, b);
}

/// The exception's type when `text` is the header of such a traceback.
std::optional<std::string> parse_head(std::string_view text) {
  static const RE2 kHead(R"(([A-Za-z_][\w.]*)\s+Traceback \(most recent call last\)\s*)");
  std::string type;
  if (text.find("Traceback (most recent call last)") == text.npos) return std::nullopt;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kHead, &type))
    return std::nullopt;
  return type;
}

/// `f(x, y)` -> `f`; "<cell line: 1>()" -> "<cell line: 1>".
std::string function_name(const std::string& call) {
  std::size_t paren = call.find('(');
  return std::string(trim(std::string_view(call).substr(0, paren)));
}

/// The frame that a location line opens; its line number may come with the arrow only.
std::optional<Frame> parse_location(std::string_view text) {
  static const RE2 kFile(R"(File (\S.*?)(?::(\d{1,9}))?(?:, in (.*))?)");
  static const RE2 kCell(R"(((?:Cell In|Input In) ?\[\d+\])(?:, in (.*?)|, line (\d{1,9}))?)");
  static const RE2 kOld(R"((\S+) in ([\w<].*))");
  re2::StringPiece piece(text.data(), text.size());
  Frame frame;
  std::string line, call;
  bool is_one = RE2::FullMatch(piece, kFile, &frame.file, &line, &call) ||
                RE2::FullMatch(piece, kCell, &frame.file, &call, &line);
  if (!is_one) {
    // "path in f(x)" reads like a sentence: only what looks like a file is taken for one.
    is_one = matches(text, kOld, &frame.file, &call) &&
             (frame.file.ends_with(".py") || frame.file.front() == '<');
  }
  if (!is_one) return std::nullopt;
  frame.line = line.empty() ? 0 : std::stoi(line);
  frame.function = function_name(call);
  return frame;
}

/// Takes the line number and source of `----> 3 f(x)` into the frame above.
bool take_arrow(std::string_view text, std::vector<Frame>& frames) {
  static const RE2 kArrow(R"(\s*-+> (\d{1,9})\s?(.*))");
  int line = 0;
  std::string source;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kArrow, &line, &source)) {
    return false;
  }
  if (!frames.empty()) {
    frames.back().line = line;
    frames.back().source = trim(source);
  }
  return true;
}

ExceptionRecord read_one(Lines lines, std::size_t& at, std::string type, MessageEnd message_end) {
  ExceptionRecord record;
  record.type = std::move(type);
  for (++at; at < lines.size(); ++at) {
    std::string_view text = lines[at].text;
    if (is_chain_phrase(text) || parse_head(text)) return record;
    if (text.starts_with("```")) return record;
    if (take_arrow(text, record.frames)) continue;
    if (auto frame = parse_location(text)) {
      record.frames.push_back(std::move(*frame));
      continue;
    }
    bool is_end = text.starts_with(record.type) || text.find('.' + record.type + ':') != text.npos;
    auto exception = is_end ? parse_exception_line(text) : std::nullopt;
    if (!exception) continue;
    record.type = std::move(exception->type);
    ++at;
    record.message = read_message(lines, at, "", std::move(exception->message), message_end);
    return record;
  }
  return record;
}

}  // namespace

std::optional<Found> read_notebook_traceback(Lines lines, std::size_t at, MessageEnd message_end) {
  auto type = parse_head(lines[at].text);
  if (!type) return std::nullopt;
  std::size_t line = lines[at].number;
  std::vector<ExceptionRecord> chain;
  while (type) {
    chain.push_back(read_one(lines, at, std::move(*type), message_end));
    std::size_t next = skip_blank(lines, at, "");
    if (next == lines.size() || !is_chain_phrase(lines[next].text)) break;
    next = skip_blank(lines, next + 1, "");
    if (next < lines.size() && is_rule(lines[next].text)) ++next;
    if (next == lines.size()) break;
    type = parse_head(lines[next].text);
    if (type) at = next;
  }
  return Found{{finding_of_chain(std::move(chain), line)}, at};
}

}  // namespace suture::report
