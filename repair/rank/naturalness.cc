#include "repair/rank/naturalness.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "repair/rank/token_model.h"

namespace suture {
namespace {

/// Candidates edit fewer files; the others would cost more than they tell.
constexpr std::size_t kMostFiles = 40;
constexpr double kFarthest = 20;

/// Whole lines of a file that edits change, before and after.
struct ChangedLines {
  std::string_view before;
  std::string after;
};

/// The lines that hold a range, without the last line end.
Range whole_lines(std::string_view text, const Range& range) {
  std::size_t start = range.start == 0 ? std::string_view::npos : text.rfind('\n', range.start - 1);
  return {start == std::string_view::npos ? 0 : std::uint32_t(start + 1),
          std::uint32_t(std::min(text.find('\n', range.end), text.size()))};
}

/// Edits that share a line make one item. Those that lie outside the text are left out.
std::vector<ChangedLines> changed_lines(std::string_view text, std::vector<Edit> edits) {
  std::ranges::stable_sort(edits, {}, &Edit::range);
  std::vector<ChangedLines> changed;
  for (std::size_t i = 0; i < edits.size();) {
    if (edits[i].range.end > text.size()) break;
    Range lines = whole_lines(text, edits[i].range);
    std::vector<Edit> here;
    for (; i < edits.size() && edits[i].range.start <= lines.end; ++i) {
      if (edits[i].range.end > text.size()) break;
      lines.end = std::max(lines.end, whole_lines(text, edits[i].range).end);
      here.push_back(edits[i]);
    }
    for (Edit& edit : here) {
      edit.range.start -= lines.start;
      edit.range.end -= lines.start;
    }
    std::string_view before = text.substr(lines.start, lines.size());
    if (auto after = apply_edits(before, std::move(here)))
      changed.push_back({before, std::move(*after)});
  }
  return changed;
}

/// What is usual in the files of a job.
class Usage {
 public:
  Usage(const std::vector<Candidate>& candidates, SourceTree& tree) : tree_(tree) {
    for (const Candidate& candidate : candidates) {
      for (const auto& [path, edits] : candidate.edits) {
        if (files_.size() >= kMostFiles || files_.contains(path)) continue;
        std::vector<Token> text = tokens_of(tree.bytes(path));
        files_[path].add(text);
        all_.add(text);
      }
    }
  }

  /// By how much a candidate makes its lines more usual, in words never seen.
  double gain(const Candidate& candidate) const {
    double gain = 0;
    for (const auto& [path, edits] : candidate.edits) {
      auto file = files_.find(path);
      if (file == files_.end()) continue;
      for (const ChangedLines& lines : changed_lines(tree_.bytes(path), edits))
        gain += gain_of(lines, file->second);
    }
    return gain;
  }

 private:
  double gain_of(const ChangedLines& lines, const TokenModel& file) const {
    std::vector<Token> before = tokens_of(lines.before);
    TokenModel itself;
    itself.add(before);
    auto likelihood = [&](std::span<const Token> text) {
      double sum = 0;
      for (const TokenModel::Place& place : places_in(text))
        sum += std::log((file.probability(place, itself) + all_.probability(place, itself)) / 2);
      return sum;
    };
    return (likelihood(tokens_of(lines.after)) - likelihood(before)) /
           -std::log(TokenModel::kUnseen);
  }

  SourceTree& tree_;
  std::map<std::string, TokenModel> files_;
  TokenModel all_;
};

}  // namespace

void note_naturalness(std::vector<Candidate>& candidates, SourceTree& tree) {
  Usage usage(candidates, tree);
  for (Candidate& candidate : candidates)
    candidate.features["natural"] = std::clamp(usage.gain(candidate), -kFarthest, kFarthest);
}

}  // namespace suture
