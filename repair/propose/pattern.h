#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "repair/locate/location.h"
#include "repair/propose/arguments.h"
#include "repair/propose/candidate.h"
#include "repair/propose/facts.h"
#include "repair/propose/operator.h"
#include "repair/propose/predicate.h"
#include "repair/propose/provider.h"
#include "repair/propose/snippet.h"
#include "repair/report/failure.h"
#include "repair/syntax/source_file.h"

namespace re2 {
class RE2;
}

namespace suture {

/// The evidence that makes a pattern plausible. All that is given must hold.
struct WhenClause {
  std::set<FailureKind> kinds;        ///< empty: any
  std::set<std::string> types;        ///< exception classes without module; empty: any
  std::shared_ptr<re2::RE2> message;  ///< searched in the message; named groups become bindings
  double weight = 1;                  ///< of a match through this clause
};

struct PredicateUse {
  const Predicate* predicate = nullptr;
  Arguments arguments;
  bool negated = false;
};

struct Hole {
  std::string name;
  const Provider* provider = nullptr;
  Arguments arguments;
  std::size_t limit = 8;  ///< best ingredients kept
};

struct EditStep {
  const Operator* op = nullptr;
  Arguments arguments;
};

/// One way to change the code at a match.
struct Rewrite {
  std::string name;
  std::vector<PredicateUse> where;
  std::vector<EditStep> edits;
  std::vector<std::string> holes;  ///< names of the holes that its edits and arguments use
  /// Names that its edits use. One alternative of the match may bind what another does not: then
  /// the rewrite is not for that match.
  std::vector<std::string> needs;
  std::string summary;  ///< overrides the pattern's
  double weight = 1;    ///< share of the pattern's prior
};

/// What makes a pattern a static suspect: it can be found without a failure (`suture scan`).
struct ScanRule {
  std::string message;              ///< what is wrong, with holes: one sentence
  std::string at = "match";         ///< anchor that a finding points at; a hole: one for each place
  std::vector<PredicateUse> where;  ///< asked on top of the pattern's, for want of evidence
  enum class Repair {
    kAlso,   ///< part of searches, too
    kNever,  ///< a finding only: its fix could turn no check green
  } repair = Repair::kAlso;
};

/// A tree-sitter query with its captures as bindings; tried at nodes of the pattern's kinds only.
class NodeQuery {
 public:
  /// Errors: kBadInput with tree-sitter's reason.
  static Result<NodeQuery> compile(std::string_view text, Language language);
  const std::vector<std::string>& captures() const { return captures_; }
  bool match(Node node, Bindings& bindings) const;

 private:
  std::shared_ptr<TSQuery> query_;
  std::vector<std::string> captures_;
};

/// A test of a pattern, as written in its file.
struct PatternTest {
  std::string name;
  std::map<std::string, std::string> before;  ///< path -> content; one file is "mod.py"
  std::map<std::string, std::string> after;   ///< the files that change; empty for `leaves`
  std::string failure;                        ///< "TypeError: message"; "" for a wrong value
  std::string failing;       ///< a piece of the source: the failing expression; may be empty
  std::string failing_file;  ///< where it stands
  std::string calls;         ///< a piece of the source: the line of an outer frame; may be empty
  Values observed;           ///< values in the failing frame
  std::vector<Operand> operands;
  std::string check;                                          ///< text of the check
  std::map<std::string, std::vector<std::string>> installed;  ///< module -> names
  std::map<std::string, std::string> signatures;              ///< "module:name" -> "(a, b=1)"
  int at_most_rank = 0;  ///< the fix must be among the first n candidates of this pattern; 0: any
  SourcePos where;

  /// Whether it tells of a run: then it says nothing about what the code alone shows.
  bool has_evidence() const {
    return !failure.empty() || !failing.empty() || !calls.empty() || !check.empty() ||
           !observed.empty() || !operands.empty() || !installed.empty() || !signatures.empty();
  }
};

/// A checked pattern: everything in it is known to exist and to fit together.
struct Pattern {
  std::string id, family, summary, cause, rationale;
  std::vector<Language> languages;
  /// kSafe: the code as it stands can only be meant as the fix writes it, so that nobody has to
  /// read it first; `suture scan --apply` writes it.
  enum class Safety { kSuggest, kSafe } safety = Safety::kSuggest;
  std::map<FailureKind, double> prior;
  double default_prior = 0.01;
  std::optional<Silencing> silencing;  ///< nullopt: judged from the edits

  std::vector<WhenClause> when;    ///< any of them; empty: every failure
  Roles at;                        ///< empty: any role
  std::vector<std::string> kinds;  ///< node kinds tried; from the snippets when there are some
  std::vector<std::pair<std::string, std::string>>
      fields;                 ///< binding -> field of the matched node
  std::vector<Snippet> any;   ///< one must match; empty: the kind is enough
  std::vector<Snippet> none;  ///< none may match
  std::vector<NodeQuery> queries;
  std::vector<PredicateUse> where;
  std::vector<Hole> holes;
  std::vector<Rewrite> rewrites;  ///< may be empty for patterns that are findings only
  std::optional<ScanRule> scan;
  std::vector<PatternTest> fixes, leaves;
  std::vector<PatternTest> finds;      ///< what a scan has to find; no `after`
  bool mentions_match = false;         ///< some text of it holds $MATCH
  std::string path;                    ///< of the file it came from
  std::shared_ptr<const Facts> facts;  ///< about libraries, when it asks for them

  double prior_for(FailureKind kind) const;
  /// Whether searches for a patch use it.
  bool repairs() const { return !scan || scan->repair == ScanRule::Repair::kAlso; }
};

/// Reads one pattern file. `path` is for messages. Errors: kBadInput with file, line, column and a
/// hint.
Result<Pattern> load_pattern(std::string_view yaml, std::string path);

}  // namespace suture
