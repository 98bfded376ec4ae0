#include "repair/propose/findings.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "repair/base/text.h"
#include "repair/propose/lookups.h"
#include "repair/propose/matcher.h"
#include "repair/propose/operator.h"
#include "repair/propose/template.h"
#include "repair/syntax/source_tree.h"
#include "repair/syntax/walk_path.h"

namespace suture {
namespace {

/// Where a byte stands. Bytes that are no UTF-8 count as they come.
TextPlace place_of(const SourceFile& file, std::uint32_t byte) {
  int line = file.line_of(byte);
  std::string_view before = file.text().substr(file.line_start(line), byte - file.line_start(line));
  auto characters =
      std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xc0) != 0x80; });
  return {line, int(characters) + 1};
}

/// Whether a comment of the line excuses the pattern.
bool line_excuses(const SourceFile& file, int line, const std::string& pattern) {
  std::string_view text = file.line_text(line);
  std::size_t at = text.find("suture:");
  if (at == std::string_view::npos) return false;
  static const RE2 form(R"(#.*\bsuture:\s*ignore\b(\[([^\]]*)\])?)");
  std::uint32_t byte = file.line_start(line) + std::uint32_t(at);
  if (file.node_at({byte, byte + 1}).kind() != "comment") return false;  // a text that says so
  std::string brackets, ids;
  if (!RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), form, &brackets, &ids))
    return false;
  if (brackets.empty()) return true;
  for (const std::string& id : split(ids, ',')) {
    if (trim(id) == pattern) return true;
  }
  return false;
}

/// One file while its tree is walked.
class Scan {
 public:
  Scan(SourceTree& tree, const SourceFile& file)
      : file_(file), input_{failure_, evidence_, tree, installed_, suspicion_, ""} {}

  void try_pattern(const Pattern& pattern, Node node) {
    static const Bindings nothing;
    for_each_fit(pattern, node, nothing, [&](Bindings bindings) {
      Match match{input_, file_, node, location_, std::move(bindings), pattern.facts.get()};
      double fit = 0;
      if (satisfied(pattern.where, match, fit) && satisfied(pattern.scan->where, match, fit))
        find(pattern, match);
    });
  }

  std::vector<Finding> take() {
    auto key = [](const Finding& f) {
      return std::make_tuple(f.range.start, f.range.end, std::string_view(f.pattern));
    };
    std::stable_sort(findings_.begin(), findings_.end(),
                     [&](auto& a, auto& b) { return key(a) < key(b); });
    // Several snippets may fit one place.
    findings_.erase(std::unique(findings_.begin(), findings_.end(),
                                [&](auto& a, auto& b) { return key(a) == key(b); }),
                    findings_.end());
    return std::move(findings_);
  }

 private:
  void find(const Pattern& pattern, Match& match) {
    Offers offers = offers_of(pattern, match);
    std::string at(pattern.scan->at.starts_with('$') ? hole_name(pattern.scan->at) : "");
    if (offers.contains(at)) {
      for (const Ingredient& place : std::vector<Ingredient>(offers[at])) {
        offers[at] = {place};
        if (place.node) find_at(pattern, match, offers, place.node);
      }
    } else if (Node node = anchor(match, pattern.scan->at)) {
      find_at(pattern, match, offers, node);
    }
  }

  void find_at(const Pattern& pattern, const Match& match, const Offers& offers, Node node) {
    Match bound = match;
    for (const std::string& name : metavariables_of(pattern.scan->message)) {
      auto offer = offers.find(name);
      if (offer == offers.end()) continue;
      if (offer->second.empty()) return;  // nothing to say it about
      bound.bindings[name] = {offer->second.front().text, offer->second.front().node};
    }
    if (excused(pattern, node)) return;
    Finding finding;
    finding.pattern = pattern.id;
    finding.file = file_.path();
    finding.range = node.range();
    finding.start = place_of(file_, finding.range.start);
    finding.end = place_of(file_, finding.range.end);
    finding.line_text = to_valid_utf8(file_.line_text(finding.start.line));
    finding.message = fill_prose(pattern.scan->message, bound.bindings);
    finding.safety = pattern.safety;
    add_fix(pattern, bound, offers, finding);
    findings_.push_back(std::move(finding));
  }

  bool excused(const Pattern& pattern, Node node) const {
    return line_excuses(file_, node.line(), pattern.id) ||
           (node.end_line() != node.line() && line_excuses(file_, node.end_line(), pattern.id));
  }

  /// The first rewrite that can be made here, with the best ingredients.
  void add_fix(const Pattern& pattern, const Match& match, const Offers& offers,
               Finding& finding) const {
    for (const Rewrite& rewrite : pattern.rewrites) {
      for (const Filling& filling : fillings_of(rewrite, offers, 1)) {
        Match filled = match;
        for (const auto& [name, binding] : filling.bindings) filled.bindings[name] = binding;
        auto edits = edits_of(rewrite, filled);
        if (!edits) continue;
        finding.summary = fill_prose(rewrite.summary.empty() ? pattern.summary : rewrite.summary,
                                     filled.bindings);
        for (Edit& edit : *edits) {
          TextPlace start = place_of(file_, edit.range.start),
                    end = place_of(file_, edit.range.end);
          finding.fix.push_back({std::move(edit), start, end});
        }
        return;
      }
    }
  }

  /// Nothing when the rewrite cannot act here, or acts elsewhere, too.
  std::optional<std::vector<Edit>> edits_of(const Rewrite& rewrite, const Match& match) const {
    double fit = 0;
    if (!satisfied(rewrite.where, match, fit)) return std::nullopt;
    TreeEdits edits;
    for (const EditStep& step : rewrite.edits) {
      if (!step.op->apply(match, step.arguments, edits)) return std::nullopt;
    }
    if (edits.size() != 1 || edits.begin()->first != file_.path()) return std::nullopt;
    return std::move(edits.begin()->second);
  }

  const SourceFile& file_;
  Failure failure_;
  Evidence evidence_;
  NothingInstalled installed_;
  SuspicionMap suspicion_{std::vector<Location>{}};
  Location location_;
  ProposeInput input_;
  std::vector<Finding> findings_;
};

}  // namespace

namespace {

/// The names of the calls that a pattern is about; empty when it may be about others, too.
std::set<std::string_view> called_names(const Pattern& pattern) {
  std::set<std::string_view> names;
  for (const Snippet& snippet : pattern.any) {
    if (snippet.called().empty()) return {};
    names.insert(snippet.called());
  }
  return pattern.kinds.empty() ? names : std::set<std::string_view>{};
}

}  // namespace

StaticPatterns::StaticPatterns(const Catalogue& catalogue) {
  for (const Pattern& pattern : catalogue.patterns()) {
    if (!pattern.scan) continue;
    for (Language language : pattern.languages) {
      BySymbol& by_symbol = by_symbol_[language];
      by_symbol.resize(ts_language_symbol_count(grammar(language)));
      for (std::string_view kind : kinds_of(pattern)) {
        TSSymbol symbol = ts_language_symbol_for_name(grammar(language), kind.data(),
                                                      std::uint32_t(kind.size()), true);
        Tried& tried = by_symbol[symbol];
        std::set<std::string_view> names = called_names(pattern);
        if (names.empty()) tried.always.push_back(&pattern);
        for (std::string_view name : names) tried.by_called[std::string(name)].push_back(&pattern);
      }
    }
  }
}

Result<FileFindings> StaticPatterns::in(std::string path, std::string text) const {
  auto language = language_of(path);
  if (!language || !cover(*language)) return FileFindings{};
  if (looks_binary(text)) return fail(ErrorKind::kBadInput, fmt::format("{} is binary", path));
  std::map<std::string, std::string> files;
  files.emplace(path, std::move(text));
  auto tree = SourceTree::in_memory(std::move(files));
  const SourceFile* file = tree->source(path);
  if (file == nullptr)
    return fail(ErrorKind::kUnsupported, fmt::format("{} is larger than 4 MB", path));

  FileFindings result;
  bool broken = file->error_count() > 0;
  if (broken) result.unparsed_line = std::max(file->first_error().line(), 1);
  const BySymbol& by_symbol = by_symbol_.at(*language);
  Scan scan(*tree, *file);
  // The hot loop: a cursor and a table. walk() would cost as much as all matching.
  WalkPath walked(*file);
  TSTreeCursor cursor = ts_tree_cursor_new(file->root().raw());
  for (bool more = true; more;) {
    TSNode raw = ts_tree_cursor_current_node(&cursor);
    TSSymbol symbol = ts_node_symbol(raw);
    if (symbol < by_symbol.size() && !by_symbol[symbol].empty() &&
        !(broken && ts_node_has_error(raw))) {
      const Tried& tried = by_symbol[symbol];
      Node node(raw, file);
      for (const Pattern* pattern : tried.always) scan.try_pattern(*pattern, node);
      if (!tried.by_called.empty()) {
        auto named = tried.by_called.find(called_name(node));
        if (named != tried.by_called.end()) {
          for (const Pattern* pattern : named->second) scan.try_pattern(*pattern, node);
        }
      }
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      walked.down(ts_tree_cursor_current_node(&cursor));
      continue;
    }
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor))) {
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
      walked.up();
    }
    if (more) walked.next(ts_tree_cursor_current_node(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
  result.findings = scan.take();
  return result;
}

}  // namespace suture
