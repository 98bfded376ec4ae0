#include "repair/reproduce/evidence.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "repair/base/text.h"

namespace suture {
namespace {

/// Reads the steps of an expression such as `.b`, `[0]` or `['k']`.
class Steps {
 public:
  explicit Steps(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  /// The next step from `owner`; null when there is none or it is not a plain step.
  const Value* follow(const Value& owner) {
    if (rest_.front() == '.') {
      rest_.remove_prefix(1);
      return find(owner.attributes, name());
    }
    if (rest_.front() != '[') return nullptr;
    std::size_t close = rest_.find(']');
    if (close == std::string_view::npos) return nullptr;
    std::string_view key = trim(rest_.substr(1, close - 1));
    rest_.remove_prefix(close + 1);
    return item(owner, key);
  }

  std::string_view name() {
    std::size_t end = std::min(rest_.find_first_of(".["), rest_.size());
    std::string_view name = trim(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return name;
  }

  static const Value* find(const Values& values, std::string_view key) {
    auto at = values.find(std::string(key));
    return at == values.end() ? nullptr : &at->second;
  }

 private:
  static const Value* item(const Value& owner, std::string_view key) {
    bool quoted =
        key.size() >= 2 && (key.front() == '\'' || key.front() == '"') && key.back() == key.front();
    if (quoted) {
      std::string text(key.substr(1, key.size() - 2));
      // As Python's repr spells it.
      char quote = text.find('\'') == std::string::npos ? '\'' : '"';
      return find(owner.entries, quote + text + quote);
    }
    std::int64_t index = 0;
    auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc() || end != key.data() + key.size()) return nullptr;
    if (owner.items.empty()) return find(owner.entries, key);
    if (index < 0 && owner.length) index += *owner.length;
    bool seen = index >= 0 && static_cast<std::size_t>(index) < owner.items.size();
    return seen ? &owner.items[static_cast<std::size_t>(index)] : nullptr;
  }

  std::string_view rest_;
};

int last_line(const CalledFunction& called) {
  return std::max(called.last_line, called.lines.empty() ? 0 : *called.lines.rbegin());
}

}  // namespace

const LiveFrame* Evidence::deepest_tree_frame() const {
  if (failure() == nullptr) return nullptr;
  const auto& frames = failure()->frames;
  auto at = std::find_if(frames.rbegin(), frames.rend(), [](const auto& f) { return f.in_tree; });
  return at == frames.rend() ? nullptr : &*at;
}

const CalledFunction* Evidence::function_at(std::string_view file, int line) const {
  const CalledFunction* best = nullptr;
  for (const CalledFunction& each : called) {
    bool spans = each.file == file && each.first_line <= line && line <= last_line(each);
    // Of functions inside each other the innermost begins last.
    if (spans && (best == nullptr || each.first_line > best->first_line)) best = &each;
  }
  return best;
}

bool Evidence::was_executed(std::string_view file, int line) const {
  auto at = executed.find(std::string(file));
  return at != executed.end() && at->second.contains(line);
}

const Value* lookup(const Values& values, std::string_view expression) {
  Steps steps(trim(expression));
  const Value* value = Steps::find(values, steps.name());
  while (value != nullptr && !steps.done()) value = steps.follow(*value);
  return value;
}

}  // namespace suture
