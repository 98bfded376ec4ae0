#include "client/present/reliability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "repair/job.h"

namespace suture {
namespace {

/// Of some patches: how many there are of each label, and the sum of their confidences.
struct Tally {
  std::size_t right = 0, partly = 0, wrong = 0;
  double confidence = 0;

  std::size_t all() const { return right + partly + wrong; }
};

Tally tally(const ConfidenceModel::HeldOut& held_out, double low, double high) {
  Tally tally;
  auto count = [&](const std::vector<double>& values) {
    std::size_t count = 0;
    for (double value : values) {
      if (value < low || value >= high) continue;
      ++count;
      tally.confidence += value;
    }
    return count;
  };
  tally.right = count(held_out.right);
  tally.partly = count(held_out.partly);
  tally.wrong = count(held_out.wrong);
  return tally;
}

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "" : fmt::format("{:.0f} %", 100.0 * double(part) / double(whole));
}

}  // namespace

std::string reliability_tables(const ConfidenceModel::HeldOut& held_out) {
  constexpr double kBounds[] = {0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01};
  std::string text =
      "| confidence | patches | mean confidence | right | partly right | wrong |\n"
      "|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i + 1 < std::size(kBounds); ++i) {
    Tally in = tally(held_out, kBounds[i], kBounds[i + 1]);
    if (in.all() == 0) continue;
    text += fmt::format("| {:.1f} to {:.1f} | {} | {:.2f} | {} ({}) | {} | {} |\n", kBounds[i],
                        std::min(kBounds[i + 1], 1.0), in.all(), in.confidence / double(in.all()),
                        in.right, percent(in.right, in.all()), in.partly, in.wrong);
  }
  text +=
      "\n| threshold | shown | of these right | or partly | withheld | of these right |\n"
      "|---|---|---|---|---|---|\n";
  for (double threshold : {0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7}) {
    Tally shown = tally(held_out, threshold, 2), withheld = tally(held_out, 0, threshold);
    bool chosen = std::abs(threshold - RepairRequest().confidence_threshold) < 0.005;
    text += fmt::format("| {:.2f}{} | {} | {} | {} | {} | {} |\n", threshold,
                        chosen ? " (default)" : "", shown.all(), percent(shown.right, shown.all()),
                        percent(shown.right + shown.partly, shown.all()), withheld.all(),
                        percent(withheld.right, withheld.all()));
  }
  return text;
}

std::string confidence_page(const ConfidenceModel& model) {
  std::string text =
      "# Confidence\n\n"
      "<!-- Generated: suture patterns confidence > patterns/CONFIDENCE.md -->\n\n"
      "The confidence of a patch is the chance that it is right: that it behaves as the "
      "maintainers' own\nchange would, not only that it makes the check pass. It is a logistic "
      "model over named evidence\n(`confidence.yaml`), fitted by `suture calibrate`. Patches that "
      "may only silence the check have 0.1 at\nmost, whatever the evidence says, and are never "
      "shown.\n\n"
      "| evidence | weight | what it is |\n|---|---|---|\n";
  for (const EvidenceMeaning& evidence : evidence_meanings()) {
    auto weight = model.model.weights.find(std::string(evidence.name));
    if (weight != model.model.weights.end())
      text +=
          fmt::format("| `{}` | {:.2f} | {} |\n", evidence.name, weight->second, evidence.meaning);
  }
  text += fmt::format("| | {:.2f} | always |\n\n## How reliable it is\n\n", model.model.intercept);
  const ConfidenceModel::HeldOut& held_out = model.held_out;
  std::size_t all = held_out.right.size() + held_out.partly.size() + held_out.wrong.size();
  if (all == 0) return text + "It was not measured.\n";
  return text +
         fmt::format(
             "{} patches that make the checks of historical bugs pass, one a bug, were read beside "
             "the\nmaintainers' changes: {} are right, {} a part of what is right, {} wrong. Each "
             "got its confidence from a\nmodel that was fitted to the patches for all other "
             "projects.\n\n",
             all, held_out.right.size(), held_out.partly.size(), held_out.wrong.size()) +
         reliability_tables(held_out);
}

}  // namespace suture
