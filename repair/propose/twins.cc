#include "repair/propose/twins.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "repair/base/text.h"
#include "repair/propose/edit_site.h"
#include "repair/propose/lookups.h"
#include "repair/propose/precedence.h"
#include "repair/propose/silencing.h"
#include "repair/syntax/imports.h"
#include "repair/syntax/layout.h"

namespace suture {
namespace {

/// A candidate that changes more places than this is another kind of change.
constexpr std::size_t kMostPlaces = 12;
/// Of the ranked candidates so many are looked at for twins, and so many candidates come of it.
constexpr std::size_t kWidened = 40;
constexpr std::size_t kWidenedEach = 1;
constexpr std::size_t kJoined = 80;
/// Expressions of so many tokens mean the same wherever they stand in a file.
constexpr std::size_t kTellingTokens = 5;

/// Edits at one twin in the file of the candidate.
using PlaceEdits = std::vector<Edit>;

/// What a node is to the node above it. Equal expressions in equal roles mean the same.
std::string role_of(Node node) {
  Node parent = node.parent();
  std::string role(parent.kind());
  auto children = parent.children();
  auto at = std::ranges::find(children, node);
  if (parent.kind() == "argument_list") {
    role += fmt::format(" {} {}", parent.parent().field("function").text(), at - children.begin());
  } else if (parent.kind() == "keyword_argument") {
    role += fmt::format(" {} {}", parent.parent().parent().field("function").text(),
                        parent.field("name").text());
  } else if (parent.kind() == "attribute") {
    role += fmt::format(" {}", parent.field("attribute").text());
  } else if (!parent.is({"list", "tuple", "dictionary", "set", "block", "module"})) {
    role += fmt::format(" {}", at - children.begin());
    for (const Node& child : children) {
      if (!child.named()) role += fmt::format(" {}", child.text());
    }
  }
  return role;
}

bool is_name(Node token) { return token.kind() == "identifier"; }

bool same_tokens(const std::vector<Node>& a, const std::vector<Node>& b) {
  return std::ranges::equal(a, b, [](auto& x, auto& y) { return x.text() == y.text(); });
}

/// How the names of one place become those of another where all else is the same; nothing when it
/// is not, or when more names differ than agree.
std::optional<Renaming> renaming_between(const std::vector<Node>& from,
                                         const std::vector<Node>& to) {
  if (from.size() != to.size()) return std::nullopt;
  Renaming there, back;
  std::size_t equal = 0, other = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].kind() != to[i].kind()) return std::nullopt;
    std::string here(from[i].text()), name(to[i].text());
    if (!is_name(from[i])) {
      if (here != name) return std::nullopt;
      continue;
    }
    bool consistent = there.try_emplace(here, name).first->second == name &&
                      back.try_emplace(name, here).first->second == here;
    if (!consistent) return std::nullopt;
    here == name ? ++equal : ++other;
  }
  if (other > equal) return std::nullopt;
  return there;
}

/// Looks for the twins of one site.
class Twins {
 public:
  Twins(const EditSite& site, Reach reach) : site_(site), reach_(reach) {
    unit_tokens_ = tokens_in(site.unit.node, site.unit.range);
    if (site.narrow) narrow_tokens_ = tokens_in(site.narrow, site.narrow.range());
    function_ = enclosing_function(site.unit.node);
  }

  /// Sets of places, the surer ones first; the site itself left out.
  std::vector<std::vector<PlaceEdits>> sets() const {
    std::vector<std::vector<PlaceEdits>> sets;
    auto add = [&](std::vector<PlaceEdits> set) {
      bool some = !set.empty() && set.size() < kMostPlaces;
      if (some && std::ranges::find(sets, set) == sets.end()) sets.push_back(std::move(set));
    };
    bool telling = narrow_tokens_.size() >= kTellingTokens;
    bool near = bool(function_);
    std::string role = site_.narrow ? role_of(site_.narrow) : "";
    for (const std::vector<Node>& scope : scopes()) {
      if (telling || near)
        add(expressions(scope, [&](Node node) { return role_of(node) == role; }));
      add(statements(scope));
      add(calls(scope));
      if (telling || (near && narrow_tokens_.size() > 1))
        add(expressions(scope, [](Node) { return true; }));
      near = false;
    }
    return sets;
  }

 private:
  /// Where twins are looked for, from near to far.
  std::vector<std::vector<Node>> scopes() const {
    std::vector<std::vector<Node>> scopes;
    Node module = site_.file->root();
    if (function_) {
      scopes.push_back({function_});
      std::vector<Node> namesakes = {function_};
      for_each_of(module, {"function_definition"}, [&](Node node) {
        bool namesake =
            !(node == function_) && node.field("name").text() == function_.field("name").text();
        if (namesake) namesakes.push_back(node);
      });
      if (namesakes.size() > 1) scopes.push_back(std::move(namesakes));
    }
    if (reach_ == Reach::kFile) scopes.push_back({module});
    return scopes;
  }

  /// Whether a place has what the candidate brings.
  bool is_done(std::string_view code) const {
    std::string there = without_blanks(code);
    std::string here = without_blanks(site_.unit.node.text());
    return std::ranges::any_of(site_.edits, [&](const Edit& edit) {
      std::string brought = without_blanks(edit.text);
      return brought.size() > 2 && there.find(brought) != std::string::npos &&
             here.find(brought) == std::string::npos;
    });
  }

  Unit unit_around(Node node) const {
    while (node && node.kind() != site_.unit.node.kind()) node = node.parent();
    return node ? unit_like(site_.unit, node) : Unit{};
  }

  /// The same expression elsewhere.
  std::vector<PlaceEdits> expressions(const std::vector<Node>& scope,
                                      const std::function<bool(Node)>& fits) const {
    std::vector<PlaceEdits> places;
    if (!site_.narrow) return places;
    std::string code = without_blanks(site_.narrow.text());
    for (const Node& part : scope) {
      for_each_of(part, {site_.narrow.kind()}, [&](Node node) {
        if (node == site_.narrow || without_blanks(node.text()) != code || !fits(node)) return;
        Unit around = unit_around(node);
        if (around.node &&
            is_done(site_.file->text().substr(around.range.start, around.range.size())))
          return;
        auto edits = carried_over(site_, narrow_tokens_, tokens_in(node, node.range()), {});
        if (!edits) return;
        for (Edit& edit : *edits) {
          if (edit.range == node.range()) edit.text = fit_into(node, edit.text);
        }
        places.push_back(std::move(*edits));
      });
    }
    return places;
  }

  /// The same statement, header or clause, but for names that are others throughout.
  std::vector<PlaceEdits> statements(const std::vector<Node>& scope) const {
    std::vector<PlaceEdits> places;
    for (const Node& part : scope) {
      bool other_names = scope.size() == 1 && part == function_;
      for_each_of(part, {site_.unit.node.kind()}, [&](Node node) {
        if (node == site_.unit.node) return;
        Unit unit = unit_like(site_.unit, node);
        auto tokens = tokens_in(node, unit.range);
        if (!other_names && !same_tokens(unit_tokens_, tokens)) return;
        auto renaming = renaming_between(unit_tokens_, tokens);
        bool far = unit_tokens_.size() < kTellingTokens && !(part == function_);
        if (!renaming || far || is_done(node.text())) return;
        if (auto edits = carried_over(site_, unit_tokens_, tokens, *renaming))
          places.push_back(std::move(*edits));
      });
    }
    return places;
  }

  /// Other calls of the function whose call the candidate gives an argument by name.
  std::vector<PlaceEdits> calls(const std::vector<Node>& scope) const {
    std::vector<PlaceEdits> places;
    bool one_insert = site_.edits.size() == 1 && site_.edits.front().range.size() == 0;
    if (site_.narrow.kind() != "call" || !one_insert) return places;
    std::string argument(trim(site_.edits.front().text));
    if (argument.starts_with(',')) argument = trim(std::string_view(argument).substr(1));
    std::size_t equals = argument.find('=');
    std::string name(trim(std::string_view(argument).substr(0, equals)));
    if (equals == std::string::npos || !is_identifier(name)) return places;
    for (const Node& part : scope) {
      for_each_of(part, {"call"}, [&](Node node) {
        bool twin = !(node == site_.narrow) &&
                    node.field("function").text() == site_.narrow.field("function").text();
        if (!twin) return;
        std::vector<std::string> given = keywords_of(node);
        if (std::ranges::find(given, name) == given.end())
          places.push_back({add_keyword_argument(node, argument)});
      });
    }
    return places;
  }

  const EditSite& site_;
  Reach reach_;
  Node function_;
  std::vector<Node> unit_tokens_, narrow_tokens_;
};

/// Adds the edits of places to those of a file, as far as they are not in each other's way. How
/// many places were added.
std::size_t add_places(std::vector<Edit>& edits, std::vector<PlaceEdits> places) {
  std::size_t count = 0;
  for (PlaceEdits& place : places) {
    // Inserts at one place would be made one after the other.
    bool free = std::ranges::none_of(place, [&](const Edit& edit) {
      return std::ranges::any_of(edits, [&](const Edit& other) {
        return edit.range.overlaps(other.range) || edit.range.start == other.range.start;
      });
    });
    if (!free) continue;
    ++count;
    std::ranges::move(place, std::back_inserter(edits));
  }
  return count;
}

/// `single` at more places, by file; nothing when there are none.
std::optional<Candidate> with_places(const Candidate& single,
                                     std::map<std::string, std::vector<PlaceEdits>> places,
                                     SourceTree& tree) {
  Candidate widened = single;
  std::size_t count = 1;
  for (auto& [path, of_file] : places) count += add_places(widened.edits[path], std::move(of_file));
  auto digest = normalised_digest(widened.edits, tree);
  if (!digest || *digest == single.id) return std::nullopt;
  widened.id = *digest;
  widened.files.clear();
  widened.summary += fmt::format(", at {} places", count);
  widened.features["twins"] = 1;
  return widened;
}
std::optional<Candidate> with_places(const Candidate& single, std::vector<PlaceEdits> places,
                                     SourceTree& tree) {
  return with_places(single, {{single.edits.begin()->first, std::move(places)}}, tree);
}

/// Whether an import brings nothing that another one does not bring from the same module.
bool imports_no_more(Node import, Node than) {
  if (import.kind() != than.kind()) return false;
  std::vector<ImportedName> names = imported_names(than);
  return std::ranges::all_of(imported_names(import), [&](const ImportedName& name) {
    return std::ranges::any_of(names, [&](const ImportedName& other) {
      return name.module == other.module && name.name == other.name;
    });
  });
}

bool is_widened(const Candidate& candidate) { return candidate.features.contains("twins"); }

/// Whether what a candidate brings says what it is about: an expression for another one, or an
/// argument. `else` turned into `elif` at several places is no one change.
bool is_telling(const EditSite& site) {
  return site.narrow && std::ranges::all_of(site.edits, [&](const Edit& edit) {
           return !trim(edit.text).empty() &&
                  (edit.range.size() > 0 || site.narrow.kind() == "call");
         });
}

/// What a candidate takes away and puts there, its place left out; the callee where it gives an
/// argument.
std::string change_of(const Candidate& candidate, const EditSite& site) {
  std::string change = candidate.pattern + "\n" + candidate.rewrite + "\n";
  change +=
      fmt::format("{}\n{}\n", site.file->path(), enclosing_function(site.unit.node).range().start);
  for (const Edit& edit : site.edits) {
    std::string taken =
        without_blanks(site.file->text().substr(edit.range.start, edit.range.size()));
    change += fmt::format("{}\n{}\n", taken, without_blanks(edit.text));
  }
  bool argument = site.narrow.kind() == "call" && site.edits.front().range.size() == 0;
  if (argument) change += site.narrow.field("function").text();
  return change;
}

}  // namespace

std::vector<Candidate> widen(const Candidate& single, SourceTree& tree, Reach reach,
                             std::size_t most) {
  std::vector<Candidate> widened;
  if (is_widened(single)) return widened;
  std::optional<EditSite> site = site_of(single, tree);
  if (!site) return widened;
  std::set<std::string> ids;
  for (std::vector<PlaceEdits>& places : Twins(*site, reach).sets()) {
    if (widened.size() == most) break;
    auto candidate = with_places(single, std::move(places), tree);
    if (candidate && ids.insert(candidate->id).second) widened.push_back(std::move(*candidate));
  }
  return widened;
}

std::vector<Candidate> widen_imports(const Candidate& single, SourceTree& tree) {
  std::optional<EditSite> site = is_widened(single) ? std::nullopt : site_of(single, tree);
  if (!site || !is_import(site->unit.node)) return {};
  Node own = site->unit.node, module = own.field("module_name");
  std::vector<ImportedName> names = imported_names(own);
  if (names.empty() || module.text().starts_with('.')) return {};
  // Where the module alone changes, the twins may bring fewer names.
  bool module_alone = module && std::ranges::all_of(site->edits, [&](const Edit& edit) {
                        return module.range().contains(edit.range);
                      });
  std::vector<Node> tokens =
      module_alone ? tokens_in(module, module.range()) : tokens_in(own, own.range());
  std::string word(identifiers(module ? module.text() : own.named_child(0).text()).back());
  std::map<std::string, std::vector<PlaceEdits>> places;
  std::size_t count = 0;
  for (const std::string& path : tree.files_mentioning(word)) {
    const SourceFile* file = tree.source(path);
    if (file == nullptr) continue;
    for_each_of(file->root(), kImportKinds, [&](Node node) {
      bool twin = !(node == own) && imports_no_more(node, own);
      Node there = module_alone ? node.field("module_name") : node;
      if (!twin || !there) return;
      std::vector<Node> others = tokens_in(there, there.range());
      if (!same_tokens(tokens, others)) return;
      if (auto edits = carried_over(*site, tokens, others, {})) {
        places[path].push_back(std::move(*edits));
        ++count;
      }
    });
  }
  if (count == 0 || count >= kMostPlaces) return {};
  auto widened = with_places(single, std::move(places), tree);
  return widened ? std::vector{std::move(*widened)} : std::vector<Candidate>{};
}

std::vector<Candidate> widen_by_findings(const Candidate& single, SourceTree& tree,
                                         const StaticPatterns& patterns) {
  if (is_widened(single) || single.edits.size() != 1) return {};
  const std::string& path = single.edits.begin()->first;
  auto found = patterns.in(path, std::string(tree.bytes(path)));
  if (!found) return {};
  std::vector<PlaceEdits> places;
  bool known = false;
  for (const Finding& finding : found->findings) {
    if (finding.pattern != single.pattern || finding.fix.empty()) continue;
    PlaceEdits place;
    for (const FixStep& step : finding.fix) place.push_back(step.edit);
    known |= place == single.edits.begin()->second;
    if (place != single.edits.begin()->second) places.push_back(std::move(place));
  }
  if (!known || places.empty()) return {};
  auto widened = with_places(single, std::move(places), tree);
  return widened ? std::vector{std::move(*widened)} : std::vector<Candidate>{};
}

const Candidate* widest_of(const Candidate& single, const std::vector<Candidate>& candidates) {
  auto count = [](const Candidate& candidate) {
    std::size_t edits = 0;
    for (const auto& [path, of_file] : candidate.edits) edits += of_file.size();
    return edits;
  };
  auto has_all = [&](const Candidate& other) {
    return std::ranges::all_of(single.edits, [&](const auto& of_file) {
      auto there = other.edits.find(of_file.first);
      return there != other.edits.end() && std::ranges::all_of(of_file.second, [&](auto& edit) {
               return std::ranges::find(there->second, edit) != there->second.end();
             });
    });
  };
  const Candidate* widest = nullptr;
  for (const Candidate& other : candidates) {
    bool wider = other.pattern == single.pattern && count(other) > count(single) &&
                 (widest == nullptr || count(other) > count(*widest)) && has_all(other);
    if (wider) widest = &other;
  }
  return widest;
}

std::vector<Candidate> join_same_changes(const std::vector<Candidate>& ranked,
                                         std::size_t considered, SourceTree& tree) {
  struct Group {
    const Candidate* first = nullptr;
    std::vector<PlaceEdits> others;
  };
  std::map<std::string, Group> groups;
  std::vector<std::string> order;
  for (const Candidate& candidate : std::span(ranked).first(std::min(considered, ranked.size()))) {
    if (is_widened(candidate)) continue;
    std::optional<EditSite> site = site_of(candidate, tree);
    if (!site || !is_telling(*site)) continue;
    std::string change = change_of(candidate, *site);
    Group& group = groups[change];
    if (group.first == nullptr) {
      group.first = &candidate;
      order.push_back(std::move(change));
    } else {
      group.others.push_back(std::move(site->edits));
    }
  }
  std::vector<Candidate> joined;
  for (const std::string& change : order) {
    Group& group = groups[change];
    if (group.others.empty() || group.others.size() >= kMostPlaces) continue;
    if (auto both = with_places(*group.first, std::move(group.others), tree))
      joined.push_back(std::move(*both));
  }
  return joined;
}

void add_twins(std::vector<Candidate>& ranked, SourceTree& tree) {
  std::set<std::string> ids;
  for (const Candidate& candidate : ranked) ids.insert(candidate.id);
  std::vector<Candidate> twins = join_same_changes(ranked, kJoined, tree);
  std::size_t looked_at = 0;
  for (const Candidate& candidate : ranked) {
    if (looked_at++ == kWidened) break;
    if (candidate.silencing != Silencing::kNo) continue;
    for (Candidate& each : widen(candidate, tree, Reach::kNear, kWidenedEach))
      twins.push_back(std::move(each));
  }
  for (Candidate& twin : twins) {
    if (ids.insert(twin.id).second) ranked.push_back(std::move(twin));
  }
}

}  // namespace suture
