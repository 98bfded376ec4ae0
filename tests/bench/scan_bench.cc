// All static patterns over all Python of a folder, beside tree-sitter's parse alone, in one run
// over the same bytes; and ast-grep with one pattern, where it is on PATH. Prints JSON.
//   scan_bench FOLDER [PATTERNS]
// CPU seconds, of one thread here and of the whole process for ast-grep, which also reads the
// files.

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "repair/base/clock.h"
#include "repair/base/file.h"
#include "repair/propose/catalogue.h"
#include "repair/scan/scan.h"

namespace {

using namespace suture;

struct Source {
  std::string path, text;
};

void parse_plainly(const std::vector<Source>& sources) {
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, grammar(Language::kPython));
  for (const Source& source : sources) {
    ts_tree_delete(ts_parser_parse_string(parser, nullptr, source.text.data(),
                                          std::uint32_t(source.text.size())));
  }
  ts_parser_delete(parser);
}

/// The least of a few times: what the machine does besides only adds.
template <class Work>
double least_cpu(Work work) {
  SystemClock clock;
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    double start = clock.own_cpu_seconds();
    work();
    least = std::min(least, clock.own_cpu_seconds() - start);
  }
  return least;
}

double children_cpu() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Negative when there is no ast-grep.
double ast_grep_cpu(const std::string& folder) {
  if (std::system("command -v ast-grep >/dev/null 2>&1") != 0) return -1;
  double start = children_cpu();
  std::string command = "ast-grep run --lang python --threads 1 --pattern '$A == None' '" + folder +
                        "' >/dev/null 2>&1";
  int status = std::system(command.c_str());
  return status == -1 ? -1 : children_cpu() - start;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: scan_bench FOLDER [PATTERNS]\n"), 2;
  SystemClock clock;
  double start = clock.own_cpu_seconds();
  auto catalogue = Catalogue::load_static({argc > 2 ? argv[2] : SUTURE_SOURCE_DIR "/patterns"});
  double loaded = clock.own_cpu_seconds();
  if (!catalogue) return std::fprintf(stderr, "%s\n", catalogue.error().display().c_str()), 1;
  StaticPatterns patterns(*catalogue);
  auto listed = sources_to_scan({argv[1]}, patterns);
  if (!listed) return std::fprintf(stderr, "%s\n", listed.error().display().c_str()), 1;
  double found = clock.own_cpu_seconds();

  std::vector<Source> sources;
  std::size_t bytes = 0, findings = 0;
  for (const ScanSource& source : *listed) {
    auto text = read_file(source.folder / source.path);
    if (!text) continue;
    bytes += text->size();
    sources.push_back({source.path, std::move(*text)});
  }
  double parse = least_cpu([&] { parse_plainly(sources); });
  double scan = least_cpu([&] {
    findings = 0;
    for (const Source& source : sources) {
      auto result = patterns.in(source.path, source.text);
      if (result) findings += result->findings.size();
    }
  });
  double other = ast_grep_cpu(argv[1]);
  fmt::print(
      "{{\"files\": {}, \"megabytes\": {:.2f}, \"patterns\": {}, \"findings\": {}, "
      "\"load_cpu_s\": {:.3f}, \"list_cpu_s\": {:.3f}, \"parse_cpu_s\": {:.3f}, "
      "\"scan_cpu_s\": {:.3f}, \"ratio\": {:.2f}, \"ast_grep_one_pattern_cpu_s\": {}}}\n",
      sources.size(), double(bytes) / 1e6, catalogue->patterns().size(), findings, loaded - start,
      found - loaded, parse, scan, scan / parse, other < 0 ? "null" : fmt::format("{:.3f}", other));
  return 0;
}
