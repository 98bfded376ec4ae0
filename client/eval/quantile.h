#pragma once

#include <vector>

namespace suture {

/// The value below which a share (0 to 1) of the values lies, between neighbours in proportion; 0.5
/// is the median. 0 for no values.
double quantile(std::vector<double> values, double share);

}  // namespace suture
