#include "repair/locate/scene.h"

#include <algorithm>

#include "repair/base/text.h"
#include "repair/locate/called_functions.h"

namespace suture {
namespace {

/// A name with more definitions than this (`forward`, `__init__`) names nothing.
constexpr std::size_t kMaxNamed = 6;

std::string_view last_part(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

std::string exception_class(const Failure& failure, const Evidence& evidence) {
  if (evidence.failure() != nullptr && !evidence.failure()->type.empty()) {
    return std::string(last_part(evidence.failure()->type));
  }
  return std::string(last_part(failure.type));
}

MessageFacts message_of(const Failure& failure, const Evidence& evidence,
                        const std::string& exception) {
  const LiveException* live = evidence.failure();
  const bool live_speaks = live != nullptr && !live->message.empty();
  return read_message(exception, live_speaks ? live->message : failure.message);
}

/// "f.<locals>.g" as the syntax layer writes it: "f.g".
std::string without_locals(std::string_view qualname) {
  return replace_all(std::string(qualname), ".<locals>", "");
}

/// Whether a text has the head of a definition: "def f", "class C". Cheaper than parsing it.
bool may_define(std::string_view text, std::string_view name) {
  for (const std::string_view keyword : {"def ", "class "}) {
    const std::string head = std::string(keyword) + std::string(name);
    std::size_t at = text.find(head);
    while (at != std::string_view::npos) {
      const std::string_view after = text.substr(at + head.size(), 1);
      if (after.empty() || !is_identifier("_" + std::string(after))) return true;
      at = text.find(head, at + 1);
    }
  }
  return false;
}

}  // namespace

Scene::Scene(const LocateInput& input, const Weights& weights)
    : input_(input),
      weights_(weights),
      suspects_(weights),
      frames_(failure_frames(input.tree, input.failure, input.evidence)),
      exception_(exception_class(input.failure, input.evidence)),
      message_(message_of(input.failure, input.evidence, exception_)),
      check_(read_check(input.failure, input.evidence)) {
  for (const CalledFunction& called : input.evidence.called) {
    calls_.emplace(std::make_pair(called.file, called.first_line), &called);
  }
}

Scene::~Scene() = default;

const StatementIndex* Scene::statements(std::string_view path) {
  const auto known = indexes_.find(path);
  if (known != indexes_.end()) return known->second.get();
  const SourceFile* file = tree().source(path);
  auto index = file != nullptr ? std::make_unique<StatementIndex>(*file) : nullptr;
  return indexes_.emplace(std::string(path), std::move(index)).first->second.get();
}

FoundDefinition Scene::find(const Definition& definition) {
  const StatementIndex* index = statements(definition.file);
  if (index == nullptr) return {};
  return {index, index->at(definition.line)};
}

bool Scene::ran(const StatementIndex& index, int statement) const {
  // `else:` has no line of its own for a tracer; its first statement tells.
  if (index[statement].is_else() && statement + 1 < int(index.all().size())) ++statement;
  const auto file = evidence().executed.find(index.file().path());
  if (file == evidence().executed.end()) return evidence().executed.empty();
  const auto line = file->second.lower_bound(index[statement].line);
  return line != file->second.end() && *line <= index[statement].end_line;
}

const CalledFunction* Scene::call_of(const FoundDefinition& function) const {
  if (!function) return nullptr;
  const Statement& header = (*function.index)[function.statement];
  for (int line = header.line; line <= header.end_line; ++line) {  // its decorator's or its own
    const auto found = calls_.find({function.index->file().path(), line});
    if (found != calls_.end()) return found->second;
  }
  return nullptr;
}

const std::vector<WeighedFunction>& Scene::called() {
  if (!called_) called_ = std::make_unique<std::vector<WeighedFunction>>(weigh_called(*this));
  return *called_;
}

const std::vector<FoundDefinition>& Scene::loaded(std::string_view name) {
  const auto known = loaded_.find(name);
  if (known != loaded_.end()) return known->second;
  std::vector<FoundDefinition>& found = loaded_[std::string(name)];
  if (!is_identifier(name)) return found;
  for (const auto& [path, lines] : evidence().executed) {
    if (is_test_path(path) || !may_define(tree().bytes(path), name)) continue;
    const StatementIndex* index = statements(path);
    for (int at = 0; index != nullptr && at < int(index->all().size()); ++at) {
      const Statement& statement = (*index)[at];
      if (!statement.is_def() && statement.kind != StatementKind::kClass) continue;
      if (undecorated(statement.node).field("name").text() == name) found.push_back({index, at});
    }
  }
  return found;
}

FoundDefinition Scene::resolve(const std::string& file, std::string_view name) {
  const StatementIndex* index = statements(file);
  if (index != nullptr) {
    const int here = index->definition(name);
    if (here >= 0) return {index, here};
  }
  if (const auto& known = loaded(name); known.size() == 1) return known.front();
  const auto definition = tree().resolve(file, name);
  return definition ? find(*definition) : FoundDefinition{};
}

std::vector<FoundDefinition> Scene::named(std::string_view dotted) {
  const std::string qualname = without_locals(dotted);
  std::vector<FoundDefinition> found;
  const auto add = [&](const FoundDefinition& definition) {
    if (!definition || is_test_path(definition.index->file().path())) return;
    const std::string name = definition.index->qualname(definition.statement);
    if (name != qualname && !name.ends_with("." + qualname)) return;
    const bool known = std::any_of(found.begin(), found.end(), [&](const FoundDefinition& other) {
      return other.index == definition.index && other.statement == definition.statement;
    });
    if (!known && found.size() < kMaxNamed) found.push_back(definition);
  };
  for (const CalledFunction& called : evidence().called) {
    if (last_part(called.qualname) != last_part(qualname)) continue;
    const StatementIndex* index = statements(called.file);
    if (index != nullptr) add({index, index->function_starting_at(called.first_line)});
  }
  for (const FoundDefinition& definition : loaded(last_part(qualname))) add(definition);
  if (!found.empty()) return found;
  for (const Definition& definition : tree().definitions(last_part(qualname))) {
    const bool callable = definition.kind == Definition::Kind::kFunction ||
                          definition.kind == Definition::Kind::kClass;
    if (callable) add(find(definition));
  }
  return found;
}

std::vector<FoundDefinition> Scene::callees(Node call, const TreeFrame* frame) {
  const Node function = call.field("function");
  const std::string text(function.text());
  if (text.empty() || text.size() > 200) return {};
  // What the run saw is certain.
  if (frame != nullptr && frame->live != nullptr) {
    const Value* value = lookup(frame->live->locals, text);
    if (value != nullptr && !value->callable.empty()) {
      const std::size_t colon = value->callable.find(':');
      const auto file = tree().file_of_module(value->callable.substr(0, colon));
      if (file && colon != std::string::npos) {
        const StatementIndex* index = statements(*file);
        const std::string qualname = without_locals(value->callable.substr(colon + 1));
        if (index != nullptr) return {{index, index->definition(qualname)}};
      }
    }
  }
  std::vector<FoundDefinition> found;
  if (function.kind() == "identifier") {
    if (const FoundDefinition at = resolve(call.file()->path(), text)) found.push_back(at);
    return found;
  }
  const std::string_view name = last_part(text);
  // A method: of all its definitions those that the check ran, else the only one.
  for (const CalledFunction& called : evidence().called) {
    if (last_part(called.qualname) != name) continue;
    const StatementIndex* index = statements(called.file);
    if (index == nullptr) continue;
    const FoundDefinition at{index, index->function_starting_at(called.first_line)};
    if (at && found.size() < kMaxNamed) found.push_back(at);
  }
  if (!found.empty() || !evidence().empty()) return found;
  const auto definitions = tree().definitions(name);
  if (definitions.size() == 1) {
    if (const FoundDefinition at = find(definitions.front())) found.push_back(at);
  }
  return found;
}

}  // namespace suture
