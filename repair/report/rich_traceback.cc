#include "repair/report/rich_traceback.h"

#include <re2/re2.h>

#include <string>
#include <string_view>
#include <vector>

#include "repair/base/text.h"

namespace suture::report {
namespace {

constexpr std::string_view kSide = "│";
constexpr std::string_view kArrow = "❱";
// A location is wrapped at the box's width; nobody's path fills more lines than this.
constexpr std::size_t kMaxLocationParts = 5;

/// What stands between the box's sides.
std::optional<std::string_view> inside_box(std::string_view text) {
  text = trim(text);
  if (!text.starts_with(kSide)) return std::nullopt;
  text.remove_prefix(kSide.size());
  if (text.ends_with(kSide)) text.remove_suffix(kSide.size());
  return text;
}

/// A source line without the guides that rich draws for indentation.
std::string_view without_guides(std::string_view source) {
  source = trim(source);
  while (source.starts_with(kSide)) source = trim(source.substr(kSide.size()));
  return source;
}

std::optional<Frame> parse_location(const std::string& text) {
  static const RE2 kLocation(R"((\S.*?):(\d{1,9}) in (.+))");
  Frame frame;
  if (!RE2::FullMatch(text, kLocation, &frame.file, &frame.line, &frame.function)) {
    return std::nullopt;
  }
  return frame;
}

/// Joins the lines of a wrapped location: rich breaks at a blank (and drops it) or inside a path,
/// so each joint is tried both ways until the whole reads as one.
std::optional<Frame> join_location(const std::vector<std::string>& parts) {
  if (parts.empty() || parts.size() > kMaxLocationParts) return std::nullopt;
  std::size_t joints = parts.size() - 1;
  for (std::size_t blanks = 0; blanks < (std::size_t{1} << joints); ++blanks) {
    std::string text = parts[0];
    for (std::size_t i = 0; i < joints; ++i) {
      if (blanks >> i & 1) text += ' ';
      text += parts[i + 1];
    }
    if (auto frame = parse_location(text)) return frame;
  }
  return std::nullopt;
}

/// Collects frames from the lines inside one box.
class BoxReader {
 public:
  void take(std::string_view inside) {
    static const RE2 kSource(R"(\s*(❱)?\s*(\d{1,9})(?: (.*))?)");
    std::string_view text = trim(inside);
    if (text.starts_with("╭")) locals_ = true;  // a box of local variables within the box
    bool was_locals = locals_;
    if (text.starts_with("╰")) locals_ = false;
    if (was_locals) return;
    if (text.empty()) return end_location();
    std::string arrow, number, source;
    if (RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kSource, &arrow, &number,
                       &source)) {
      end_location();
      if (arrow == kArrow && !frames_.empty()) frames_.back().source = without_guides(source);
      return;
    }
    parts_.emplace_back(text);
  }

  std::vector<Frame> frames() {
    end_location();
    return std::move(frames_);
  }

 private:
  void end_location() {
    if (auto frame = join_location(parts_)) frames_.push_back(std::move(*frame));
    parts_.clear();
  }

  std::vector<Frame> frames_;
  std::vector<std::string> parts_;
  bool locals_ = false;
};

/// Reads the box that a syntax error has below the one of its frames: the broken file's location
/// and line. Moves `next` behind it.
std::optional<Frame> read_syntax_box(Lines lines, std::size_t& next) {
  static const RE2 kPlace(R"(\s*(\S.*):(\d{1,9})\s*)");
  if (next >= lines.size() || !trim(lines[next].text).starts_with("╭")) return std::nullopt;
  std::optional<Frame> frame;
  std::size_t at = next + 1;
  for (; at < lines.size(); ++at) {
    auto inside = inside_box(lines[at].text);
    if (!inside) break;
    Frame place;
    if (!frame) {
      if (RE2::FullMatch(re2::StringPiece(inside->data(), inside->size()), kPlace, &place.file,
                         &place.line)) {
        frame = std::move(place);
      }
    } else if (frame->source.empty()) {
      frame->source = trim(*inside);
    }
  }
  if (!frame || at == lines.size() || !trim(lines[at].text).starts_with("╰")) return std::nullopt;
  next = at + 1;
  return frame;
}

}  // namespace

std::optional<RichBlock> read_rich_traceback(Lines lines, std::size_t at, MessageEnd message_end) {
  std::string_view head = lines[at].text;
  std::size_t corner = head.find("╭");
  if (corner == std::string_view::npos) return std::nullopt;
  if (head.find("Traceback (most recent call last)", corner) == head.npos) return std::nullopt;

  RichBlock block;
  BoxReader reader;
  std::size_t next = at + 1;
  for (; next < lines.size(); ++next) {
    auto inside = inside_box(lines[next].text);
    if (!inside) break;
    reader.take(*inside);
  }
  block.record.frames = reader.frames();
  std::string_view gutter = is_gutter(head.substr(0, corner)) ? head.substr(0, corner) : "";
  if (next < lines.size() && trim(lines[next].text).starts_with("╰")) ++next;
  if (auto broken = read_syntax_box(lines, next)) block.record.frames.push_back(std::move(*broken));
  if (next < lines.size()) {
    auto text = behind_gutter(lines[next].text, gutter);
    if (auto exception = text ? parse_exception_line(*text) : std::nullopt) {
      ++next;
      block.record.type = std::move(exception->type);
      block.record.message =
          read_message(lines, next, gutter, std::move(exception->message), message_end);
    }
  }
  block.end = next;
  return block;
}

}  // namespace suture::report
