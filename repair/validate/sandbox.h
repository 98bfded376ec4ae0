#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "repair/base/result.h"
#include "repair/process/process_runner.h"
#include "repair/validate/executor.h"

namespace suture {

/// Names a reason for a weaker sandbox, so that each weak spot can be found with grep.
struct Weakening {
  std::string reason;
};

/// What code under test may do. The default: no network, no capabilities, read-only system, private
/// /tmp, /dev and /proc, own process, user, IPC and host name space; killed as a whole.
struct SandboxPolicy {
  ProcessLimits limits;
  std::uint64_t tmp_bytes = 2ull << 30;  ///< size of the private /tmp
  std::vector<Weakening> weakenings;     ///< recorded in every result
};

/// The environment that checks start with: PATH (with the interpreter's folder first), HOME inside
/// the sandbox, LANG, PYTHONDONTWRITEBYTECODE, OMP_NUM_THREADS and the like. Secrets and everything
/// else of suture's own environment stay outside; names in `pass` are copied when set.
std::map<std::string, std::string> base_environment(const std::filesystem::path& interpreter,
                                                    const std::vector<std::string>& pass);

}  // namespace suture
