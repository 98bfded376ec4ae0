#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "repair/base/file.h"
#include "repair/validate/hidden_places.h"
#include "repair/validate/needed_paths.h"
#include "repair/validate/sandbox.h"
#include "repair/validate/verdict.h"
#include "tests/support/shell.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using testing::write;

bool contains(const std::vector<fs::path>& paths, const fs::path& path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

TEST(BaseEnvironmentTest, HoldsWhatChecksNeedAndNothingOfOurs) {
  setenv("SUTURE_SECRET", "leaked", 1);
  setenv("SUTURE_PASSED", "on", 1);
  unsetenv("SUTURE_UNSET");
  auto environment = base_environment("/opt/py/bin/python3", {"SUTURE_PASSED", "SUTURE_UNSET"});
  EXPECT_TRUE(environment["PATH"].starts_with("/opt/py/bin:")) << environment["PATH"];
  EXPECT_EQ(environment["SUTURE_PASSED"], "on");
  EXPECT_EQ(environment.count("SUTURE_SECRET"), 0u);
  EXPECT_EQ(environment.count("SUTURE_UNSET"), 0u);
  EXPECT_EQ(environment.count("VIRTUAL_ENV"), 0u);
  EXPECT_EQ(environment["PYTHONHASHSEED"], "0");
  EXPECT_EQ(environment.at("CUDA_VISIBLE_DEVICES"), "");
  unsetenv("SUTURE_SECRET");
  unsetenv("SUTURE_PASSED");
}

TEST(BaseEnvironmentTest, WithoutInterpreterThePathIsTheSystems) {
  EXPECT_TRUE(base_environment("", {})["PATH"].starts_with("/usr/"));
}

TEST(NeededPathsTest, EnvironmentsAreShownWhole) {
  TemporaryFolder folder = TemporaryFolder::make().value();
  fs::path base = folder.path() / "base";
  fs::path venv = folder.path() / "venv";
  write(base / "bin" / "python3.11", "");
  write(base / "lib" / "python3.11" / "os.py", "");
  write(folder.path() / "linked" / "m.py", "");
  write(venv / "pyvenv.cfg", "home = " + (base / "bin").string() + "\nversion = 3.11\n");
  write(venv / "lib" / "python3.11" / "site-packages" / "e.pth",
        "import site\n" + (folder.path() / "linked").string() + "\n/no/such\n");
  fs::create_directories(venv / "bin");
  auto paths = environment_paths({{"PATH", (venv / "bin").string() + ":/no/such/bin"}});
  EXPECT_TRUE(contains(paths, venv));
  EXPECT_TRUE(contains(paths, base));
  EXPECT_TRUE(contains(paths, folder.path() / "linked"));
  EXPECT_EQ(paths.size(), 3u);
}

TEST(NeededPathsTest, UserFolderIsNotShownWhole) {
  TemporaryFolder folder = TemporaryFolder::make().value();
  fs::path local = folder.path() / ".local";
  write(local / "bin" / "tool", "");
  write(local / "lib" / "python3.11" / "site-packages" / "m.py", "");
  write(local / "share" / "keyrings" / "secret", "");
  auto paths = environment_paths({{"PATH", (local / "bin").string()}});
  EXPECT_TRUE(contains(paths, local / "bin"));
  EXPECT_TRUE(contains(paths, local / "lib"));
  EXPECT_FALSE(contains(paths, local));
}

TEST(HiddenPlacesTest, FindsTheHiddenFolderAbove) {
  HiddenPlaces hidden;
  hidden.folders = {"/home"};
  EXPECT_NE(hidden.above("/home/user/x"), nullptr);
  EXPECT_NE(hidden.above("/home"), nullptr);
  EXPECT_EQ(hidden.above("/homestead/x"), nullptr);
  EXPECT_EQ(hidden.above("/"), nullptr);
}

TEST(HiddenPlacesTest, NeverHidesTheRoot) {
  std::string before = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  setenv("HOME", "/", 1);
  EXPECT_FALSE(contains(find_hidden_places().folders, "/"));
  setenv("HOME", before.c_str(), 1);
}

TEST(VerdictTest, HasAWordForEach) {
  EXPECT_EQ(to_string(Verdict::kPassed), "PASSED");
  EXPECT_EQ(to_string(Verdict::kNotRun), "NOT_RUN");
  EXPECT_EQ(to_string(Verdict::kInfraError), "INFRA_ERROR");
}

}  // namespace
}  // namespace suture
