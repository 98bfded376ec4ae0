#include "repair/scan/source_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "repair/base/text.h"
#include "repair/syntax/source_list.h"
#include "repair/vcs/ignore.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

/// Whether a folder on the way is hidden, or holds code of others.
bool set_aside(const std::string& path) {
  static constexpr std::array<std::string_view, 7> kOthers = {
      "third_party", "third-party", "thirdparty", "3rdparty", "vendor", "vendored", "_vendor"};
  std::vector<std::string> parts = split(path, '/');
  parts.pop_back();  // the file itself
  return std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part.starts_with('.') ||
           std::find(kOthers.begin(), kOthers.end(), part) != kOthers.end();
  });
}

class Collector {
 public:
  explicit Collector(const StaticPatterns& patterns) : patterns_(patterns) {}

  Status add(const fs::path& named) {
    std::error_code ec;
    fs::file_status status = fs::status(named, ec);
    if (!fs::exists(status))
      return fail(ErrorKind::kNotFound, fmt::format("no such file or folder: {}", named.string()));
    if (fs::is_directory(status)) return add_folder(named);
    fs::path folder = named.has_parent_path() ? named.parent_path() : fs::path(".");
    add_file(folder, named.filename().string(), named);
    return {};
  }

  std::vector<ScanSource> take() { return std::move(sources_); }

 private:
  Status add_folder(const fs::path& named) {
    std::error_code ec;
    fs::path root = fs::canonical(named, ec);
    if (ec)
      return fail(ErrorKind::kInfra,
                  fmt::format("cannot read {}: {}", named.string(), ec.message()));
    TRY(IgnoreRules rules, IgnoreRules::of(root));
    for (const std::string& path : list_sources(root)) {
      auto language = language_of(path);
      if (!language || !patterns_.cover(*language) || set_aside(path) || rules.ignore(path))
        continue;
      add_file(named, path, named / path);
    }
    return {};
  }

  void add_file(const fs::path& folder, const std::string& path, const fs::path& whole) {
    std::error_code ec;
    if (!known_.insert(fs::weakly_canonical(whole, ec).string()).second) return;
    sources_.push_back({folder, path, whole.lexically_normal().generic_string()});
  }

  const StaticPatterns& patterns_;
  std::set<std::string> known_;
  std::vector<ScanSource> sources_;
};

}  // namespace

Result<std::vector<ScanSource>> sources_to_scan(const std::vector<fs::path>& paths,
                                                const StaticPatterns& patterns) {
  Collector collector(patterns);
  for (const fs::path& path : paths) TRY_STATUS(collector.add(path));
  return collector.take();
}

}  // namespace suture
