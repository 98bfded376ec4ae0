#include "repair/cache/surroundings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "repair/base/file.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

class SurroundingsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
    write("tree/m.py", "x = 1\n");
    write("env/pyvenv.cfg", "version = 3.11.2\n");
    write("env/bin/python3", "#!/bin/sh\n");
    write("env/lib/python3.11/site-packages/torch-2.1.0.dist-info/METADATA", "Version: 2.1.0\n");
    write("linked/lib.py", "x = 1\n");
    write("checks/check.py", "import helper, shutil\nhelper.check()\n");
    write("checks/helper.py", "def check(): ...\n");
    write("checks/other.py", "");
    options_.tree = folder_->path() / "tree";
    options_.environment = {{"PATH", (folder_->path() / "env/bin").string()}};
  }
  void write(const std::string& name, const std::string& text) {
    fs::path path = folder_->path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string surroundings() const {
    return digest_of_surroundings(options_, folder_->path() / "env/bin/python3", "0.1.0");
  }
  std::string check(const std::vector<std::string>& command) const {
    Check check;
    check.command = command;
    return digest_of_check(check, options_.tree);
  }

  std::optional<TemporaryFolder> folder_;
  LocalExecutorOptions options_;
};

TEST_F(SurroundingsTest, InstalledDistributionsAreTold) {
  std::string before = surroundings();
  EXPECT_EQ(surroundings(), before);
  fs::path packages = folder_->path() / "env/lib/python3.11/site-packages";
  fs::rename(packages / "torch-2.1.0.dist-info", packages / "torch-2.2.0.dist-info");
  std::string upgraded = surroundings();
  EXPECT_NE(upgraded, before);
  write("env/lib/python3.11/site-packages/numpy-1.0.dist-info/METADATA", "");
  EXPECT_NE(surroundings(), upgraded);
}

TEST_F(SurroundingsTest, SourcesOfEditableInstallationsAreTold) {
  write("env/lib/python3.11/site-packages/mine.pth", (folder_->path() / "linked").string() + "\n");
  std::string before = surroundings();
  write("linked/lib.py", "x = 22\n");
  EXPECT_NE(surroundings(), before);
}

TEST_F(SurroundingsTest, SoAreVariablesLimitsWeaknessesAndVersions) {
  std::string before = surroundings();
  options_.environment["OMP_NUM_THREADS"] = "1";
  std::string changed = surroundings();
  EXPECT_NE(changed, before);
  options_.policy.limits.memory_bytes = 1 << 30;
  EXPECT_NE(surroundings(), changed);
  changed = surroundings();
  options_.policy.weakenings.push_back({"no sandbox"});
  EXPECT_NE(surroundings(), changed);
  EXPECT_NE(digest_of_surroundings(options_, folder_->path() / "env/bin/python3", "0.2.0"),
            surroundings());
}

TEST_F(SurroundingsTest, AScriptOutsideTheTreeIsPartOfItsCheckWithTheHelpersItMentions) {
  std::vector<std::string> command{"python3", (folder_->path() / "checks/check.py").string()};
  std::string before = check(command);
  write("checks/other.py", "changed\n");
  EXPECT_EQ(check(command), before);
  write("checks/helper.py", "def check(): raise\n");
  std::string helped = check(command);
  EXPECT_NE(helped, before);
  write("checks/check.py", "import helper\n");
  EXPECT_NE(check(command), helped);
}

TEST_F(SurroundingsTest, AScriptInAShellLineToo) {
  std::string script = (folder_->path() / "checks/check.py").string();
  std::vector<std::string> command{"sh", "-c", "cd sub && python3 '" + script + "' >log"};
  std::string before = check(command);
  write("checks/check.py", "import helper\n");
  EXPECT_NE(check(command), before);
}

TEST_F(SurroundingsTest, WordsThatRunTogetherAreOtherWords) {
  EXPECT_NE(check({"pytest", "ab", "c"}), check({"pytest", "a", "bc"}));
  EXPECT_NE(check({"pytest", "a"}), check({"pytest", "a", ""}));
}

TEST_F(SurroundingsTest, FilesOfTheTreeAreTheTreesBusiness) {
  std::vector<std::string> command{"python3", (folder_->path() / "tree/m.py").string()};
  std::string before = check(command);
  write("tree/m.py", "x = 2\n");
  EXPECT_EQ(check(command), before);
}

}  // namespace
}  // namespace suture
