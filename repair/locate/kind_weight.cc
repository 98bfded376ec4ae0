#include "repair/locate/kind_weight.h"

namespace suture {

double kind_weight(const Weights& weights, StatementKind kind) {
  switch (kind) {
    case StatementKind::kCondition:
      return weights.kind_condition;
    case StatementKind::kReturn:
      return weights.kind_return;
    case StatementKind::kAssignment:
      return weights.kind_assignment;
    case StatementKind::kCall:
      return weights.kind_call;
    case StatementKind::kRaise:
      return weights.kind_raise;
    case StatementKind::kLoop:
      return weights.kind_loop;
    case StatementKind::kWith:
      return weights.kind_with;
    case StatementKind::kDef:
      return weights.kind_def;
    case StatementKind::kClass:
      return weights.kind_class;
    case StatementKind::kImport:
      return weights.kind_import;
    case StatementKind::kHandler:
      return weights.kind_handler;
    case StatementKind::kLog:
      return weights.kind_log;
    case StatementKind::kElse:
      return weights.kind_else;
    case StatementKind::kDocstring:
      return weights.kind_docstring;
    case StatementKind::kOther:
      return weights.kind_other;
  }
  return weights.kind_other;
}

}  // namespace suture
