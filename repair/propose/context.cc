#include "repair/propose/context.h"

namespace suture {

Node Match::node_of(std::string_view name) const {
  auto at = bindings.find(name);
  return at == bindings.end() ? Node() : at->second.node;
}

std::string_view Match::text_of(std::string_view name) const {
  auto at = bindings.find(name);
  return at == bindings.end() ? std::string_view() : std::string_view(at->second.text);
}

const Values* observed_scope(const Match& match) {
  Node function = enclosing_function(match.node);
  auto runs_match = [&](const LiveFrame& frame) {
    if (!frame.in_tree || frame.file != match.file.path()) return false;
    if (!function) return frame.function == "<module>";
    return function.line() <= frame.at.line && frame.at.line <= function.end_line() &&
           frame.first_line >= function.line() - 20 && frame.first_line <= function.end_line();
  };
  for (auto exception = match.input.evidence.exceptions.rbegin();
       exception != match.input.evidence.exceptions.rend(); ++exception) {
    for (auto frame = exception->frames.rbegin(); frame != exception->frames.rend(); ++frame) {
      if (runs_match(*frame)) return &frame->locals;
    }
  }
  const CalledFunction* call =
      match.input.evidence.function_at(match.file.path(), match.node.line());
  return call == nullptr ? nullptr : &call->locals;
}

const Value* observed(const Match& match, std::string_view expression) {
  const Values* scope = observed_scope(match);
  if (scope != nullptr) {
    if (const Value* value = lookup(*scope, expression)) return value->known() ? value : nullptr;
  }
  const CalledFunction* call =
      match.input.evidence.function_at(match.file.path(), match.node.line());
  if (call != nullptr) {
    if (const Value* value = lookup(call->arguments, expression))
      return value->known() ? value : nullptr;
  }
  return nullptr;
}

double type_fit(const Match& match, std::string_view candidate, const Value* wanted) {
  if (wanted == nullptr || wanted->none()) return 0.6;
  const Value* value = observed(match, candidate);
  if (value == nullptr) return 0.6;
  if (value->type == wanted->type) return 1;
  auto number = [](const Value& v) {
    return v.type == "int" || v.type == "float" || v.type == "bool";
  };
  return number(*value) && number(*wanted) ? 0.7 : 0.2;
}

}  // namespace suture
