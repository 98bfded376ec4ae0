#include "repair/requirements.h"

#include <gtest/gtest.h>

#include <fstream>

#include "repair/base/file.h"

namespace suture {
namespace {

class RequirementsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
  }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((folder_->path() / path).parent_path());
    std::ofstream(folder_->path() / path) << text;
  }

  /// "name spec file:line" of each.
  std::vector<std::string> found() {
    std::vector<std::string> all;
    for (const Requirement& each : declared_requirements(folder_->path()))
      all.push_back(each.name + " " + each.allowed.text() + " " + each.file + ":" +
                    std::to_string(each.line));
    return all;
  }

  std::optional<TemporaryFolder> folder_;
};

using Lines = std::vector<std::string>;

TEST_F(RequirementsTest, FilesOfPip) {
  write("requirements.txt",
        "# what is needed\n"
        "-r other.txt\n"
        "corn >= 1.2, <2  # for bread\n"
        "rye[dark]==3.*\n"
        "oats; python_version < '3.9'\n"
        "git+https://mills.example/wheat\n"
        "barley @ file:///barn\n"
        "millet\n");
  write("requirements/dev.txt", "spelt~=1.4\n");
  write("notes.txt", "barley==1\n");
  EXPECT_EQ(found(), (Lines{"corn >=1.2,<2 requirements.txt:3", "rye ==3.* requirements.txt:4",
                            "millet  requirements.txt:8", "spelt ~=1.4 requirements/dev.txt:1"}));
}

TEST_F(RequirementsTest, SetupCfg) {
  write("setup.cfg",
        "[metadata]\n"
        "install_requires = rice==1\n"
        "[options]\n"
        "packages = find:\n"
        "install_requires =\n"
        "    corn>=1.2\n"
        "    # rye\n"
        "    oats<3\n"
        "python_requires = >=3.8\n"
        "[options.extras_require]\n"
        "dev =\n"
        "    barley==2\n");
  EXPECT_EQ(found(), (Lines{"corn >=1.2 setup.cfg:6", "oats <3 setup.cfg:8"}));
}

TEST_F(RequirementsTest, Pyproject) {
  write("pyproject.toml",
        "[build-system]\n"
        "requires = ['mill>=40']\n"
        "[project]\n"
        "name = 'bread'\n"
        "dependencies = [\n"
        "  \"corn[dry]>=1.2,<2\", 'rye',\n"
        "  # 'oats',\n"
        "]\n"
        "[project.optional-dependencies]\n"
        "dev = ['barley==2']\n");
  EXPECT_EQ(found(), (Lines{"corn >=1.2,<2 pyproject.toml:6", "rye  pyproject.toml:6"}));
}

TEST_F(RequirementsTest, SetupPy) {
  write("setup.py",
        "from setuptools import setup\n"
        "install_requires = ['corn>=1.2', f'rye=={V}']\n"
        "setup(name='bread', install_requires=[\n"
        "    'oats<3',\n"
        "], extras_require={'dev': ['barley']})\n");
  EXPECT_EQ(found(), (Lines{"corn >=1.2 setup.py:2", "oats <3 setup.py:4"}));
}

TEST_F(RequirementsTest, NothingWhereThereIsNothing) {
  EXPECT_TRUE(found().empty());
  EXPECT_TRUE(declared_requirements(folder_->path() / "nowhere").empty());
}

TEST(NormalisedName, AsIndexesCompare) {
  EXPECT_EQ(normalised_name("Foo__Bar.baz"), "foo-bar-baz");
}

}  // namespace
}  // namespace suture
