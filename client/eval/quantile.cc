#include "client/eval/quantile.h"

#include <algorithm>
#include <cstddef>

namespace suture {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  double at = share * double(values.size() - 1);
  auto below = std::size_t(at);
  std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - double(below)) * (values[above] - values[below]);
}

}  // namespace suture
