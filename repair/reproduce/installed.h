#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "repair/base/cancel.h"
#include "repair/reproduce/asking_process.h"

namespace suture {

/// A parameter of a callable, as inspect tells.
struct Parameter {
  std::string name;
  enum class Kind {
    kPositionalOnly,
    kPositionalOrKeyword,
    kVarPositional,
    kKeywordOnly,
    kVarKeyword
  } kind = Kind::kPositionalOrKeyword;
  bool has_default = false;
  std::string default_text;  ///< repr of a simple default
};

/// Where a name can be imported from.
struct Export {
  std::string module, name;
  std::string kind;  ///< "class", "function", "module", "value"
};

/// Questions to the packages installed in the check's interpreter, asked in a clean process (never
/// in the process of the check, whose stubs say yes to everything). Distributions whose import name
/// the tree under repair provides are out of bounds: asking about them finds nothing (later
/// knowledge).
class Installed {
 public:
  virtual ~Installed() = default;
  /// Whether `import module` finds something installed (or in the standard library).
  virtual bool has_module(const std::string& module) = 0;
  /// Names of an installed module (private ones too, dunder names not); empty when it cannot be
  /// imported.
  virtual std::vector<std::string> names_of(const std::string& module) = 0;
  /// Modules of the same top-level package (and the standard library) that have `name`.
  virtual std::vector<Export> exporters(const std::string& name,
                                        const std::string& near_module) = 0;
  /// Parameters of "module:qualified.name"; nothing when it has no signature.
  virtual std::optional<std::vector<Parameter>> signature(const std::string& callable) = 0;
  /// Version of the distribution that provides the module; empty when there is none.
  virtual std::string version(const std::string& module) = 0;
};

/// Knows nothing. For checks that have no Python.
class NothingInstalled final : public Installed {
 public:
  bool has_module(const std::string&) override { return false; }
  std::vector<std::string> names_of(const std::string&) override { return {}; }
  std::vector<Export> exporters(const std::string&, const std::string&) override { return {}; }
  std::optional<std::vector<Parameter>> signature(const std::string&) override {
    return std::nullopt;
  }
  std::string version(const std::string&) override { return {}; }
};

/// Asks a process that the executor starts with the first question; answers are kept for the job.
class ProbeInstalled final : public Installed {
 public:
  /// `own_names`: import names that the tree provides. References must outlive the object.
  ProbeInstalled(Executor& executor, std::string interpreter,
                 std::map<std::string, std::string> check_env, std::vector<std::string> own_names,
                 CancelToken cancel);
  bool has_module(const std::string& module) override;
  std::vector<std::string> names_of(const std::string& module) override;
  std::vector<Export> exporters(const std::string& name, const std::string& near_module) override;
  std::optional<std::vector<Parameter>> signature(const std::string& callable) override;
  std::string version(const std::string& module) override;

 private:
  std::string ask(const std::string& question_json);

  Executor& executor_;
  std::string interpreter_;
  std::map<std::string, std::string> env_;
  std::vector<std::string> own_names_;
  CancelToken cancel_;
  std::mutex mutex_;
  std::map<std::string, std::string> answers_;
  std::unique_ptr<AskingProcess> process_;
};

}  // namespace suture
