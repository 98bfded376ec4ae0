#include "repair/environment.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <vector>

#include "repair/base/text.h"
#include "repair/base/version.h"
#include "repair/requirements.h"

namespace suture {
namespace {

std::string top_of(std::string_view path) { return std::string(path.substr(0, path.find('.'))); }

bool is_at_or_below(std::string_view path, std::string_view parent) {
  return path == parent ||
         (path.starts_with(parent) && path.substr(parent.size()).starts_with('.'));
}

bool provides(SourceTree& tree, const std::string& module) {
  std::vector<std::string> own = tree.top_level_names();
  return std::ranges::find(own, module) != own.end();
}

/// Draws the advice about one path that a module was asked for in vain.
class Adviser {
 public:
  Adviser(const EnvironmentInput& input, std::string path)
      : input_(input),
        path_(std::move(path)),
        module_(top_of(path_)),
        installed_(input.installed.version(module_)) {
    for (Requirement& each : declared_requirements(input.tree.root())) {
      if (normalised_name(each.name) == normalised_name(module_))
        requirements_.push_back(std::move(each));
    }
  }

  std::optional<EnvironmentAdvice> advise() const {
    if (provides(input_.tree, module_)) return std::nullopt;  // its own code, or later knowledge
    if (auto advice = ruled_out()) return advice;
    if (auto advice = of_facts()) return advice;
    return missing();
  }

 private:
  /// Nothing of that name is installed.
  std::optional<EnvironmentAdvice> missing() const {
    bool import = input_.failure.message.find("No module named") != std::string::npos;
    if (!import || input_.installed.has_module(module_)) return std::nullopt;
    EnvironmentAdvice advice;
    advice.reason = fmt::format(
        "the module `{}` is not installed and no patch makes the check pass without it", module_);
    advice.advice = fmt::format("install a package that provides the module `{}`", module_);
    if (!requirements_.empty()) {
      const Requirement& asked = requirements_.front();
      advice.advice = fmt::format("install {}{}", asked.name, asked.allowed.text());
      advice.reason += fmt::format(" ({} asks for it)", place_of(asked));
    }
    return advice;
  }

  /// The tree's own files do not want the installed version.
  std::optional<EnvironmentAdvice> ruled_out() const {
    auto version = Version::parse(installed_);
    if (!version) return std::nullopt;
    for (const Requirement& asked : requirements_) {
      if (asked.allowed.allows(*version)) continue;
      return EnvironmentAdvice{
          pin(asked.name, asked.allowed.text()),
          fmt::format("{} asks for {}{}, which {} is not, and `{}` is not found in it",
                      place_of(asked), asked.name, asked.allowed.text(), installed_, path_)};
    }
    return std::nullopt;
  }

  /// A fact says since when the name is gone, or since when it is there.
  std::optional<EnvironmentAdvice> of_facts() const {
    if (input_.facts == nullptr) return std::nullopt;
    for (const ApiMove& move : input_.facts->moves()) {
      auto since = Version::parse(move.since), version = Version::parse(version_of(move.library));
      bool old_one = is_at_or_below(move.old_path, path_);
      bool new_one = is_at_or_below(move.new_path, path_);
      bool whole_library = path_ == move.library;
      if (!since || !version || old_one == new_one || whole_library) continue;
      // The new place of a name may lie in another library, of which the fact says nothing.
      bool same_library = move.library == "python" || top_of(move.new_path) == module_;
      if (old_one && *version >= *since) {
        return EnvironmentAdvice{
            pin(move.library, "<" + move.since),
            fmt::format("`{}` is gone from {} since {}, and no patch makes the check pass without "
                        "it",
                        path_, name_of(move.library), move.since)};
      }
      if (new_one && same_library && *version < *since) {
        return EnvironmentAdvice{
            pin(move.library, ">=" + move.since),
            fmt::format("`{}` is in {} since {} only, and no patch makes the check pass without it",
                        path_, name_of(move.library), move.since)};
      }
    }
    return std::nullopt;
  }

  std::string version_of(const std::string& library) const {
    if (library == "python") return input_.evidence.python_version;
    bool own = normalised_name(library) == normalised_name(module_);
    return own ? installed_ : input_.installed.version(library);
  }
  static std::string name_of(const std::string& library) {
    return library == "python" ? "Python" : library;
  }
  static std::string place_of(const Requirement& requirement) {
    return fmt::format("{}:{}", requirement.file, requirement.line);
  }
  std::string pin(const std::string& library, const std::string& allowed) const {
    if (library == "python")
      return fmt::format("run it with Python{} ({} ran it)", allowed,
                         input_.evidence.python_version);
    return fmt::format("pin {}{} ({} is installed)", library, allowed, version_of(library));
  }

  const EnvironmentInput& input_;
  std::string path_, module_, installed_;
  std::vector<Requirement> requirements_;  ///< of the module's distribution, where names are equal
};

}  // namespace

std::string asked_path(const Failure& failure) {
  static const re2::RE2 module("No module named '([\\w.]+)'"),
      name("cannot import name '(\\w+)' from '([\\w.]+)'"),
      attribute("module '([\\w.]+)' has no attribute '(\\w+)'");
  std::string path, last;
  if (failure.kind == FailureKind::kImport) {
    if (re2::RE2::PartialMatch(failure.message, module, &path)) return path;
    if (re2::RE2::PartialMatch(failure.message, name, &last, &path)) return path + "." + last;
  } else if (failure.type_name() == "AttributeError" &&
             re2::RE2::PartialMatch(failure.message, attribute, &path, &last)) {
    return path + "." + last;
  }
  return {};
}

std::optional<EnvironmentAdvice> advise_environment(const EnvironmentInput& input) {
  std::string path = asked_path(input.failure);
  return path.empty() ? std::nullopt : Adviser(input, std::move(path)).advise();
}

}  // namespace suture
