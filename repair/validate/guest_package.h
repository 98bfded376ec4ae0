#pragma once

#include <filesystem>
#include <string_view>

#include "repair/base/file.h"
#include "repair/base/result.h"
#include "repair/validate/executor.h"

namespace suture {

/// A Python package of ours that takes part in a check run (the probe, the warm server), and the
/// private folder that it may write to. The folder goes with the object.
class GuestPackage {
 public:
  /// `name`: its folder in the share folder, "probe" or "warm". Errors: kInfra.
  static Result<GuestPackage> make(std::string_view name);
  /// What the package may write to; the same path inside the run.
  const std::filesystem::path& out() const { return out_; }
  /// Puts the package in front of the run's PYTHONPATH, and both folders into its reach.
  void join(RunRequest* request) const;

 private:
  GuestPackage(std::filesystem::path package, TemporaryFolder folder)
      : package_(std::move(package)), folder_(std::move(folder)), out_(folder_.path() / "out") {}

  std::filesystem::path package_;
  TemporaryFolder folder_;
  std::filesystem::path out_;
};

}  // namespace suture
