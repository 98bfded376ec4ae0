#include "repair/locate/message.h"

#include <algorithm>
#include <regex>

#include "repair/base/text.h"

namespace suture {
namespace {

/// Longer messages are data dumps; what names things stands in front.
constexpr std::size_t kReadBytes = 1500;
constexpr std::size_t kQuotedBytes = 80;

using Match = std::match_results<std::string_view::const_iterator>;

struct Form {
  std::regex pattern;
  void (*read)(const Match&, MessageFacts&);
};

const std::vector<Form>& forms() {
  using F = MessageFacts;
  static const std::vector<Form> kForms = [] {
    std::vector<Form> forms;
    const auto add = [&forms](const char* pattern, void (*read)(const Match&, F&)) {
      forms.push_back({std::regex(pattern), read});
    };
    add(R"(^(?:type object )?'([\w.]+)'(?: object)? has no attribute '(\w+)')",
        [](const Match& m, F& facts) {
          facts.owner_type = m[1];
          facts.attribute = m[2];
        });
    add(R"(module '([\w.]+)' has no attribute '(\w+)')", [](const Match& m, F& facts) {
      facts.owner_module = m[1];
      facts.attribute = m[2];
    });
    add(R"(cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)')",
        [](const Match& m, F& facts) {
          facts.import_name = m[1];
          facts.owner_module = m[2];
        });
    add(R"(No module named '([\w.]+)')",
        [](const Match& m, F& facts) { facts.owner_module = m[1]; });
    add(R"(name '(\w+)' is not defined)", [](const Match& m, F& facts) { facts.name = m[1]; });
    add(R"((?:local|free) variable '(\w+)')", [](const Match& m, F& facts) {
      facts.name = m[1];
      facts.unbound_local = true;
    });
    add(R"(([\w.<>]+)\(\) (?:got|missing|takes|does not take|keywords must))",
        [](const Match& m, F& facts) { facts.callable = m[1]; });
    add(R"(argument:? '(\w+)')", [](const Match& m, F& facts) { facts.argument = m[1]; });
    add(R"(Can't instantiate abstract class (\w+))",
        [](const Match& m, F& facts) { facts.abstract_class = m[1]; });
    add(R"((__\w+__)(?:\(\))? (?:method )?(?:returned non-|(?:should|must|to) return))",
        [](const Match& m, F& facts) { facts.returned_wrongly = m[1]; });
    add(R"(iter\(\) returned non-iterator)",
        [](const Match&, F& facts) { facts.returned_wrongly = "__iter__"; });
    return forms;
  }();
  return kForms;
}

void read_quoted(std::string_view message, MessageFacts& facts) {
  for (const char quote : {'\'', '"', '`'}) {
    std::size_t open = message.find(quote);
    while (open != std::string_view::npos) {
      const std::size_t close = message.find(quote, open + 1);
      if (close == std::string_view::npos) break;
      const std::string_view inside = message.substr(open + 1, close - open - 1);
      if (!inside.empty() && inside.size() <= kQuotedBytes) facts.quoted.emplace(inside);
      open = message.find(quote, close + 1);
    }
  }
}

}  // namespace

MessageFacts read_message(std::string_view type, std::string_view message) {
  MessageFacts facts;
  message = message.substr(0, kReadBytes);
  for (const Form& form : forms()) {
    Match match;
    if (std::regex_search(message.begin(), message.end(), match, form.pattern)) {
      form.read(match, facts);
    }
  }
  if (type == "UnboundLocalError") facts.unbound_local = true;
  if (type != "TypeError") facts.callable.clear();
  read_quoted(message, facts);
  return facts;
}

}  // namespace suture
