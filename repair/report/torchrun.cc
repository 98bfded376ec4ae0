#include "repair/report/torchrun.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "repair/base/text.h"

namespace suture::report {
namespace {

constexpr std::size_t kMaxPrefix = 80;
// "worker-1: [rank0]: ..." behind a timestamp: nobody stacks more.
constexpr int kMaxStacked = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the timestamp off that CI services and container runtimes put before each line:
/// `2024-01-02T03:04:05.123Z `, with `job<TAB>step<TAB>` of `gh run view --log` before it and
/// `stderr F ` of a kubelet behind it. A space as separator is a log record's own and stays.
std::string_view strip_timestamp(std::string_view text) {
  static const RE2 kStamp(
      R"((?:[^\t]{0,200}\t[^\t]{0,200}\t\x{FEFF}?)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?Z ?)"
      R"((?:(?:stdout|stderr) [FP] ?)?)");
  bool is_likely = !text.empty() && (is_digit(text[0]) || text.find('\t') < 200);
  if (!is_likely) return text;
  re2::StringPiece piece(text.data(), text.size()), stamp;
  if (!kStamp.Match(piece, 0, piece.size(), RE2::ANCHOR_START, &stamp, 1)) return text;
  return text.substr(stamp.size());
}

/// The length of what may be a process's prefix at the start of a line, its blank not counted; 0
/// when there is none.
std::size_t prefix_length(std::string_view text) {
  text = text.substr(0, kMaxPrefix);
  std::size_t start = text.find_first_not_of(' ');
  if (start == std::string_view::npos || start > 8) return 0;
  if (text[start] == '[' || text[start] == '(') {
    std::size_t close = text.find(text[start] == '[' ? ']' : ')', start);
    if (close == std::string_view::npos) return 0;
    bool has_colon = close + 1 < text.size() && text[close + 1] == ':';
    return close + (has_colon ? 2 : 1);
  }
  std::size_t end = start;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                               text[end] == '.' || text[end] == '-' || text[end] == '_')) {
    ++end;
  }
  if (end == start) return 0;
  if (end < text.size() && text[end] == ':') return end + 1;
  std::size_t bar = text.find_first_not_of(' ', end);
  bool is_compose = bar != std::string_view::npos && bar > end && text[bar] == '|';
  return is_compose ? bar + 1 : 0;
}

/// Whether a prefix is one that only processes of a distributed run have: "[rank0]:",
/// "[default3]:".
bool names_rank(std::string_view prefix) {
  static const RE2 kRank(
      R"(\s*\[(?i:rank|default|trainer|worker|local_rank|rank:|rank=)[ =]?\d{1,6}\]:?)");
  return prefix.find('[') != std::string_view::npos &&
         RE2::FullMatch(re2::StringPiece(prefix.data(), prefix.size()), kRank);
}

/// The number in "[rank0]:" or "  3:"; -1 when a prefix has none or is a host's or worker's name.
int rank_of(std::string_view prefix) {
  static const RE2 kNumber(R"(\s*(?:\[\D{0,20})?(\d{1,6})\]?:?)");
  int rank = -1;
  RE2::FullMatch(re2::StringPiece(prefix.data(), prefix.size()), kNumber, &rank);
  return rank;
}

/// The prefixes that ordinary text may have too, learned from the tracebacks behind them.
class KnownPrefixes {
 public:
  explicit KnownPrefixes(const std::vector<LogLine>& lines) {
    std::unordered_set<std::string> heads, frames;
    for (const LogLine& line : lines) {
      if (line.text.find("Traceback (most") != line.text.npos) note(line.text, "Traceback", heads);
      if (line.text.find("File \"") != line.text.npos) note(line.text, "  File \"", frames);
    }
    for (const std::string& head : heads) {
      if (frames.contains(head)) known_.insert(head);
    }
  }

  bool contains(std::string_view prefix) const {
    return names_rank(prefix) || (!known_.empty() && known_.contains(std::string(prefix)));
  }

  /// Whether lines go on right behind the prefix ("[default0]:Traceback"), not one blank further
  /// ("[rank0]: Traceback").
  bool is_tight(std::string_view prefix) const {
    return !tight_.empty() && tight_.contains(std::string(prefix));
  }

 private:
  /// Notes the prefixes of a line where `what` comes right behind the last one.
  void note(std::string_view text, std::string_view what,
            std::unordered_set<std::string>& prefixes) {
    std::vector<std::string_view> seen;
    for (int i = 0; i < kMaxStacked; ++i) {
      text = strip_timestamp(text);
      std::size_t length = prefix_length(text);
      if (length == 0) break;
      seen.push_back(text.substr(0, length));
      text.remove_prefix(length);
      bool is_tight = text.starts_with(what);
      bool is_loose = text.starts_with(' ') && text.substr(1).starts_with(what);
      if (is_tight || is_loose) {
        for (std::string_view each : seen) prefixes.emplace(each);
      }
      if (is_tight) tight_.emplace(seen.back());
      if (text.starts_with(' ')) text.remove_prefix(1);
    }
  }

  std::unordered_set<std::string> known_;
  std::unordered_set<std::string> tight_;
};

/// A line's prefixes, joined, and what stands behind them.
struct Prefixed {
  std::string key;
  int rank = -1;
  std::string_view text;
};

Prefixed take_prefixes(std::string_view text, const KnownPrefixes& known) {
  Prefixed result{{}, -1, strip_timestamp(text)};
  for (int i = 0; i < kMaxStacked; ++i) {
    std::size_t length = prefix_length(result.text);
    if (length == 0) break;
    std::string_view prefix = result.text.substr(0, length);
    if (!known.contains(prefix)) break;
    result.key += prefix;
    result.rank = std::max(result.rank, rank_of(prefix));
    result.text = strip_timestamp(result.text.substr(length));
    bool has_own_blank = result.text.starts_with(' ') && !known.is_tight(prefix);
    if (has_own_blank) result.text.remove_prefix(1);
  }
  return result;
}

}  // namespace

std::vector<LogStream> split_streams(const std::vector<LogLine>& lines) {
  KnownPrefixes known(lines);
  std::vector<LogStream> streams;
  std::unordered_map<std::string, std::size_t> index;
  for (const LogLine& line : lines) {
    Prefixed prefixed = take_prefixes(line.text, known);
    auto [place, is_new] = index.try_emplace(std::move(prefixed.key), streams.size());
    if (is_new) streams.push_back({prefixed.rank, {}});
    streams[place->second].lines.push_back({prefixed.text, line.number});
  }
  return streams;
}

std::optional<int> root_cause_rank(Lines lines) {
  static const RE2 kRank(R"(\s*rank\s*: (\d{1,6})\b.*)");
  constexpr std::size_t kSummaryLines = 8;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].text.find("Root Cause (first observed failure)") == std::string_view::npos)
      continue;
    for (std::size_t j = i + 1; j < std::min(lines.size(), i + kSummaryLines); ++j) {
      int rank = -1;
      std::string_view text = lines[j].text;
      if (RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kRank, &rank)) return rank;
    }
  }
  return std::nullopt;
}

}  // namespace suture::report
