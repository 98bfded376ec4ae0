// All patterns over all Python of a folder, beside tree-sitter's parse alone, in one run. Prints
// JSON.
//   propose_bench FOLDER [PATTERNS]
// Every line counts as executed and failing with an unknown wrong value, so that every pattern that
// needs no special message is tried at every node. Matching is measured; ingredients are asked for
// in a search only where a match is promising.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "repair/base/clock.h"
#include "repair/propose/catalogue.h"
#include "repair/propose/propose.h"

namespace {

using namespace suture;

SuspicionMap everything(SourceTree& tree, std::size_t& bytes) {
  std::vector<Location> locations;
  for (const std::string& path : tree.paths()) {
    if (language_of(path) != Language::kPython) continue;
    std::string_view text = tree.bytes(path);
    bytes += text.size();
    int lines = 1 + int(std::count(text.begin(), text.end(), '\n'));
    Location location;
    location.file = path;
    location.suspiciousness = 0.5;
    location.roles = {Role::kFailing, Role::kExecuted, Role::kReturned, Role::kModule};
    for (location.line = 1; location.line <= lines; ++location.line) {
      location.end_line = location.line;
      locations.push_back(location);
    }
  }
  return SuspicionMap(std::move(locations));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: propose_bench FOLDER [PATTERNS]\n"), 2;
  auto catalogue = Catalogue::load({argc > 2 ? argv[2] : SUTURE_SOURCE_DIR "/patterns"});
  auto tree = SourceTree::open(argv[1]);
  if (!catalogue || !tree) return std::fprintf(stderr, "cannot load\n"), 1;
  SystemClock clock;
  std::size_t bytes = 0;
  SuspicionMap suspicion = everything(**tree, bytes);

  double start = clock.own_cpu_seconds();
  for (const std::string& path : suspicion.files()) (*tree)->source(path);
  double parsed = clock.own_cpu_seconds();

  Failure failure;
  failure.kind = FailureKind::kAssertion;
  failure.type = "AssertionError";
  Evidence evidence;
  NothingInstalled installed;
  ProposeInput input{failure, evidence, **tree, installed, suspicion, ""};
  ProposeLimits limits;
  limits.files = suspicion.files().size();
  limits.candidates = 0;
  propose(input, *catalogue, limits);
  double matched = clock.own_cpu_seconds();

  fmt::print(
      "{{\"megabytes\": {:.2f}, \"patterns\": {}, \"parse_cpu_s\": {:.3f}, \"match_cpu_s\": "
      "{:.3f}, \"ratio\": {:.2f}}}\n",
      double(bytes) / 1e6, catalogue->patterns().size(), parsed - start, matched - parsed,
      (matched - start) / (parsed - start));
  return 0;
}
