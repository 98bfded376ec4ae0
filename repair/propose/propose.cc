#include "repair/propose/propose.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/matcher.h"
#include "repair/propose/silencing.h"
#include "repair/propose/template.h"

namespace suture {
namespace {

/// A pattern that the failure makes plausible, with what its message bound.
struct Plausible {
  const Pattern* pattern;
  Bindings bindings;
  double weight;  ///< of the clause
  bool specific;  ///< a clause asked for this failure
};

/// A match whose ingredients have not been asked for yet.
struct Pending {
  const Plausible* plausible;
  Match match;
  double fit = 0;
  double in_range = 0.5;
  double bound = 0;  ///< no candidate of the match scores better
};

/// Binds the named groups of a clause's message; false when the message does not fit.
bool match_message(const re2::RE2& expression, const std::string& message, Bindings& bindings) {
  int groups = expression.NumberOfCapturingGroups();
  std::vector<re2::StringPiece> found(std::size_t(groups) + 1);
  if (!expression.Match(message, 0, message.size(), re2::RE2::UNANCHORED, found.data(), groups + 1))
    return false;
  for (const auto& [name, index] : expression.NamedCapturingGroups()) {
    if (found[std::size_t(index)].data() != nullptr) {
      bindings[name] = {
          std::string(found[std::size_t(index)].data(), found[std::size_t(index)].size()), {}};
    }
  }
  return true;
}

/// The failure as the pattern's clauses may see it: the one that ended the check and what caused
/// it.
struct Symptom {
  FailureKind kind;
  std::string type, message;
};

std::vector<Symptom> symptoms_of(const ProposeInput& input) {
  std::vector<Symptom> symptoms = {
      {input.failure.kind, std::string(input.failure.type_name()), input.failure.message}};
  auto add = [&](std::string_view type, const std::string& message) {
    std::string name(
        type.substr(type.rfind('.') == std::string_view::npos ? 0 : type.rfind('.') + 1));
    FailureKind kind =
        name == "AssertionError"                                 ? FailureKind::kAssertion
        : name == "ImportError" || name == "ModuleNotFoundError" ? FailureKind::kImport
        : name == "SyntaxError" || name == "IndentationError"    ? FailureKind::kSyntax
                                                                 : FailureKind::kException;
    for (const Symptom& known : symptoms) {
      if (known.type == name && known.message == message) return;
    }
    symptoms.push_back({kind, std::move(name), message});
  };
  for (const LiveException& exception : input.evidence.exceptions)
    add(exception.type, exception.message);
  for (const ExceptionRecord& cause : input.failure.causes) add(cause.type, cause.message);
  for (const LiveException& exception : input.evidence.swallowed)
    add(exception.type, exception.message);
  return symptoms;
}

std::vector<Plausible> plausible_patterns(const ProposeInput& input, const Catalogue& catalogue) {
  std::vector<Symptom> symptoms = symptoms_of(input);
  std::vector<Plausible> plausible;
  for (const Pattern& pattern : catalogue.patterns()) {
    if (!pattern.repairs()) continue;
    if (pattern.when.empty()) {
      plausible.push_back({&pattern, {}, 1, false});
      continue;
    }
    for (const WhenClause& clause : pattern.when) {
      double weight = clause.weight;
      for (const Symptom& symptom : symptoms) {
        Plausible found{&pattern, {}, weight, clause.message != nullptr};
        bool fits = (clause.kinds.empty() || clause.kinds.contains(symptom.kind)) &&
                    (clause.types.empty() || clause.types.contains(symptom.type)) &&
                    (clause.message == nullptr ||
                     match_message(*clause.message, symptom.message, found.bindings));
        if (fits) {
          plausible.push_back(std::move(found));
          break;
        }
        weight = clause.weight * 0.4;  // a symptom that is not the one that ended the check
      }
      if (!plausible.empty() && plausible.back().pattern == &pattern) break;
    }
  }
  return plausible;
}

/// How the node lies to the instruction that was running in its frame: 1 inside or around it
/// closely, 0 outside, 0.5 when nothing is known.
double range_fit(const ProposeInput& input, const SourceFile& file, Node node) {
  const LiveException* failure = input.evidence.failure();
  if (failure == nullptr) return 0.5;
  for (auto frame = failure->frames.rbegin(); frame != failure->frames.rend(); ++frame) {
    bool covers = frame->in_tree && frame->file == file.path() && node.line() <= frame->at.line &&
                  frame->at.line <= node.end_line();
    if (!covers) continue;
    if (!frame->at.has_columns()) return 0.5;
    Range running{file.line_start(frame->at.line) + std::uint32_t(frame->at.column),
                  file.line_start(frame->at.end_line) + std::uint32_t(frame->at.end_column)};
    return node.range().overlaps(running) ? 1 : 0;
  }
  return 0.5;
}

class Search {
 public:
  Search(const ProposeInput& input, const Catalogue& catalogue, const ProposeLimits& limits)
      : input_(input), limits_(limits), plausible_(plausible_patterns(input, catalogue)) {}

  std::vector<Candidate> run() {
    std::vector<std::string> files = input_.suspicion.files();
    if (files.size() > limits_.files) files.resize(limits_.files);
    for (const std::string& path : files) {
      if (const SourceFile* file = input_.tree.source(path)) find_matches(*file);
    }
    std::stable_sort(pending_.begin(), pending_.end(),
                     [](auto& a, auto& b) { return a->bound > b->bound; });
    for (const auto& pending : pending_) {
      if (candidates_.size() >= limits_.candidates) break;
      expand(*pending);
    }
    return std::move(candidates_);
  }

 private:
  using ByKind = std::map<std::string_view, std::vector<const Plausible*>>;

  ByKind patterns_by_kind(Language language) const {
    ByKind by_kind;
    for (const Plausible& plausible : plausible_) {
      const Pattern& pattern = *plausible.pattern;
      if (std::find(pattern.languages.begin(), pattern.languages.end(), language) ==
          pattern.languages.end())
        continue;
      for (std::string_view kind : kinds_of(pattern)) by_kind[kind].push_back(&plausible);
    }
    return by_kind;
  }

  /// The most suspicious location within a node's lines; null when there is none.
  const Location* most_suspicious(const SourceFile& file, Node node) const {
    const Location* best = nullptr;
    for (const Location& location : input_.suspicion.locations()) {
      bool inside = location.file == file.path() && node.line() <= location.line &&
                    location.line <= node.end_line();
      if (inside && (best == nullptr || location.suspiciousness > best->suspiciousness))
        best = &location;
    }
    return best;
  }

  void find_matches(const SourceFile& file) {
    ByKind by_kind = patterns_by_kind(file.language());
    const auto& locations = input_.suspicion.locations();
    auto of_file = std::find_if(locations.begin(), locations.end(), [&](const Location& location) {
      return location.file == file.path();
    });
    const Location* best = of_file == locations.end() ? nullptr : &*of_file;
    walk(file.root(), [&](Node node) {
      if (!input_.suspicion.touches(file.path(), node.line(), node.end_line())) return false;
      auto patterns = by_kind.find(node.kind());
      if (patterns == by_kind.end() || !node.named()) return true;
      const Location* location =
          node.kind() == "module" ? best : input_.suspicion.at(file.path(), node.line());
      // A function or class is as suspicious as what is in it.
      if (location == nullptr && node.is({"function_definition", "class_definition"})) {
        location = most_suspicious(file, node);
      }
      if (location == nullptr) return true;
      for (const Plausible* plausible : patterns->second)
        try_pattern(*plausible, file, node, *location);
      return true;
    });
  }

  void try_pattern(const Plausible& plausible, const SourceFile& file, Node node,
                   const Location& location) {
    const Pattern& pattern = *plausible.pattern;
    if (!pattern.at.empty() && !location.roles.any_of(pattern.at)) return;
    for_each_fit(pattern, node, plausible.bindings, [&](Bindings bindings) {
      note(plausible, file, node, location, std::move(bindings));
    });
  }

  void note(const Plausible& plausible, const SourceFile& file, Node node, const Location& location,
            Bindings bindings) {
    const Pattern& pattern = *plausible.pattern;
    auto pending = std::make_unique<Pending>(Pending{
        &plausible, Match{input_, file, node, location, std::move(bindings), pattern.facts.get()}});
    pending->in_range = range_fit(input_, file, node);
    if (!satisfied(pattern.where, pending->match, pending->fit)) return;
    pending->bound = std::log(pattern.prior_for(input_.failure.kind) * plausible.weight) +
                     std::log(location.suspiciousness) + pending->fit + pending->in_range;
    pending_.push_back(std::move(pending));
  }

  void expand(const Pending& pending) {
    const Pattern& pattern = *pending.plausible->pattern;
    Offers offers = offers_of(pattern, pending.match);
    for (const Rewrite& rewrite : pattern.rewrites) {
      for (auto& [bindings, weight] : fillings_of(rewrite, offers, limits_.per_match)) {
        Match match = pending.match;
        for (auto& [name, binding] : bindings) match.bindings[name] = binding;
        make_candidate(pending, match, rewrite, weight);
      }
    }
  }

  void make_candidate(const Pending& pending, Match& match, const Rewrite& rewrite, double weight) {
    double fit = pending.fit;
    bool bound = std::ranges::all_of(
        rewrite.needs, [&](const std::string& name) { return match.bindings.contains(name); });
    if (!bound || !satisfied(rewrite.where, match, fit)) return;
    Candidate candidate;
    for (const EditStep& step : rewrite.edits) {
      if (!step.op->apply(match, step.arguments, candidate.edits)) return;
    }
    auto digest = normalised_digest(candidate.edits, input_.tree);
    if (!digest) return;
    const Pattern& pattern = *pending.plausible->pattern;
    candidate.id = *digest;
    candidate.pattern = pattern.id;
    candidate.rewrite = rewrite.name;
    candidate.family = pattern.family;
    candidate.location = match.location;
    candidate.location.line = match.node.line();
    candidate.location.end_line = match.node.end_line();
    candidate.summary =
        fill_prose(rewrite.summary.empty() ? pattern.summary : rewrite.summary, match.bindings);
    candidate.cause =
        fill_prose(pattern.cause.empty() ? pattern.rationale : pattern.cause, match.bindings);
    candidate.silencing = silencing_of(pattern, rewrite, candidate);
    candidate.features = {
        {"prior", std::log(pattern.prior_for(input_.failure.kind) * pending.plausible->weight *
                           rewrite.weight)},
        {"suspicion", std::log(match.location.suspiciousness)},
        {"ingredient", std::log(weight)},
        {"fit", fit},
        {"in_range", pending.in_range},
        {"specific", pending.plausible->specific ? 1.0 : 0.0},
        {"mentioned", mentions_new_name(candidate) ? 1.0 : 0.0},
        {"edits", double(different_edits(candidate))},
    };
    keep(std::move(candidate));
  }

  /// The same edit at ten places is one idea.
  std::size_t different_edits(const Candidate& candidate) const {
    std::set<std::pair<std::string_view, std::string_view>> changes;
    for (const auto& [path, edits] : candidate.edits) {
      for (const Edit& edit : edits)
        changes.emplace(input_.tree.bytes(path).substr(edit.range.start, edit.range.size()),
                        edit.text);
    }
    return changes.size();
  }

  Silencing silencing_of(const Pattern& pattern, const Rewrite& rewrite,
                         const Candidate& candidate) const {
    if (pattern.silencing) return *pattern.silencing;
    for (const std::string& name : rewrite.holes) {
      for (const Hole& hole : pattern.holes) {
        if (hole.name == name && hole.provider->name == "expected_values")
          return Silencing::kEchoesCheck;
      }
    }
    return judge_silencing(candidate, input_.tree);
  }

  /// Whether the edits bring an identifier that the check's text or the message names.
  bool mentions_new_name(const Candidate& candidate) const {
    for (const auto& [path, edits] : candidate.edits) {
      std::string_view old = input_.tree.bytes(path);
      for (const Edit& edit : edits) {
        std::string_view replaced = old.substr(edit.range.start, edit.range.size());
        for (std::string_view word : identifiers(edit.text)) {
          if (word.size() < 3 || mentions_word(replaced, word)) continue;
          static const std::set<std::string_view> common = {
              "None",   "True", "False",      "not",     "and", "self",
              "return", "for",  "isinstance", "getattr", "len"};
          if (common.contains(word)) continue;
          if (mentions_word(input_.failure.message, word) || mentions_word(input_.check_text, word))
            return true;
        }
      }
    }
    return false;
  }

  /// Keeps a candidate once: of equal diffs the one from the more plausible pattern.
  void keep(Candidate candidate) {
    auto [at, added] = by_id_.try_emplace(candidate.id, candidates_.size());
    if (added) {
      candidates_.push_back(std::move(candidate));
      return;
    }
    Candidate& kept = candidates_[at->second];
    auto merit = [](const Candidate& c) {
      return c.features.at("prior") + c.features.at("ingredient") + c.features.at("fit") +
             c.features.at("suspicion");
    };
    if (merit(candidate) > merit(kept)) kept = std::move(candidate);
  }

  const ProposeInput& input_;
  const ProposeLimits limits_;
  std::vector<Plausible> plausible_;
  std::vector<std::unique_ptr<Pending>> pending_;
  std::vector<Candidate> candidates_;
  std::map<std::string, std::size_t> by_id_;
};

}  // namespace

std::vector<Candidate> propose(const ProposeInput& input, const Catalogue& catalogue,
                               const ProposeLimits& limits) {
  return Search(input, catalogue, limits).run();
}

Result<ParsedFiles> materialise(Candidate& candidate, SourceTree& tree) {
  ParsedFiles parsed;
  for (const auto& [path, edits] : candidate.edits) {
    const SourceFile* file = tree.source(path);
    if (file == nullptr) return fail(ErrorKind::kBadInput, "the file " + path + " cannot be read");
    TRY(std::string edited, apply_edits(file->text(), edits));
    TRY(parsed[path], parse_edited(*file, edited));
    candidate.files[path] = std::move(edited);
  }
  return parsed;
}

}  // namespace suture
