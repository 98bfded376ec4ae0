#include <fmt/format.h>
#include <re2/re2.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <functional>
#include <set>

#include "repair/base/text.h"
#include "repair/propose/operator.h"
#include "repair/propose/pattern.h"

namespace suture {
namespace {

/// Names that every rewrite may use besides captures and holes.
const std::vector<std::string> kBuiltinNames = {"MATCH",    "STATEMENT", "CONDITION", "CALLED",
                                                "FUNCTION", "CLASS",     "MODULE"};

template <class Items, class Name>
std::string nearest(const Items& items, Name name_of, std::string_view word) {
  std::string best;
  double similarity = 0.5;
  for (const auto& item : items) {
    std::string name(name_of(item));
    if (double s = name_similarity(name, word); s > similarity) {
      similarity = s;
      best = name;
    }
  }
  return best.empty() ? "" : fmt::format("did you mean `{}`?", best);
}

/// Reads one file. Keeps the first error; everything after it is skipped.
class Loader {
 public:
  Loader(std::string path) : path_(std::move(path)) {}

  Result<Pattern> load(std::string_view yaml) {
    YAML::Node root;
    try {
      root = YAML::Load(std::string(yaml));
    } catch (const YAML::Exception& e) {
      return fail(ErrorKind::kBadInput, "not valid YAML: " + e.msg, "", position(e.mark));
    }
    pattern_.path = path_;
    try {
      read(root);
    } catch (const YAML::Exception& e) {
      set_error(e.msg, "", position(e.mark));
    }
    if (error_) return tl::unexpected<Error>(*error_);
    return std::move(pattern_);
  }

 private:
  SourcePos position(const YAML::Mark& mark) const {
    return mark.is_null() ? SourcePos{path_, 1, 1}
                          : SourcePos{path_, mark.line + 1, mark.column + 1};
  }
  SourcePos position(const YAML::Node& node) const { return position(node.Mark()); }

  void set_error(std::string message, std::string hint, SourcePos where) {
    if (!error_)
      error_ = Error{ErrorKind::kBadInput, std::move(message), std::move(hint), std::move(where)};
  }
  bool ok(const Status& status) {
    if (!status && !error_) error_ = status.error();
    return status.has_value();
  }

  bool expect_map(const YAML::Node& node, std::string_view what,
                  const std::vector<std::string>& keys) {
    if (!node.IsMap()) {
      set_error(fmt::format("{} must be a mapping", what), "", position(node));
      return false;
    }
    for (const auto& entry : node) {
      std::string key = entry.first.as<std::string>();
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      std::string hint = nearest(
          keys, [](const std::string& k) { return k; }, key);
      set_error(fmt::format("{} has no field `{}`", what, key),
                hint.empty() ? "fields: " + join(keys, ", ") : hint, position(entry.first));
      return false;
    }
    return true;
  }

  std::vector<std::string> texts(const YAML::Node& node) {
    std::vector<std::string> list;
    if (!node) return list;
    if (node.IsScalar()) return {node.Scalar()};
    if (node.IsNull()) return {""};
    if (!node.IsSequence()) {
      set_error("expected a text or a list of texts", "", position(node));
      return list;
    }
    for (const auto& item : node) {
      if (!item.IsScalar())
        set_error("expected a text", "", position(item));
      else
        list.push_back(item.Scalar());
    }
    return list;
  }

  std::string required_text(const YAML::Node& root, const char* key) {
    YAML::Node node = root[key];
    if (!node || !node.IsScalar() || node.Scalar().empty()) {
      set_error(fmt::format("the field `{}` is missing or empty", key), "",
                position(node ? node : root));
      return "";
    }
    return node.Scalar();
  }

  void read(const YAML::Node& root) {
    if (!expect_map(
            root, "a pattern",
            {"id", "family", "languages", "summary", "cause", "rationale", "safety", "silencing",
             "prior", "when", "match", "where", "holes", "rewrites", "scan", "tests", "counts"})) {
      return;
    }
    read_head(root);
    read_when(root["when"]);
    read_match(root);
    if (error_) return;
    if (root["where"]) pattern_.where = predicate_uses(root["where"]);
    read_holes(root["holes"]);
    read_scan(root["scan"]);
    read_rewrites(root);
    read_tests(root);
    if (!error_) check_names(root);
    if (!error_) check_scan(root);
    if (!error_) read_facts();
  }

  void read_head(const YAML::Node& root) {
    pattern_.id = required_text(root, "id");
    static const RE2 id_form("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    if (!error_ && !RE2::FullMatch(pattern_.id, id_form)) {
      set_error(fmt::format("the id `{}` is not in kebab case", pattern_.id),
                "for example guard-none", position(root["id"]));
    }
    pattern_.family = required_text(root, "family");
    static const std::vector<std::string> families = {"conditional", "parameter", "version-compat",
                                                      "other"};
    if (!error_ && std::find(families.begin(), families.end(), pattern_.family) == families.end()) {
      set_error(fmt::format("no family `{}`", pattern_.family), "families: " + join(families, ", "),
                position(root["family"]));
    }
    pattern_.summary = required_text(root, "summary");
    pattern_.rationale = required_text(root, "rationale");
    pattern_.cause = root["cause"] ? root["cause"].as<std::string>() : "";
    for (const std::string& word :
         root["languages"] ? texts(root["languages"]) : std::vector<std::string>{"python"}) {
      auto language = language_from(word);
      if (!language)
        set_error(fmt::format("no language `{}`", word), "python, cpp or cuda",
                  position(root["languages"]));
      else
        pattern_.languages.push_back(*language);
    }
    if (YAML::Node safety = root["safety"]) {
      std::string word = safety.as<std::string>();
      if (word != "safe" && word != "suggest")
        set_error("safety is `safe` or `suggest`", "", position(safety));
      pattern_.safety = word == "safe" ? Pattern::Safety::kSafe : Pattern::Safety::kSuggest;
    }
    if (YAML::Node silencing = root["silencing"]) {
      static const std::map<std::string, Silencing> words = {{"no", Silencing::kNo},
                                                             {"deletes", Silencing::kDeletes},
                                                             {"skips", Silencing::kSkips},
                                                             {"swallows", Silencing::kSwallows}};
      auto at = words.find(silencing.Scalar());
      if (at == words.end())
        set_error("silencing is no, deletes, skips or swallows", "", position(silencing));
      else
        pattern_.silencing = at->second;
    }
    read_prior(root["prior"]);
  }

  void read_prior(const YAML::Node& node) {
    if (!node) return;
    if (node.IsScalar()) {
      pattern_.default_prior = node.as<double>();
      return;
    }
    if (!node.IsMap())
      return set_error("prior is a number or a mapping from failure kinds", "", position(node));
    for (const auto& entry : node) {
      std::string word = entry.first.as<std::string>();
      double value = entry.second.as<double>();
      if (value <= 0 || value > 1) set_error("a prior lies in (0, 1]", "", position(entry.second));
      if (word == "default")
        pattern_.default_prior = value;
      else if (auto kind = failure_kind_from(word))
        pattern_.prior[*kind] = value;
      else
        set_error(fmt::format("no failure kind `{}`", word), "", position(entry.first));
    }
  }

  void read_when(const YAML::Node& node) {
    if (!node) return;
    if (!node.IsSequence()) return set_error("when is a list of clauses", "", position(node));
    for (const auto& item : node) {
      if (!expect_map(item, "a clause of when", {"failure", "type", "message", "weight"})) return;
      WhenClause clause;
      for (const std::string& word : texts(item["failure"])) {
        auto kind = failure_kind_from(word);
        if (!kind)
          set_error(fmt::format("no failure kind `{}`", word), "", position(item["failure"]));
        else
          clause.kinds.insert(*kind);
      }
      for (std::string& type : texts(item["type"])) clause.types.insert(std::move(type));
      if (item["weight"]) clause.weight = item["weight"].as<double>();
      if (YAML::Node message = item["message"]) {
        clause.message = std::make_shared<RE2>(message.as<std::string>(), RE2::Quiet);
        if (!clause.message->ok()) {
          set_error("bad regular expression: " + clause.message->error(),
                    "RE2 syntax; named groups are (?P<NAME>...)", position(message));
        }
        for (const auto& [name, index] : clause.message->NamedCapturingGroups())
          names_.push_back(name);
      }
      pattern_.when.push_back(std::move(clause));
    }
  }

  void read_match(const YAML::Node& root) {
    YAML::Node node = root["match"];
    if (!node) return set_error("the field `match` is missing", "", position(root));
    if (!expect_map(node, "match", {"at", "any", "none", "kind", "fields", "query"})) return;
    static const std::vector<Role> roles = {Role::kFailing,   Role::kCaller,     Role::kCallee,
                                            Role::kOrigin,    Role::kDefinition, Role::kExecuted,
                                            Role::kReturned,  Role::kImport,     Role::kModule,
                                            Role::kMentioned, Role::kSwallowed};
    for (const std::string& word : texts(node["at"])) {
      auto role =
          std::find_if(roles.begin(), roles.end(), [&](Role r) { return to_string(r) == word; });
      if (role == roles.end()) {
        set_error(fmt::format("no role `{}`", word),
                  nearest(
                      roles, [](Role r) { return to_string(r); }, word),
                  position(node["at"]));
      } else {
        pattern_.at.add(*role);
      }
    }
    Language language = pattern_.languages.empty() ? Language::kPython : pattern_.languages.front();
    for (const auto& item : node["any"]) read_snippet(item, language, pattern_.any);
    for (const auto& item : node["none"]) read_snippet(item, language, pattern_.none);
    for (const Snippet& snippet : pattern_.any) {
      names_.insert(names_.end(), snippet.variables().begin(), snippet.variables().end());
    }
    for (const Snippet& snippet : pattern_.none) {
      names_.insert(names_.end(), snippet.variables().begin(), snippet.variables().end());
    }
    pattern_.kinds = texts(node["kind"]);
    for (const std::string& kind : pattern_.kinds) {
      TSSymbol symbol =
          ts_language_symbol_for_name(grammar(language), kind.data(), uint32_t(kind.size()), true);
      if (symbol == 0)
        set_error(fmt::format("the grammar has no node kind `{}`", kind), "",
                  position(node["kind"]));
    }
    for (const auto& entry : node["fields"]) {
      std::string name(hole_name(entry.first.as<std::string>()));
      std::string field = entry.second.as<std::string>();
      if (ts_language_field_id_for_name(grammar(language), field.data(), uint32_t(field.size())) ==
          0) {
        set_error(fmt::format("the grammar has no field `{}`", field), "", position(entry.second));
      }
      pattern_.fields.emplace_back(name, field);
      names_.push_back(name);
    }
    for (const std::string& text : texts(node["query"])) {
      auto query = NodeQuery::compile(text, language);
      if (!query)
        set_error(query.error().message, query.error().hint, position(node["query"]));
      else {
        names_.insert(names_.end(), query->captures().begin(), query->captures().end());
        pattern_.queries.push_back(std::move(*query));
      }
    }
    if (pattern_.any.empty() && pattern_.kinds.empty()) {
      set_error("match needs `any` (snippets) or `kind` (node kinds)", "", position(node));
    }
  }

  void read_snippet(const YAML::Node& item, Language language, std::vector<Snippet>& into) {
    auto snippet = Snippet::compile(item.as<std::string>(), language);
    if (!snippet)
      set_error(snippet.error().message, snippet.error().hint, position(item));
    else
      into.push_back(std::move(*snippet));
  }

  /// `{name: {argument: value}}`, or `{name: value}` where the value is the first required
  /// argument.
  Arguments arguments(const YAML::Node& node, const std::vector<std::string>& required) {
    Arguments result;
    result.where = position(node);
    if (node.IsMap()) {
      for (const auto& entry : node)
        result.values[entry.first.as<std::string>()] = texts(entry.second);
    } else if (!required.empty() && !node.IsNull()) {
      result.values[required.front()] = texts(node);
    }
    return result;
  }

  std::vector<PredicateUse> predicate_uses(const YAML::Node& node) {
    std::vector<PredicateUse> uses;
    if (!node.IsSequence()) {
      set_error("where is a list of predicates", "", position(node));
      return uses;
    }
    for (const auto& item : node) {
      if (!item.IsMap() || item.size() != 1) {
        set_error("expected one predicate, as in `- observed: {hole: $X, type: NoneType}`", "",
                  position(item));
        return uses;
      }
      uses.push_back(predicate_use(item.begin()->first.as<std::string>(), item.begin()->second,
                                   position(item)));
    }
    return uses;
  }

  PredicateUse predicate_use(std::string name, const YAML::Node& value, SourcePos where) {
    PredicateUse use;
    if (name.starts_with("not_") && find_predicate(name) == nullptr) {
      use.negated = true;
      name = name.substr(4);
    }
    use.predicate = find_predicate(name);
    if (use.predicate == nullptr) {
      set_error(fmt::format("no predicate `{}`", name),
                nearest(
                    predicates(), [](const Predicate& p) { return p.name; }, name),
                where);
      return use;
    }
    use.arguments = arguments(value, use.predicate->signature.required);
    use.arguments.where = where;
    ok(use.predicate->signature.check(name, use.arguments));
    remember(use.arguments);
    return use;
  }

  void read_holes(const YAML::Node& node) {
    if (!node) return;
    if (!node.IsMap()) return set_error("holes is a mapping", "", position(node));
    for (const auto& entry : node) {
      Hole hole;
      hole.name = std::string(hole_name(entry.first.as<std::string>()));
      YAML::Node value = entry.second;
      std::string provider = "literal";
      if (value.IsMap()) {
        provider = value["provider"] ? value["provider"].as<std::string>() : "";
        YAML::Node rest = YAML::Clone(value);
        rest.remove("provider");
        rest.remove("limit");
        hole.arguments = arguments(rest, {});
        if (value["limit"]) hole.limit = std::size_t(value["limit"].as<int>());
      } else {
        hole.arguments.values["values"] = texts(value);
        hole.limit = 20;
      }
      hole.arguments.where = position(entry.first);
      hole.provider = find_provider(provider);
      if (hole.provider == nullptr) {
        set_error(fmt::format("no provider `{}`", provider),
                  nearest(
                      providers(), [](const Provider& p) { return p.name; }, provider),
                  position(value));
        return;
      }
      ok(hole.provider->signature.check(provider, hole.arguments));
      remember(hole.arguments);
      names_.push_back(hole.name);
      pattern_.holes.push_back(std::move(hole));
    }
  }

  void read_scan(const YAML::Node& node) {
    if (!node || !expect_map(node, "scan", {"message", "at", "where", "repair"})) return;
    ScanRule scan;
    scan.message = required_text(node, "message");
    remember_text(scan.message, position(node));
    if (node["where"]) scan.where = predicate_uses(node["where"]);
    if (node["at"]) scan.at = node["at"].as<std::string>();
    remember_text(scan.at, position(node));
    if (YAML::Node repair = node["repair"]) {
      std::string word = repair.as<std::string>();
      if (word != "also" && word != "never")
        set_error(fmt::format("repair is `also` or `never`, not `{}`", word),
                  "never: the pattern takes no part in the search for patches", position(repair));
      if (word == "never") scan.repair = ScanRule::Repair::kNever;
    }
    pattern_.scan = std::move(scan);
  }

  /// What only the whole file shows.
  void check_scan(const YAML::Node& root) {
    if (!pattern_.scan) {
      if (!pattern_.finds.empty())
        set_error("`finds` is for patterns with `scan`", "", position(root["tests"]));
      return;
    }
    const std::string& at = pattern_.scan->at;
    bool anchor = std::any_of(anchor_names().begin(), anchor_names().end(),
                              [&](const auto& row) { return row.first == at; });
    if (!anchor && !at.starts_with('$')) {
      set_error(fmt::format("no anchor `{}`", at),
                nearest(
                    anchor_names(), [](const auto& row) { return row.first; }, at),
                position(root["scan"]["at"]));
    }
    auto without_evidence = std::count_if(pattern_.fixes.begin(), pattern_.fixes.end(),
                                          [](const PatternTest& t) { return !t.has_evidence(); });
    if (std::size_t(without_evidence) + pattern_.finds.size() < 2) {
      set_error("a pattern with `scan` needs two tests that are found without a failure",
                "`fixes` without failure, failing, observed and the like; or `finds`",
                position(root["tests"]));
    }
  }

  void read_rewrites(const YAML::Node& root) {
    YAML::Node node = root["rewrites"];
    if (!node && !pattern_.repairs()) return;
    if (!node || !node.IsSequence() || node.size() == 0) {
      return set_error("the field `rewrites` is missing or empty", "",
                       position(node ? node : root));
    }
    for (const auto& item : node) {
      if (!expect_map(item, "a rewrite", {"name", "where", "edits", "summary", "weight"})) return;
      Rewrite rewrite;
      rewrite.name = required_text(item, "name");
      if (item["summary"]) rewrite.summary = item["summary"].as<std::string>();
      if (item["weight"]) rewrite.weight = item["weight"].as<double>();
      if (item["where"]) rewrite.where = predicate_uses(item["where"]);
      for (const auto& step : item["edits"]) rewrite.edits.push_back(edit_step(step));
      if (rewrite.edits.empty()) set_error("a rewrite needs edits", "", position(item));
      if (error_) return;
      for (const Hole& hole : pattern_.holes) {
        if (uses(rewrite, hole.name)) rewrite.holes.push_back(hole.name);
      }
      rewrite.needs = needs_of(rewrite);
      remember_text(rewrite.summary, position(item));
      pattern_.rewrites.push_back(std::move(rewrite));
    }
  }

  EditStep edit_step(const YAML::Node& node) {
    EditStep step;
    if (!node.IsMap() || node.size() == 0) {
      set_error("expected an edit, as in `- {replace: match, with: \"...\"}`", "", position(node));
      return step;
    }
    std::string name = node.begin()->first.as<std::string>();
    step.op = find_operator(name);
    if (step.op == nullptr) {
      set_error(fmt::format("no operator `{}`", name),
                nearest(
                    operators(), [](const Operator& o) { return o.name; }, name),
                position(node));
      return step;
    }
    step.arguments = arguments(node, {});
    ok(step.op->signature.check(name, step.arguments));
    remember(step.arguments);
    return step;
  }

  static bool mentions(const Arguments& arguments, const std::string& hole) {
    for (const auto& [name, values] : arguments.values) {
      for (const std::string& value : values) {
        auto names = metavariables_of(value);
        if (std::find(names.begin(), names.end(), hole) != names.end()) return true;
      }
    }
    return false;
  }

  static std::vector<std::string> needs_of(const Rewrite& rewrite) {
    std::set<std::string> needs;
    for (const EditStep& step : rewrite.edits) {
      for (const auto& [name, values] : step.arguments.values) {
        for (const std::string& value : values) needs.merge(as_set(metavariables_of(value)));
      }
    }
    for (const std::string& name : kBuiltinNames) needs.erase(name);
    return {needs.begin(), needs.end()};
  }

  static std::set<std::string> as_set(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
  }

  static bool uses(const Rewrite& rewrite, const std::string& hole) {
    auto in_step = [&](const EditStep& step) { return mentions(step.arguments, hole); };
    auto in_predicate = [&](const PredicateUse& use) { return mentions(use.arguments, hole); };
    return std::any_of(rewrite.edits.begin(), rewrite.edits.end(), in_step) ||
           std::any_of(rewrite.where.begin(), rewrite.where.end(), in_predicate);
  }

  void remember(const Arguments& arguments) {
    for (const auto& [name, values] : arguments.values) {
      for (const std::string& value : values) remember_text(value, arguments.where);
    }
  }
  void remember_text(std::string_view text, const SourcePos& where) {
    for (std::string& name : metavariables_of(text)) used_.emplace_back(std::move(name), where);
  }

  void check_names(const YAML::Node& root) {
    remember_text(pattern_.summary, position(root["summary"]));
    if (root["cause"]) remember_text(pattern_.cause, position(root["cause"]));
    names_.insert(names_.end(), kBuiltinNames.begin(), kBuiltinNames.end());
    for (const auto& [name, where] : used_) {
      pattern_.mentions_match |= name == "MATCH";
      if (std::find(names_.begin(), names_.end(), name) != names_.end()) continue;
      set_error(fmt::format("nothing binds `${}`", name),
                "names come from match, from named groups of a message, and from holes", where);
    }
  }

  /// Facts are read only for the patterns that ask for them.
  void read_facts() {
    auto asks = [](const Hole& hole) { return hole.provider->name == "moved_symbols"; };
    if (std::none_of(pattern_.holes.begin(), pattern_.holes.end(), asks)) return;
    auto facts = Facts::beside(path_);
    if (!facts)
      error_ = facts.error();
    else
      pattern_.facts = std::move(*facts);
  }

  // ---- tests ----

  void read_tests(const YAML::Node& root) {
    YAML::Node node = root["tests"];
    if (!node)
      return set_error("the field `tests` is missing", "give two `fixes` and two `leaves` at least",
                       position(root));
    if (!expect_map(node, "tests", {"fixes", "finds", "leaves"})) return;
    for (const auto& item : node["fixes"]) pattern_.fixes.push_back(read_test(item, true));
    for (const auto& item : node["finds"]) pattern_.finds.push_back(read_test(item, false));
    for (const auto& item : node["leaves"]) pattern_.leaves.push_back(read_test(item, false));
    // What fixes nothing can only find.
    const auto& positive = pattern_.rewrites.empty() ? pattern_.finds : pattern_.fixes;
    if (positive.size() < 2 || pattern_.leaves.size() < 2) {
      set_error("a pattern needs two `fixes` and two `leaves` at least",
                "unrelated to each other; without `rewrites`: two `finds`", position(node));
    }
  }

  std::map<std::string, std::string> contents(const YAML::Node& node) {
    std::map<std::string, std::string> files;
    if (!node) return files;
    if (node.IsScalar()) return {{"mod.py", node.Scalar()}};
    for (const auto& entry : node)
      files[entry.first.as<std::string>()] = entry.second.as<std::string>();
    return files;
  }

  PatternTest read_test(const YAML::Node& node, bool needs_after) {
    PatternTest test;
    if (!expect_map(node, "a test",
                    {"name", "before", "after", "failure", "failing", "file", "calls", "observed",
                     "operands", "check", "installed", "signatures", "rank"})) {
      return test;
    }
    test.where = position(node);
    test.name = required_text(node, "name");
    test.before = contents(node["before"]);
    test.after = contents(node["after"]);
    if (test.before.empty()) set_error("a test needs `before`", "", test.where);
    if (needs_after == test.after.empty())
      set_error("`after` belongs to `fixes`, and only there", "", test.where);
    auto text = [&](const char* key) {
      return node[key] ? node[key].as<std::string>() : std::string();
    };
    test.failure = text("failure");
    test.failing = text("failing");
    test.failing_file = node["file"] ? text("file") : test.before.begin()->first;
    test.calls = text("calls");
    test.check = text("check");
    if (node["rank"]) test.at_most_rank = node["rank"].as<int>();
    for (const auto& entry : node["observed"])
      test.observed[entry.first.as<std::string>()] = value(entry.second);
    for (const auto& item : node["operands"]) {
      test.operands.push_back({item["expression"].as<std::string>(), value(item["value"])});
    }
    for (const auto& entry : node["installed"])
      test.installed[entry.first.as<std::string>()] = texts(entry.second);
    for (const auto& entry : node["signatures"]) {
      test.signatures[entry.first.as<std::string>()] = entry.second.as<std::string>();
    }
    return test;
  }

  Value value(const YAML::Node& node) {
    Value result;
    if (node.IsScalar()) {
      result.type = node.Scalar();
      return result;
    }
    if (!expect_map(node, "a value",
                    {"type", "module", "repr", "length", "shape", "dtype", "device", "keys",
                     "attributes", "members", "items", "callable", "signature"})) {
      return result;
    }
    auto text = [&](const char* key) {
      return node[key] ? node[key].as<std::string>() : std::string();
    };
    result.type = text("type");
    result.module = text("module");
    result.repr = text("repr");
    result.dtype = text("dtype");
    result.device = text("device");
    result.callable = text("callable");
    result.signature = text("signature");
    if (node["length"]) result.length = node["length"].as<std::int64_t>();
    for (const auto& size : node["shape"]) result.shape.push_back(size.as<std::int64_t>());
    result.keys = texts(node["keys"]);
    result.members = texts(node["members"]);
    for (const auto& entry : node["attributes"]) {
      result.attributes[entry.first.as<std::string>()] = value(entry.second);
    }
    for (const auto& item : node["items"]) result.items.push_back(value(item));
    return result;
  }

  std::string path_;
  Pattern pattern_;
  std::optional<Error> error_;
  std::vector<std::string> names_;                       ///< bound somewhere
  std::vector<std::pair<std::string, SourcePos>> used_;  ///< used somewhere
};

}  // namespace

Result<Pattern> load_pattern(std::string_view yaml, std::string path) {
  return Loader(std::move(path)).load(yaml);
}

double Pattern::prior_for(FailureKind kind) const {
  auto at = prior.find(kind);
  return at == prior.end() ? default_prior : at->second;
}

}  // namespace suture
