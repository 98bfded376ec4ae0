#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/eval/dataset.h"
#include "repair/base/result.h"

namespace suture {

/// Which instances of a data set to run.
struct Selection {
  std::vector<std::string> ids;  ///< empty: all
  std::optional<std::size_t>
      sample;              ///< of those, how many; nothing: all, in the order of the file
  std::uint64_t seed = 1;  ///< chooses the sample and nothing else
};

/// The first `size` instances in the order of SHA-256("<seed>:<id>") as hexadecimal digits; all
/// when there are fewer. Who has the data set can name the same sample without suture.
std::vector<Instance> sample(std::vector<Instance> instances, std::size_t size, std::uint64_t seed);

/// Applies a selection. Errors: kNotFound naming the ids that the data set lacks.
Result<std::vector<Instance>> select(std::vector<Instance> instances, const Selection& selection);

}  // namespace suture
