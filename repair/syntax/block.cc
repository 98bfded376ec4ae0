#include "repair/syntax/block.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "repair/base/text.h"
#include "repair/syntax/edit.h"

namespace suture {

std::string_view indent_of(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

std::string_view common_prefix(std::string_view a, std::string_view b) {
  auto length = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return a.substr(0, static_cast<std::size_t>(length));
}

namespace {

/// A line of a block. Only lines that start a statement say how deep the block is.
struct BlockLine {
  std::string_view text;     ///< without its line end
  std::string_view newline;  ///< "", "\n" or "\r\n"
  enum class Start { kStatement, kContinued, kString, kComment, kBlank } start = Start::kStatement;
};

/// Cuts a block into lines and follows its strings and brackets, for Python and C++ alike. Nested
/// quotes of the same kind in f-strings (Python 3.12) are beyond it.
class BlockScanner {
 public:
  explicit BlockScanner(std::string_view block) : block_(block) {}

  std::vector<BlockLine> lines() {
    std::vector<BlockLine> lines;
    while (at_ < block_.size()) lines.push_back(next_line());
    return lines;
  }

 private:
  BlockLine next_line() {
    std::size_t start = at_;
    BlockLine line;
    line.start = start_of_line();
    while (at_ < block_.size() && block_[at_] != '\n') step();
    std::size_t end = at_;
    if (at_ < block_.size()) ++at_;
    if (quote_.size() == 1 && !joined_) quote_ = {};  // unterminated: C++'s 1'000, or no string
    if (end > start && block_[end - 1] == '\r') --end;
    line.text = block_.substr(start, end - start);
    line.newline = block_.substr(end, at_ - end);
    return line;
  }

  BlockLine::Start start_of_line() {
    using Start = BlockLine::Start;
    bool joined = joined_;
    joined_ = false;
    if (!quote_.empty()) return Start::kString;
    std::size_t first = block_.find_first_not_of(" \t\f\r", at_);
    if (first == std::string_view::npos || block_[first] == '\n') return Start::kBlank;
    if (depth_ > 0 || joined) return Start::kContinued;
    return starts_comment(first) ? Start::kComment : Start::kStatement;
  }

  bool starts_comment(std::size_t at) const {
    return block_[at] == '#' || block_.substr(at, 2) == "//";
  }

  /// Reads one token's worth of a line.
  void step() {
    char c = block_[at_];
    if (c == '\\') {
      joined_ = rest_is_line_end(at_ + 1);
      at_ += joined_ || at_ + 1 == block_.size() ? 1 : 2;
    } else if (!quote_.empty()) {
      bool closes = block_.substr(at_, quote_.size()) == quote_;
      at_ += closes ? quote_.size() : 1;
      if (closes) quote_ = {};
    } else if (c == '"' || c == '\'') {
      bool triple = block_.substr(at_, 3) == std::string(3, c);
      quote_ = block_.substr(at_, triple ? 3 : 1);
      at_ += quote_.size();
    } else if (starts_comment(at_)) {
      at_ = std::min(block_.find('\n', at_), block_.size());
    } else {
      if (std::string_view("([{").find(c) != std::string_view::npos) ++depth_;
      if (std::string_view(")]}").find(c) != std::string_view::npos)
        depth_ = std::max(0, depth_ - 1);
      ++at_;
    }
  }

  bool rest_is_line_end(std::size_t at) const {
    std::string_view rest = block_.substr(std::min(at, block_.size()));
    return rest.starts_with('\n') || rest.starts_with("\r\n");
  }

  std::string_view block_;
  std::size_t at_ = 0;
  std::string_view quote_;  ///< the delimiter that ends the open string
  int depth_ = 0;           ///< open brackets
  bool joined_ = false;     ///< the last line ended with a backslash
};

std::vector<BlockLine> lines_of(std::string_view block) { return BlockScanner(block).lines(); }

/// One level off: a tab, or four blanks as far as there are any.
std::string_view one_level_less(std::string_view indent) {
  if (indent.ends_with('\t')) return indent.substr(0, indent.size() - 1);
  return indent.substr(0, indent.size() - std::min<std::size_t>(4, indent.size()));
}

/// The indentation at which a block was written: what its statements have in common, in a block of
/// one statement the lines that continue it.
std::string_view base_indent(const std::vector<BlockLine>& lines) {
  using Start = BlockLine::Start;
  bool cut_off =
      !lines.empty() && lines[0].start != Start::kBlank && indent_of(lines[0].text).empty();
  for (Start start : {Start::kStatement, Start::kContinued, Start::kComment}) {
    std::optional<std::string_view> first, common;
    for (std::size_t i = cut_off ? 1 : 0; i < lines.size(); ++i) {
      if (lines[i].start != start) continue;
      std::string_view indent = indent_of(lines[i].text);
      if (!first) first = indent;
      common = common ? common_prefix(*common, indent) : indent;
    }
    if (!common) continue;
    // What belongs to a first line that lost its indentation is one level deeper than it was.
    std::string_view opener = trim(lines[0].text);
    bool belongs = start == Start::kContinued || opener.ends_with(':') || opener.ends_with('{');
    return cut_off && belongs && *first == *common ? one_level_less(*common) : *common;
  }
  return {};
}

/// Four blanks a level become `unit`; what goes beyond stays.
std::string in_units(std::string_view indent, std::string_view unit) {
  if (indent.find('\t') != std::string_view::npos) return std::string(indent);
  std::string result;
  for (std::size_t level = 0; level < indent.size() / 4; ++level) result += unit;
  return result.append(indent.size() % 4, ' ');
}

}  // namespace

std::string in_style(std::string_view block, std::string_view newline, std::string_view unit) {
  using Start = BlockLine::Start;
  std::vector<BlockLine> lines = lines_of(block);
  bool in_fours = std::all_of(lines.begin(), lines.end(), [](const BlockLine& line) {
    return line.start != Start::kStatement || indent_of(line.text).size() % 4 == 0;
  });
  std::string result;
  for (const BlockLine& line : lines) {
    std::string_view indent = indent_of(line.text);
    if (in_fours && line.start != Start::kString) {
      result += in_units(indent, unit);
      result += line.text.substr(indent.size());
    } else {
      result += line.text;
    }
    if (!line.newline.empty()) result += newline;
  }
  return result;
}

std::string reindent(std::string_view block, std::string_view indent) {
  using Start = BlockLine::Start;
  std::vector<BlockLine> lines = lines_of(block);
  std::string_view base = base_indent(lines);
  std::string result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const BlockLine& line = lines[i];
    std::string_view old = indent_of(line.text);
    if (line.start == Start::kString) {
      result += line.text;
    } else if (line.start != Start::kBlank) {
      if (i > 0) result += indent;
      if (i > 0) result += old.substr(common_prefix(old, base).size());
      result += line.text.substr(old.size());
    }
    result += line.newline;
  }
  return result;
}

std::string in_style_of(const SourceFile& file, std::string_view block) {
  return in_style(block, file.newline(), file.indent_unit());
}

}  // namespace suture
