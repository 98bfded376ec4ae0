#include "repair/propose/affixes.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <set>

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
      basket.add(fmt::format("{}.remove{}({})", key, in_front ? "prefix" : "suffix", as_literal(affix)),
                 weight);
  }
  return basket.take();
}

std::vector<Ingredient> known_prefixes(const Match& match, const Arguments&) {
  static const RE2 taken_off(
      R"x(\.(?:removeprefix|startswith|replace|lstrip|partition)\(\s*["']([\w.-]{2,40}[._/-])["'])x");
  Basket basket;
  auto offer = [&](const std::string& affix, double weight) {
    bool known = match.input.check_text.find(affix) != std::string_view::npos ||
                 match.input.failure.message.find(affix) != std::string::npos;
    if (known && is_affix(affix)) basket.add(as_literal(affix), weight);
  };
  auto gather = [&](std::string_view text, double weight) {
    re2::StringPiece rest(text.data(), text.size());
    std::string affix;
    while (RE2::FindAndConsume(&rest, taken_off, &affix)) offer(affix, weight);
  };
  gather(match.file.text(), 1);
  std::size_t read = 0;
  for (const std::string& path : match.input.tree.files_mentioning("removeprefix")) {
    if (path == match.file.path() || ++read > 8) continue;
    gather(match.input.tree.bytes(path), 0.8);
  }
  read = 0;
  for (const std::string& path : match.input.tree.files_mentioning("startswith")) {
    if (path == match.file.path() || ++read > 12) continue;
    gather(match.input.tree.bytes(path), 0.6);
  }
  // The wrappers of torch.
  for (const char* affix : {"module.", "_orig_mod.", "model."}) offer(affix, 0.4);
  return basket.take();
}

}  // namespace suture
