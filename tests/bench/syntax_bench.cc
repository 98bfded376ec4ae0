// syntax_bench <folder> [name...]: CPU seconds of reading a tree of Python, as one JSON object.
// Beside suture's own parse stands tree-sitter's alone, in the same run over the same bytes.

#include <ctime>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "repair/syntax/edit.h"
#include "repair/syntax/scope.h"
#include "repair/syntax/source_tree.h"

namespace suture {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <class Work>
double timed(Work work) {
  double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

void parse_plainly(const std::vector<std::string_view>& texts) {
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, grammar(Language::kPython));
  for (std::string_view text : texts) {
    ts_tree_delete(ts_parser_parse_string(parser, nullptr, text.data(),
                                          static_cast<std::uint32_t>(text.size())));
  }
  ts_parser_delete(parser);
}

std::unique_ptr<SourceTree> open_tree(const char* folder) {
  auto tree = SourceTree::open(folder);
  if (!tree) {
    std::cerr << tree.error().display() << "\n";
    std::exit(2);
  }
  return std::move(*tree);
}

/// A candidate's share: one edit of the largest file, applied and checked. Milliseconds each.
double edit_milliseconds(const SourceFile& file) {
  constexpr int kTimes = 20;
  Node last = file.root().named_child(file.root().named_child_count() - 1);
  return timed([&] {
           for (int i = 0; i < kTimes; ++i) {
             auto text = apply_edits(file.text(), {insert_before(last, "if x:\n    pass")});
             if (!text || !check_syntax(file, *text)) std::abort();
           }
         }) *
         1000 / kTimes;
}

int run(int argc, char** argv) {
  nlohmann::json result;
  std::unique_ptr<SourceTree> tree;
  result["list_s"] = timed([&] { tree = open_tree(argv[1]); });

  std::vector<std::string> paths;
  std::vector<std::string_view> texts;
  std::size_t bytes = 0;
  result["read_s"] = timed([&] {
    for (const std::string& path : tree->paths()) {
      if (language_of(path) != Language::kPython) continue;
      paths.push_back(path);
      texts.push_back(tree->bytes(path));
      bytes += texts.back().size();
    }
  });
  result["files"] = paths.size();
  result["megabytes"] = static_cast<double>(bytes) * 1e-6;

  for (int i = 2; i < argc; ++i) {
    std::string name = argv[i];
    std::size_t found = 0, mentioned = 0;
    double mention = timed([&] { mentioned = tree->files_mentioning(name).size(); });
    double first = timed([&] { found = tree->definitions(name).size(); });
    double again = timed([&] { tree->definitions(name); });
    result["search"][name] = {{"files_mentioning_s", mention},
                              {"files", mentioned},
                              {"definitions_first_s", first},
                              {"definitions_warm_s", again},
                              {"definitions", found}};
  }

  result["tree_sitter_parse_s"] = timed([&] { parse_plainly(texts); });
  std::unique_ptr<SourceTree> fresh = open_tree(argv[1]);
  for (const std::string& path : paths) fresh->bytes(path);
  result["source_s"] = timed([&] {
    for (const std::string& path : paths) fresh->source(path);
  });
  result["outline_s"] = timed([&] {
    for (const std::string& path : paths) fresh->outline(path);
  });
  std::size_t nodes = 0, unresolved = 0;
  const SourceFile* largest = nullptr;
  result["walk_s"] = timed([&] {
    for (const std::string& path : paths) {
      const SourceFile* file = fresh->source(path);
      if (file == nullptr) continue;
      if (file->error_count() == 0 &&
          (largest == nullptr || file->text().size() > largest->text().size())) {
        largest = file;
      }
      walk(file->root(), [&](Node) { return ++nodes != 0; });
    }
  });
  result["nodes"] = nodes;
  result["unresolved_names_s"] = timed([&] {
    for (const std::string& path : paths) {
      if (const SourceFile* file = fresh->source(path))
        unresolved += unresolved_names(*file).size();
    }
  });
  result["unresolved_names"] = unresolved;
  if (largest != nullptr) {
    result["edit"] = {{"file", largest->path()},
                      {"kilobytes", static_cast<double>(largest->text().size()) * 1e-3},
                      {"apply_and_check_ms", edit_milliseconds(*largest)}};
  }
  std::cout << result.dump(2) << "\n";
  return 0;
}

}  // namespace
}  // namespace suture

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: syntax_bench <folder> [name...]\n";
    return 2;
  }
  return suture::run(argc, argv);
}
