#include "repair/validate/sandbox.h"

#include <cstdlib>
#include <system_error>

namespace suture {

std::map<std::string, std::string> base_environment(const std::filesystem::path& interpreter,
                                                    const std::vector<std::string>& pass) {
  std::map<std::string, std::string> environment{
      {"HOME", "/tmp/home"},
      {"TMPDIR", "/tmp"},
      {"LANG", "C.UTF-8"},
      {"NO_COLOR", "1"},
      // The user has no entry in /etc/passwd inside; getpass.getuser() looks here first.
      {"USER", "suture"},
      {"LOGNAME", "suture"},
      {"PYTHONDONTWRITEBYTECODE", "1"},
      {"PYTHONHASHSEED", "0"},
      // One thread: runs are compared with each other, and several run side by side.
      {"OMP_NUM_THREADS", "1"},
      {"OPENBLAS_NUM_THREADS", "1"},
      {"MKL_NUM_THREADS", "1"},
      {"TOKENIZERS_PARALLELISM", "false"},
      {"CUDA_VISIBLE_DEVICES", ""},
  };
  std::string path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  std::filesystem::path folder = interpreter.parent_path();
  if (!folder.empty()) {
    path = folder.string() + ":" + path;
    std::error_code ignored;
    std::filesystem::path prefix = folder.parent_path();
    if (std::filesystem::exists(prefix / "pyvenv.cfg", ignored)) {
      environment["VIRTUAL_ENV"] = prefix.string();
    }
  }
  environment["PATH"] = path;
  for (const std::string& name : pass) {
    if (const char* value = std::getenv(name.c_str())) environment[name] = value;
  }
  return environment;
}

}  // namespace suture
