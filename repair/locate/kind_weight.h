#pragma once

#include "repair/locate/statements.h"
#include "repair/locate/weights.h"

namespace suture {

/// How often a statement of this kind is the one that was wrong, relative to conditions.
double kind_weight(const Weights& weights, StatementKind kind);

}  // namespace suture
