#include "repair/report/traceback.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "repair/base/text.h"
#include "repair/report/classify.h"
#include "repair/report/rich_traceback.h"

namespace suture::report {
namespace {

constexpr std::string_view kHeader = "Traceback (most recent call last):";
// A message is for people and for patterns; whole dumps are neither.
constexpr std::size_t kMaxMessageLines = 200;
constexpr std::size_t kMaxMessageBytes = 16 << 10;
// Other processes may print between two frames: so many lines of theirs are stepped over.
constexpr std::size_t kMaxForeignLines = 3;

/// What stands before `  File "` in a frame line, when that is a gutter.
std::optional<std::string_view> gutter_of_frame(std::string_view text) {
  std::size_t file = text.find("File \"");
  if (file == std::string_view::npos || file < 2) return std::nullopt;
  std::string_view before = text.substr(0, file);
  if (!is_gutter(before) || !before.ends_with("  ")) return std::nullopt;
  if (!parse_frame_line(text.substr(file - 2))) return std::nullopt;
  return before.substr(0, file - 2);
}

/// A traceback's header.
struct Head {
  std::string gutter;
  bool is_nested = false;  ///< "Original Traceback": what a worker's process or thread raised
  bool is_group = false;   ///< of an exception group, whose members follow
};

std::optional<Head> parse_head(Lines lines, std::size_t at) {
  std::string_view text = lines[at].text;
  std::size_t header = text.find(kHeader);
  if (header == std::string_view::npos) return std::nullopt;
  if (!is_blank(text.substr(header + kHeader.size()))) return std::nullopt;
  std::string_view before = text.substr(0, header);

  Head head;
  head.is_nested = before.ends_with("Original ");
  head.is_group = before.ends_with("Exception Group ");
  if (is_gutter(before)) head.gutter = before;
  if (head.is_group) {
    std::size_t plus = before.rfind('+');
    if (plus != std::string_view::npos && is_gutter(before.substr(0, plus))) {
      head.gutter = std::string(before.substr(0, plus)) + "| ";
      return head;
    }
  }
  // Anything else before the header (a progress bar, a log record's start) is of that line alone;
  // the first frame shows what all lines stand behind.
  if (at + 1 < lines.size()) {
    if (auto gutter = gutter_of_frame(lines[at + 1].text)) head.gutter = *gutter;
  }
  return head;
}

/// Reads one traceback below its header.
class BlockReader {
 public:
  BlockReader(Lines lines, std::size_t at, std::string_view gutter, MessageEnd message_end)
      : lines_(lines), at_(at), gutter_(gutter), message_end_(message_end) {}

  ExceptionRecord read() {
    while (step()) {
    }
    return std::move(record_);
  }
  std::size_t end() const { return at_; }

 private:
  /// Takes one line, or all of the exception's message; false when the block has ended.
  bool step() {
    auto text = line(at_);
    if (!text) return false;
    if (is_blank(*text)) return skip_blank_before_frame();
    if (auto frame = parse_frame_line(*text)) return take_frame(std::move(*frame));
    if (text->front() == ' ' || text->front() == '\t') return take_indented(*text);
    if (starts_something_else(*text) || text->find("Traceback (most") != text->npos) {
      return skip_foreign();
    }
    auto exception = parse_exception_line(*text);
    bool is_end = exception && (looks_like_exception_name(exception->type) || !frame_at(at_ + 1));
    if (!is_end) return skip_foreign();
    take_exception(std::move(*exception));
    return false;
  }

  std::optional<std::string_view> line(std::size_t at) const {
    if (at >= lines_.size()) return std::nullopt;
    return behind_gutter(lines_[at].text, gutter_);
  }

  bool frame_at(std::size_t at) const {
    auto text = line(at);
    return text && parse_frame_line(*text);
  }

  bool take_frame(Frame frame) {
    record_.frames.push_back(std::move(frame));
    ++at_;
    return true;
  }

  /// The source of the frame above, marks under it, or a note such as "[Previous line repeated 3
  /// more times]", which adds nothing that the frame does not say.
  bool take_indented(std::string_view text) {
    if (record_.frames.empty()) return false;
    std::string_view source = trim(text);
    Frame& frame = record_.frames.back();
    bool is_source = text.starts_with("   ") || text.front() == '\t';
    if (is_source && !is_caret_line(text) && frame.source.empty()) frame.source = source;
    ++at_;
    return true;
  }

  bool skip_blank_before_frame() {
    std::size_t next = skip_blank(lines_, at_, gutter_);
    if (record_.frames.empty() || !frame_at(next)) return false;
    at_ = next;
    return true;
  }

  /// Steps over lines that are not of the traceback when it goes on right after them.
  bool skip_foreign() {
    if (record_.frames.empty()) return false;
    for (std::size_t skipped = 1; skipped <= kMaxForeignLines; ++skipped) {
      auto text = line(at_ + skipped);
      // A header in between says that what follows is another traceback.
      if (!text || text->find("Traceback (most") != text->npos) return false;
      if (parse_frame_line(*text)) {
        auto here = line(at_);
        if (here->find("Traceback (most") != here->npos || is_chain_phrase(*here)) return false;
        at_ += skipped;
        return true;
      }
    }
    return false;
  }

  void take_exception(ExceptionLine exception) {
    record_.type = std::move(exception.type);
    ++at_;
    record_.message =
        read_message(lines_, at_, gutter_, std::move(exception.message), message_end_);
  }

  Lines lines_;
  std::size_t at_;
  std::string_view gutter_;
  MessageEnd message_end_;
  ExceptionRecord record_;
};

/// The next exception of a chain: how it was printed does not matter.
struct Block {
  ExceptionRecord record;
  Head head;
  std::size_t end = 0;
};

std::optional<Block> read_block(Lines lines, std::size_t at, MessageEnd message_end) {
  if (at >= lines.size()) return std::nullopt;
  if (auto rich = read_rich_traceback(lines, at, message_end)) {
    return Block{std::move(rich->record), {}, rich->end};
  }
  auto head = parse_head(lines, at);
  std::size_t first = at + 1;
  if (!head) {
    auto gutter = gutter_of_frame(lines[at].text);
    if (!gutter) return std::nullopt;
    head = Head{std::string(*gutter)};
    first = at;
  }
  BlockReader reader(lines, first, head->gutter, message_end);
  ExceptionRecord record = reader.read();
  return Block{std::move(record), std::move(*head), std::max(reader.end(), at + 1)};
}

/// Where the traceback that the one ending at `at` is chained to starts; nothing when it is the
/// last.
std::optional<std::size_t> next_in_chain(Lines lines, std::size_t at, std::string_view gutter) {
  at = skip_blank(lines, at, gutter);
  auto text_at = [&](std::size_t i) -> std::optional<std::string_view> {
    if (i >= lines.size()) return std::nullopt;
    return behind_gutter(lines[i].text, gutter);
  };
  auto text = text_at(at);
  if (text && *text == "\"\"\"") {  // closes what a pool's RemoteTraceback quotes
    at = skip_blank(lines, at + 1, gutter);
    text = text_at(at);
  }
  if (!text || !is_chain_phrase(*text)) return std::nullopt;
  return skip_blank(lines, at + 1, gutter);
}

/// The number N of "-- Process N terminated with the following error:", which torch's spawn prints
/// before the traceback of its child; N is the rank there.
int spawned_rank(Lines lines, std::size_t at) {
  static const RE2 kPhrase(R"(-- Process (\d{1,6}) terminated with the following error:\s*)");
  int rank = -1;
  if (at > 0) {
    std::string_view before = lines[at - 1].text;
    RE2::FullMatch(re2::StringPiece(before.data(), before.size()), kPhrase, &rank);
  }
  return rank;
}

/// Whether Python says of the traceback at `at` that it swallowed the exception.
bool is_ignored(Lines lines, std::size_t at) {
  for (std::size_t back = 1; back <= 2 && back <= at; ++back) {
    std::string_view before = lines[at - back].text;
    if (before.starts_with("Exception ignored in") || before.starts_with("--- Logging error") ||
        before.starts_with("Error in sys.excepthook")) {
      return true;
    }
  }
  return false;
}

/// "Stack (most recent call last):" and "Call stack:" are of logging, and no failure.
bool is_stack_of_log(Lines lines, std::size_t at) {
  if (at == 0) return false;
  std::string_view before = lines[at - 1].text;
  return before.ends_with("Stack (most recent call last):") || before == "Call stack:";
}

/// A lone frame line in running text is a mention, not a traceback.
bool is_too_little(const std::vector<ExceptionRecord>& chain, bool has_header) {
  const ExceptionRecord& last = chain.back();
  if (!last.type.empty())
    return !has_header && !looks_like_exception_name(last.type) && last.frames.size() < 2;
  return last.frames.size() < (has_header ? 1u : 2u) && chain.size() == 1;
}

}  // namespace

std::optional<Frame> parse_frame_line(std::string_view text) {
  constexpr std::string_view kStart = "  File \"";
  constexpr std::string_view kLine = "\", line ";
  if (!text.starts_with(kStart)) return std::nullopt;
  std::size_t quote = text.find(kLine, kStart.size());
  if (quote == std::string_view::npos) return std::nullopt;
  Frame frame;
  frame.file = text.substr(kStart.size(), quote - kStart.size());
  std::string_view rest = text.substr(quote + kLine.size());
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
  if (error != std::errc() || frame.line < 0) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (rest.starts_with(",")) rest.remove_prefix(1);
  if (is_blank(rest)) return frame;
  if (!rest.starts_with(" in ")) return std::nullopt;
  frame.function = trim(rest.substr(4));
  return frame;
}

std::optional<ExceptionLine> parse_exception_line(std::string_view text) {
  // "Outer.<locals>.Inner" is how a class made in a function is printed, "RayTaskError(ValueError)"
  // one that a framework made on the fly.
  static const RE2 kLine(
      R"(([A-Za-z_]\w*(?:\.(?:\w+|<locals>))*(?:\([A-Za-z_][\w.]*\))?)(?::(?: (.*))?)?\s*)");
  ExceptionLine line;
  if (text.empty() || !RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kLine, &line.type,
                                      &line.message)) {
    return std::nullopt;
  }
  line.message = trim(line.message);
  return line;
}

bool is_caret_line(std::string_view text) {
  return !is_blank(text) && text.find_first_not_of(" \t^~") == std::string_view::npos;
}

std::string read_message(Lines lines, std::size_t& at, std::string_view gutter, std::string first,
                         MessageEnd message_end) {
  std::string message = std::move(first);
  std::size_t last = std::min(lines.size(), at + kMaxMessageLines);
  while (at < last && message.size() < kMaxMessageBytes) {
    auto text = behind_gutter(lines[at].text, gutter);
    if (!text || starts_something_else(*text) || text->find("Traceback (most") != text->npos) break;
    if (is_blank(*text)) {
      std::size_t next = skip_blank(lines, at, gutter);
      if (message_end == MessageEnd::kBlankLine || next >= last) break;
      auto after = behind_gutter(lines[next].text, gutter);
      if (!after || starts_something_else(*after)) break;
      message.append(next - at, '\n');
      at = next;
      continue;
    }
    message += '\n';
    message += *text;
    ++at;
  }
  // A first line may be empty ("ProcessRaisedException: "), a last one never matters.
  message.erase(message.find_last_not_of(" \t\n") + 1);
  message.erase(0, message.find_first_not_of('\n'));
  return elide_middle(message, kMaxMessageBytes);
}

std::optional<Found> read_traceback(Lines lines, std::size_t at, MessageEnd message_end) {
  auto block = read_block(lines, at, message_end);
  if (!block) return std::nullopt;
  bool has_header = lines[at].text.find("Traceback (most") != std::string_view::npos;
  bool is_log = !has_header && is_stack_of_log(lines, at);
  std::string gutter = block->head.gutter;
  bool is_group = block->head.is_group;

  std::vector<ExceptionRecord> chain;
  std::size_t end = block->end;
  chain.push_back(std::move(block->record));
  while (auto next = next_in_chain(lines, end, gutter)) {
    auto more = read_block(lines, *next, message_end);
    if (!more) break;
    is_group = more->head.is_group;
    end = more->end;
    chain.push_back(std::move(more->record));
  }
  Found found{{}, end};
  if (is_log || is_too_little(chain, has_header)) return found;

  Finding finding = finding_of_chain(std::move(chain), lines[at].number);
  finding.failure.rank = spawned_rank(lines, at);
  if (is_group) finding.weight = Weight::kWrapper;  // its members say more
  if (is_ignored(lines, at)) finding.weight = Weight::kIgnored;
  found.findings.push_back(std::move(finding));
  return found;
}

std::optional<Found> read_group_member(Lines lines, std::size_t at, MessageEnd message_end) {
  static const RE2 kRule(R"(([ |]*)\+[-+]*-{5,} (?:\d+|\.\.\.) -{5,}\s*)");
  std::string_view text = lines[at].text;
  if (text.find("+-") == std::string_view::npos) return std::nullopt;
  std::string before;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kRule, &before)) {
    return std::nullopt;
  }
  // `+-+---- 1 ----` opens a level: its members stand two columns to the right.
  std::string gutter = before + (text.substr(before.size()).starts_with("+-+") ? "  | " : "| ");
  Found found{{}, at + 1};
  if (at + 1 == lines.size()) return found;
  auto member = behind_gutter(lines[at + 1].text, gutter);
  auto exception = member ? parse_exception_line(*member) : std::nullopt;
  if (!exception || member->find("Traceback (most") != std::string_view::npos) return found;
  found.end = at + 2;
  std::string message =
      read_message(lines, found.end, gutter, std::move(exception->message), message_end);
  ExceptionRecord record{std::move(exception->type), std::move(message), {}};
  found.findings.push_back(finding_of_chain({std::move(record)}, lines[at + 1].number));
  return found;
}

}  // namespace suture::report
