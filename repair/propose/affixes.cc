#include "repair/propose/affixes.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "repair/base/text.h"
#include "repair/propose/argument_text.h"
#include "repair/propose/basket.h"

namespace suture {
namespace {

std::string as_literal(std::string_view text) { return fmt::format("\"{}\"", text); }

/// Affixes that can be written between quotes as they are, and that mean something.
bool is_affix(std::string_view text) {
  return !text.empty() && text.size() <= 40 &&
         text.find_first_of("\"\\\n{}") == std::string_view::npos;
}

/// `a + b`, joined to one literal where b is one.
std::string joined(std::string_view affix, const std::string& key, bool in_front) {
  return in_front ? as_literal(affix) + " + " + key : key + " + " + as_literal(affix);
}

/// Whether a value of the run at the match is a text, or has a key, that begins with the affix.
bool is_in_values(const Match& match, const std::string& affix) {
  const Values* values = observed_scope(match);
  if (values == nullptr) {
    const CalledFunction* call =
        match.input.evidence.function_at(match.file.path(), match.node.line());
    if (call == nullptr) return false;
    values = &call->arguments;
  }
  return std::ranges::any_of(*values, [&](const auto& entry) {
    const Value& value = entry.second;
    bool key = std::ranges::any_of(
        value.keys, [&](const std::string& name) { return name.starts_with(affix); });
    return key || (value.type == "str" && value.repr.size() > 1 &&
                   value.repr.substr(1).starts_with(affix));
  });
}

}  // namespace

std::vector<Ingredient> surplus_prefix(const Match& match, const Arguments& arguments) {
  std::string longer = text_of(match, arguments, "of"), shorter = text_of(match, arguments, "over");
  if (longer.size() <= shorter.size() || shorter.empty() || !longer.ends_with(shorter)) return {};
  std::string affix = longer.substr(0, longer.size() - shorter.size());
  if (!is_affix(affix)) return {};
  return {{as_literal(affix), 1}};
}

std::vector<Ingredient> affixed_keys(const Match& match, const Arguments& arguments) {
  std::string missing = text_of(match, arguments, "missing"),
              key = text_of(match, arguments, "key");
  const Value* dict = observed(match, text_of(match, arguments, "object"));
  if (dict == nullptr || missing.empty()) return {};
  bool literal = key.starts_with('"') || key.starts_with('\'');
  Basket basket;
  for (const std::string& present : dict->keys) {
    if (present == missing || present.size() < 2 || missing.size() < 2) continue;
    std::string_view shorter = present.size() < missing.size() ? present : missing,
                     longer = present.size() < missing.size() ? missing : present;
    std::string_view front = longer.substr(0, longer.size() - shorter.size()),
                     back = longer.substr(shorter.size());
    bool in_front = longer.ends_with(shorter) && is_affix(front),
         behind = longer.starts_with(shorter) && is_affix(back);
    if (!in_front && !behind) continue;
    // A word for itself says more than a letter that happens to be there.
    std::string_view affix = in_front ? front : back;
    double weight = affix.find_first_of("_.-/:") != std::string_view::npos ? 1 : 0.5;
    if (literal)
      basket.add(as_literal(present), weight);
    else if (present.size() > missing.size())
      basket.add(joined(affix, key, in_front), weight);
    else
      basket.add(
          fmt::format("{}.remove{}({})", key, in_front ? "prefix" : "suffix", as_literal(affix)),
          weight);
  }
  return basket.take();
}

std::vector<Ingredient> known_prefixes(const Match& match, const Arguments&) {
  static const RE2 taken_off(
      R"x(\.(?:removeprefix|startswith|replace|lstrip|partition)\(\s*["']([\w.-]{2,40}[._/-])["'])x");
  std::string told(match.input.check_text);
  told += "\n" + match.input.failure.message;
  Basket basket;
  auto offer = [&](const std::string& affix, double weight) {
    bool literal =
        told.find('"' + affix) != std::string::npos || told.find('\'' + affix) != std::string::npos;
    if (is_affix(affix) && (literal || is_in_values(match, affix)))
      basket.add(as_literal(affix), weight);
  };
  auto gather = [&](std::string_view text, double weight) {
    re2::StringPiece rest(text.data(), text.size());
    std::string affix;
    while (RE2::FindAndConsume(&rest, taken_off, &affix)) offer(affix, weight);
  };
  gather(match.file.text(), 1);
  for (const char* word : {"removeprefix", "startswith"}) {
    std::size_t read = 0;
    for (const std::string& path : match.input.tree.files_mentioning(word)) {
      if (path != match.file.path() && ++read <= 8) gather(match.input.tree.bytes(path), 0.7);
    }
  }
  // What torch puts in front of the names of a wrapped model.
  offer("module.", 0.4);
  offer("_orig_mod.", 0.4);
  if (mentions_word(told, "compile")) basket.add(as_literal("_orig_mod."), 0.6);
  if (mentions_word(told, "DataParallel") || mentions_word(told, "DistributedDataParallel"))
    basket.add(as_literal("module."), 0.6);
  return basket.take();
}

}  // namespace suture
