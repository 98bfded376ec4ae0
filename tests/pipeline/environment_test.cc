#include "repair/environment.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "repair/base/file.h"

namespace suture {
namespace {

/// Packages by import name, with their versions.
class Shelf final : public Installed {
 public:
  std::map<std::string, std::string> packages;
  bool has_module(const std::string& module) override { return packages.contains(module); }
  std::vector<std::string> names_of(const std::string&) override { return {}; }
  std::vector<Export> exporters(const std::string&, const std::string&) override { return {}; }
  std::optional<std::vector<Parameter>> signature(const std::string&) override {
    return std::nullopt;
  }
  std::string version(const std::string& module) override {
    auto found = packages.find(module);
    return found == packages.end() ? "" : found->second;
  }
};

constexpr const char* kMoves = R"yaml(library: mill
moves:
  - {old: mill.coarse, new: mill.fine, since: "2.0", kind: renamed}
  - {old: mill._stone.turn, new: mill.wheel.turn, since: "1.10", kind: moved}
)yaml";
constexpr const char* kPythonMoves = R"yaml(library: python
moves:
  - {old: oldutils.version.Order, new: newutils.Order, since: "3.12", kind: removed}
)yaml";

class EnvironmentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = TemporaryFolder::make("suture-test-");
    ASSERT_TRUE(folder.has_value());
    folder_.emplace(std::move(*folder));
    write("facts/mill.yaml", kMoves);
    write("facts/python.yaml", kPythonMoves);
    write("tree/own/__init__.py", "");
    auto facts = Facts::load(folder_->path() / "facts");
    ASSERT_TRUE(facts) << facts.error().display();
    facts_ = std::move(*facts);
  }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((folder_->path() / path).parent_path());
    std::ofstream(folder_->path() / path) << text;
  }

  std::optional<EnvironmentAdvice> advised(const std::string& type, const std::string& message) {
    Failure failure;
    failure.type = type;
    failure.message = message;
    failure.kind = type == "AttributeError" ? FailureKind::kException : FailureKind::kImport;
    Evidence evidence;
    evidence.python_version = "3.12.1";
    auto tree = SourceTree::open(folder_->path() / "tree");
    EXPECT_TRUE(tree);
    return advise_environment({failure, evidence, **tree, shelf_, facts_.get()});
  }
  std::string advice(const std::string& type, const std::string& message) {
    auto found = advised(type, message);
    return found ? found->advice : "none";
  }

  std::optional<TemporaryFolder> folder_;
  std::shared_ptr<const Facts> facts_;
  Shelf shelf_;
};

TEST_F(EnvironmentTest, AModuleThatIsMissing) {
  EXPECT_EQ(advice("ModuleNotFoundError", "No module named 'oven.door'"),
            "install a package that provides the module `oven`");
  write("tree/requirements.txt", "Oven>=1.2\n");
  EXPECT_EQ(advice("ModuleNotFoundError", "No module named 'oven.door'"), "install Oven>=1.2");
  EXPECT_EQ(advice("ModuleNotFoundError", "No module named 'own.door'"), "none");
}

TEST_F(EnvironmentTest, ANameThatIsGone) {
  shelf_.packages["mill"] = "2.0.1";
  auto found = advised("AttributeError", "module 'mill' has no attribute 'coarse'");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->advice, "pin mill<2.0 (2.0.1 is installed)");
  EXPECT_NE(found->reason.find("`mill.coarse` is gone from mill since 2.0"), std::string::npos);
  EXPECT_EQ(advice("ModuleNotFoundError", "No module named 'mill._stone'"),
            "pin mill<1.10 (2.0.1 is installed)")
      << "by all that lay in it";
  EXPECT_EQ(advice("ImportError", "cannot import name 'bread' from 'mill' (/mill.py)"), "none");
}

TEST_F(EnvironmentTest, ANameThatIsNotThereYet) {
  shelf_.packages["mill"] = "1.9";
  EXPECT_EQ(advice("ImportError", "cannot import name 'turn' from 'mill.wheel' (/mill.py)"),
            "pin mill>=1.10 (1.9 is installed)");
  EXPECT_EQ(advice("AttributeError", "module 'mill' has no attribute 'coarse'"), "none")
      << "in 1.9 it is there, so it is not the version";
}

TEST_F(EnvironmentTest, ANameThatPythonLost) {
  EXPECT_EQ(advice("ModuleNotFoundError", "No module named 'oldutils'"),
            "run it with Python<3.12 (3.12.1 ran it)");
}

TEST_F(EnvironmentTest, AVersionThatTheTreeRulesOut) {
  shelf_.packages["mill"] = "2.0.1";
  write("tree/setup.cfg", "[options]\ninstall_requires =\n    Mill>=1.2,<2\n");
  auto found = advised("ImportError", "cannot import name 'bread' from 'mill' (/mill.py)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->advice, "pin Mill>=1.2,<2 (2.0.1 is installed)");
  EXPECT_NE(found->reason.find("setup.cfg:3 asks for Mill>=1.2,<2"), std::string::npos);
  shelf_.packages["mill"] = "1.5";
  EXPECT_EQ(advice("ImportError", "cannot import name 'bread' from 'mill' (/mill.py)"), "none");
}

TEST_F(EnvironmentTest, OtherFailuresAreTheCodes) {
  shelf_.packages["mill"] = "2.0.1";
  EXPECT_EQ(advice("AttributeError", "'Mill' object has no attribute 'coarse'"), "none");
  EXPECT_EQ(advice("ImportError",
                   "cannot import name 'coarse' from partially initialized module 'mill' (most "
                   "likely due to a circular import)"),
            "none");
}

}  // namespace
}  // namespace suture
