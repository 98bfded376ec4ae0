#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "repair/base/text.h"
#include "repair/reproduce/evidence.h"

// The probe's file comes from a process that ran code under test: every size, type and path in it
// may be a lie. What does not fit is left out, so that one odd value does not cost the rest.

namespace suture {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 9 << 20;  // the probe stops at 8
constexpr int kMaxDepth = 64;
constexpr int kFormat = 1;
constexpr std::size_t kMaxText = 500, kMaxMessage = 8000;
constexpr std::size_t kMaxExceptions = 10, kMaxSwallowed = 20, kMaxFrames = 100;
constexpr std::size_t kMaxValues = 100;  // locals of a frame, attributes of an object
constexpr std::size_t kMaxItems = 8, kMaxKeys = 50, kMaxEntries = 16, kMaxMembers = 300;
constexpr std::size_t kMaxOperands = 50, kMaxCalled = 500, kMaxFiles = 5000, kMaxNames = 5000,
                      kMaxTests = 2000;
constexpr int kMaxLevels = 6;  // of values inside values
constexpr std::int64_t kMaxLine = 10'000'000;
constexpr std::size_t kMaxLines = 100'000;  // of one file
// Member names are stored with each value that has them; this bounds the memory of all together.
constexpr std::size_t kAllMembers = 300'000;

/// How deep brackets are nested. Asked before parsing: each level of a parsed text costs memory,
/// and the parser's own callback for limits takes quadratic time.
int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

/// The member of an object; null when it is absent or `object` is none.
const json& at(const json& object, const char* key) {
  static const json nothing;
  if (!object.is_object()) return nothing;
  auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::string text(const json& value, std::size_t limit = kMaxText) {
  return value.is_string() ? elide_middle(value.get_ref<const std::string&>(), limit) : "";
}

std::int64_t number(const json& value) {
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

int line(const json& value) {
  return static_cast<int>(std::clamp<std::int64_t>(number(value), 0, kMaxLine));
}

bool flag(const json& value) { return value.is_boolean() && value.get<bool>(); }

/// Calls `use` with each element of an array, `limit` at most.
template <class Use>
void each(const json& array, std::size_t limit, Use use) {
  if (!array.is_array()) return;
  for (const json& element : array) {
    if (limit-- == 0) return;
    use(element);
  }
}

template <class Use>
void each_entry(const json& object, std::size_t limit, Use use) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    if (limit-- == 0) return;
    use(key, value);
  }
}

std::vector<std::string> texts(const json& array, std::size_t limit) {
  std::vector<std::string> result;
  each(array, limit, [&](const json& element) {
    if (element.is_string()) result.push_back(text(element));
  });
  return result;
}

std::set<int> lines(const json& array) {
  std::set<int> result;
  each(array, kMaxLines, [&](const json& element) {
    if (int number = line(element); number > 0) result.insert(number);
  });
  return result;
}

/// Whether a path can be the name of a file of the tree.
bool is_inside(const std::string& file) {
  std::filesystem::path path(file);
  if (file.empty() || path.is_absolute() || file.find('\0') != std::string::npos) return false;
  return std::find(path.begin(), path.end(), "..") == path.end();
}

class Reader {
 public:
  explicit Reader(const json& root) : root_(root) {
    each(at(root, "classes"), kMaxNames,
         [&](const json& names) { classes_.push_back(texts(names, kMaxMembers)); });
  }

  Evidence read() {
    Evidence evidence;
    evidence.python_version = text(at(root_, "python"), 40);
    evidence.tree = text(at(root_, "tree"), kMaxMessage);
    evidence.exceptions = exceptions(at(root_, "exceptions"), kMaxExceptions);
    evidence.swallowed = exceptions(at(root_, "swallowed"), kMaxSwallowed);
    each(at(root_, "operands"), kMaxOperands, [&](const json& operand) {
      std::string expression = text(at(operand, "expression"));
      if (!expression.empty()) {
        evidence.operands.push_back({std::move(expression), value(at(operand, "value"), 0)});
      }
    });
    each(at(root_, "called"), kMaxCalled, [&](const json& entry) {
      if (is_inside(text(at(entry, "file")))) evidence.called.push_back(called(entry));
    });
    std::stable_sort(evidence.called.begin(), evidence.called.end(),
                     [](const auto& a, const auto& b) { return a.order < b.order; });
    each_entry(at(root_, "executed"), kMaxFiles, [&](const std::string& file, const json& array) {
      if (is_inside(file)) evidence.executed[file] = lines(array);
    });
    for (std::string& file : texts(at(root_, "opened"), kMaxFiles)) {
      if (is_inside(file)) evidence.opened.push_back(std::move(file));
    }
    each(at(root_, "tests"), kMaxTests, [&](const json& entry) { add_test(entry, evidence); });
    evidence.check_files = texts(at(root_, "check_files"), kMaxFiles);
    each(at(root_, "packages"), kMaxNames, [&](const json& package) {
      std::string name = text(at(package, "name"), 200);
      if (!name.empty()) {
        evidence.packages.push_back({std::move(name), text(at(package, "version"), 200)});
      }
    });
    each_entry(at(root_, "mocked"), kMaxNames, [&](const std::string& name, const json& why) {
      evidence.mocked[name] = text(why);
    });
    each_entry(at(root_, "modules"), kMaxNames, [&](const std::string& name, const json& file) {
      if (is_inside(text(file))) evidence.modules[name] = text(file);
    });
    return evidence;
  }

 private:
  std::vector<LiveException> exceptions(const json& array, std::size_t limit) {
    std::vector<LiveException> result;
    each(array, limit, [&](const json& entry) {
      LiveException exception;
      exception.type = text(at(entry, "type"));
      exception.module = text(at(entry, "module"));
      exception.message = text(at(entry, "message"), kMaxMessage);
      exception.escaped = flag(at(entry, "escaped"));
      each(at(entry, "frames"), kMaxFrames,
           [&](const json& each_frame) { exception.frames.push_back(frame(each_frame)); });
      if (!exception.type.empty()) result.push_back(std::move(exception));
    });
    return result;
  }

  /// An id that would have to be cut is none.
  static void add_test(const json& entry, Evidence& evidence) {
    using How = RanTest::How;
    std::string id = text(at(entry, "id"), kMaxMessage), outcome = text(at(entry, "outcome"));
    if (id.empty() || id.size() > kMaxText || id.find('\0') != std::string::npos) return;
    if (outcome == "passed") evidence.tests.push_back({std::move(id), How::kPassed});
    if (outcome == "failed") evidence.tests.push_back({std::move(id), How::kFailed});
    if (outcome == "skipped") evidence.tests.push_back({std::move(id), How::kSkipped});
  }

  LiveFrame frame(const json& entry) {
    LiveFrame result;
    result.file = text(at(entry, "file"));
    result.in_tree = flag(at(entry, "in_tree")) && is_inside(result.file);
    result.in_check = flag(at(entry, "in_check")) && !result.in_tree;
    result.function = text(at(entry, "function"));
    result.qualname = text(at(entry, "qualname"));
    if (result.qualname.empty()) result.qualname = result.function;
    result.first_line = line(at(entry, "first_line"));
    result.at = range(at(entry, "at"));
    result.locals = values(at(entry, "locals"), 0);
    return result;
  }

  static SourceRange range(const json& array) {
    SourceRange result;
    if (!array.is_array() || array.size() != 4) return result;
    result.line = line(array[0]);
    result.end_line = std::max(result.line, line(array[1]));
    if (number(array[2]) >= 0 && number(array[3]) >= 0 && array[2].is_number_integer()) {
      result.column = line(array[2]);
      result.end_column = line(array[3]);
    }
    return result;
  }

  CalledFunction called(const json& entry) {
    CalledFunction result;
    result.file = text(at(entry, "file"));
    result.qualname = text(at(entry, "qualname"));
    result.first_line = line(at(entry, "first_line"));
    result.last_line = line(at(entry, "last_line"));
    result.calls = std::max<std::int64_t>(0, number(at(entry, "calls")));
    result.order = number(at(entry, "order"));
    result.during_import = flag(at(entry, "during_import"));
    result.lines = lines(at(entry, "lines"));
    result.arguments = values(at(entry, "arguments"), 0);
    result.locals = values(at(entry, "locals"), 0);
    if (at(entry, "returned").is_object()) result.returned = value(at(entry, "returned"), 0);
    result.raised = text(at(entry, "raised"));
    result.caller_file = text(at(entry, "caller_file"));
    result.caller_line = line(at(entry, "caller_line"));
    return result;
  }

  Values values(const json& object, int level) {
    Values result;
    if (level > kMaxLevels) return result;
    each_entry(object, kMaxValues, [&](const std::string& name, const json& entry) {
      if (name.size() <= kMaxText) result[name] = value(entry, level);
    });
    return result;
  }

  Value value(const json& entry, int level) {
    Value result;
    result.type = text(at(entry, "type"));
    result.module = text(at(entry, "module"));
    result.repr = text(at(entry, "repr"));
    if (at(entry, "length").is_number_integer()) result.length = number(at(entry, "length"));
    each(at(entry, "shape"), kMaxKeys,
         [&](const json& size) { result.shape.push_back(number(size)); });
    result.dtype = text(at(entry, "dtype"));
    result.device = text(at(entry, "device"));
    result.keys = texts(at(entry, "keys"), kMaxKeys);
    result.dynamic = flag(at(entry, "dynamic"));
    result.callable = text(at(entry, "callable"));
    result.signature = text(at(entry, "signature"), kMaxMessage);
    if (level < kMaxLevels) {
      result.attributes = values(at(entry, "attributes"), level + 1);
      each_entry(at(entry, "entries"), kMaxEntries, [&](const std::string& key, const json& item) {
        if (key.size() <= kMaxText) result.entries[key] = value(item, level + 1);
      });
      each(at(entry, "items"), kMaxItems,
           [&](const json& item) { result.items.push_back(value(item, level + 1)); });
    }
    add_members(entry, result);
    return result;
  }

  /// Names of the class (kept once for all its instances) and of the instance.
  void add_members(const json& entry, Value& value) {
    const json& index = at(entry, "class");
    std::vector<std::string> names;
    if (index.is_number_unsigned() && index.get<std::size_t>() < classes_.size()) {
      names = classes_[index.get<std::size_t>()];
    }
    for (const auto& [name, attribute] : value.attributes) names.push_back(name);
    for (std::string& name : texts(at(entry, "extra"), kMaxMembers))
      names.push_back(std::move(name));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    names.resize(std::min({names.size(), kMaxMembers, kAllMembers - members_}));
    members_ += names.size();
    value.members = std::move(names);
  }

  const json& root_;
  std::vector<std::vector<std::string>> classes_;
  std::size_t members_ = 0;
};

}  // namespace

Result<Evidence> parse_evidence(std::string_view text) {
  auto unusable = [](std::string why) {
    return fail(ErrorKind::kInfra, "the evidence of the traced run cannot be used: " + why);
  };
  if (text.size() > kMaxBytes) return unusable("it is too large");
  if (depth_of(text) > kMaxDepth) return unusable("it is nested too deeply");
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) return unusable("it is not a JSON object");
  if (number(at(root, "format")) != kFormat) return unusable("its format is unknown");
  Evidence evidence = Reader(root).read();
  if (evidence.empty()) return unusable("it names no Python version");
  return evidence;
}

}  // namespace suture
