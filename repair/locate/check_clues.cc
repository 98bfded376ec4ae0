#include "repair/locate/check_clues.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "repair/base/file.h"
#include "repair/base/text.h"
#include "repair/locate/statements.h"
#include "repair/syntax/source_file.h"

namespace suture {
namespace {

/// Checks are small; what is larger is a generated file or data.
constexpr std::size_t kMaxCheckBytes = 1 << 20;
constexpr std::size_t kMaxStringBytes = 200;
constexpr std::size_t kLeastWordBytes = 2;

// Weights of words by where they stand in the check.
constexpr double kFailingWord = 1.0;   ///< in the failing statement, its operands, the message
constexpr double kSliceWord = 0.6;     ///< in a statement that makes a value used there
constexpr double kNearbyWord = 0.2;    ///< elsewhere in the same function (script: file)
constexpr double kLocalFactor = 0.25;  ///< the check's own variables share names by accident only

bool is_noise(std::string_view word) {
  static const std::set<std::string_view> kNoise = {
      "assert", "import", "from",   "def",      "class",      "return",
      "if",     "else",   "for",    "in",       "not",        "and",
      "or",     "is",     "None",   "True",     "False",      "with",
      "as",     "lambda", "try",    "except",   "raise",      "self",
      "cls",    "print",  "len",    "str",      "int",        "float",
      "list",   "dict",   "tuple",  "set",      "isinstance", "AssertionError",
      "to",     "of",     "the",    "an",       "sys",        "os",
      "torch",  "check",  "pytest", "unittest", "mock"};
  return word.size() < kLeastWordBytes || kNoise.contains(word);
}

void lift(Words& words, std::string_view word, double weight) {
  if (is_noise(word)) return;
  auto [entry, fresh] = words.emplace(std::string(word), weight);
  if (!fresh) entry->second = std::max(entry->second, weight);
}

/// One file of the check, parsed.
class CheckText {
 public:
  static std::unique_ptr<CheckText> read(const std::string& path) {
    auto text = read_file(path, kMaxCheckBytes);
    if (!text) return nullptr;
    auto parsed = SourceFile::parse(path, std::move(*text), Language::kPython);
    if (!parsed) return nullptr;
    return std::make_unique<CheckText>(std::move(*parsed));
  }
  explicit CheckText(std::unique_ptr<SourceFile> file)
      : file_(std::move(file)), statements_(*file_) {}

  void add_imports_and_strings(CheckClues& clues) const;
  /// The failing statement at a line, what feeds it, and the rest of its function.
  void add_failing_line(int line, CheckClues& clues) const;
  /// Without a failing line all statements count alike.
  void add_everything(CheckClues& clues) const;

 private:
  void add_words(std::string_view text, double weight, CheckClues& clues) const;
  void note(int statement, CheckClues& clues) const;

  std::unique_ptr<SourceFile> file_;
  StatementIndex statements_;
};

void add_import(Node import, CheckClues& clues) {
  const Node module = import.field("module_name");
  for (Node child : import.named_children()) {
    if (module && child == module) continue;
    const Node name = child.kind() == "aliased_import" ? child.field("name") : child;
    if (module) {
      clues.imports.push_back({std::string(module.text()), std::string(name.text())});
    } else {
      clues.imports.push_back({std::string(name.text()), ""});
    }
  }
}

void CheckText::add_imports_and_strings(CheckClues& clues) const {
  walk(file_->root(), [&](Node node) {
    if (node.is({"import_statement", "import_from_statement"})) {
      add_import(node, clues);
      return false;
    }
    if (node.kind() == "string_content" && node.range().size() <= kMaxStringBytes) {
      clues.strings.emplace(node.text());
    }
    return true;
  });
}

void CheckText::add_words(std::string_view text, double weight, CheckClues& clues) const {
  std::set<std::string, std::less<>> own;
  for (const Statement& statement : statements_.all()) {
    if (statement.kind == StatementKind::kImport) continue;
    for (const std::string& name : bound_names(statement)) own.insert(name);
  }
  for (const std::string_view word : identifiers(text)) {
    lift(clues.words, word, own.contains(word) ? weight * kLocalFactor : weight);
    if (weight == kFailingWord && !own.contains(word)) lift(clues.compared, word, weight);
  }
}

void CheckText::note(int statement, CheckClues& clues) const {
  for (int line = statements_[statement].line; line <= statements_[statement].end_line; ++line) {
    clues.slice[file_->path()].insert(line);
  }
}

/// Whether a statement makes or changes one of the values: binds it, or calls a method on it.
bool makes(const Statement& statement, const std::set<std::string, std::less<>>& wanted) {
  for (const std::string& name : bound_names(statement)) {
    if (wanted.contains(name.substr(0, name.find('.')))) return true;
  }
  if (statement.kind != StatementKind::kCall) return false;
  const auto names = identifiers(statement.text);
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return wanted.contains(name); });
}

void CheckText::add_failing_line(int line, CheckClues& clues) const {
  const int failing = statements_.at(line);
  if (failing < 0) return;
  const Statement& at = statements_[failing];
  add_words(at.text, kFailingWord, clues);
  note(failing, clues);
  walk(at.node, [&](Node node) {
    if (node.kind() == "attribute") clues.attributes.emplace(node.field("attribute").text());
    return true;
  });

  std::set<std::string, std::less<>> wanted;
  for (const std::string_view name : identifiers(at.text)) wanted.emplace(name);
  const auto body = statements_.of_function(at.function);
  for (auto index = body.rbegin(); index != body.rend(); ++index) {
    const Statement& statement = statements_[*index];
    if (*index >= failing || statement.kind == StatementKind::kImport) continue;
    if (makes(statement, wanted)) {
      for (const std::string_view name : identifiers(statement.text)) wanted.emplace(name);
      add_words(statement.text, kSliceWord, clues);
      note(*index, clues);
    } else {
      add_words(statement.text, kNearbyWord, clues);
    }
  }
}

void CheckText::add_everything(CheckClues& clues) const {
  for (const Statement& statement : statements_.all()) {
    add_words(statement.text, kSliceWord, clues);
  }
}

struct FailingPlace {
  std::string file;
  int line = 0;
};

/// The frames of the check, outermost first: live ones, else printed ones whose file is the
/// check's.
std::vector<FailingPlace> check_places(const Failure& failure, const Evidence& evidence) {
  std::vector<FailingPlace> places;
  if (evidence.failure() != nullptr) {
    for (const LiveFrame& frame : evidence.failure()->frames) {
      if (frame.in_check) places.push_back({frame.file, frame.at.line});
    }
    if (!places.empty()) return places;
  }
  for (const Frame& frame : failure.frames) {
    for (const std::string& file : evidence.check_files) {
      if (file == frame.file || file.ends_with("/" + frame.file)) {
        places.push_back({file, frame.line});
      }
    }
  }
  return places;
}

void add_operands(const Evidence& evidence, CheckClues& clues) {
  for (const Operand& operand : evidence.operands) {
    for (const std::string_view text :
         {std::string_view(operand.expression), std::string_view(operand.value.repr)}) {
      for (const std::string_view word : identifiers(text)) {
        lift(clues.words, word, kFailingWord);
        lift(clues.compared, word, kFailingWord);
      }
    }
  }
}

}  // namespace

CheckClues read_check(const Failure& failure, const Evidence& evidence) {
  CheckClues clues;
  std::map<std::string, std::unique_ptr<CheckText>> files;
  for (const std::string& path : evidence.check_files) {
    if (!path.ends_with(".py")) continue;
    if (auto text = CheckText::read(path)) files.emplace(path, std::move(text));
  }
  const auto places = check_places(failure, evidence);
  for (const FailingPlace& place : places) {
    const auto file = files.find(place.file);
    if (file != files.end()) file->second->add_failing_line(place.line, clues);
  }
  // Helpers of the check import and stub much that has nothing to do with the failure: only the
  // check itself is read as a whole.
  const std::string main_file = !places.empty()                 ? places.front().file
                                : !evidence.check_files.empty() ? evidence.check_files.front()
                                                                : "";
  if (const auto file = files.find(main_file); file != files.end()) {
    file->second->add_imports_and_strings(clues);
    if (places.empty()) file->second->add_everything(clues);
  }
  if (files.empty() && !failure.frames.empty()) {
    for (const std::string_view word : identifiers(failure.frames.back().source)) {
      lift(clues.words, word, kFailingWord);
      lift(clues.compared, word, kFailingWord);
    }
  }
  add_operands(evidence, clues);
  return clues;
}

}  // namespace suture
