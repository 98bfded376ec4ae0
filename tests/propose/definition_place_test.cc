#include <gtest/gtest.h>

#include "repair/base/file.h"
#include "repair/propose/propose.h"

namespace suture {
namespace {

class DefinitionPlace : public ::testing::Test {
 protected:
  std::vector<Candidate> candidates_for(const std::string& pattern, const std::string& source,
                                        int line) {
    auto text = read_file(SUTURE_SOURCE_DIR "/patterns/" + pattern);
    auto loaded = load_pattern(*text, pattern);
    std::vector<Location> places(1);
    places.front().file = "mod.py";
    places.front().line = places.front().end_line = line;
    places.front().suspiciousness = 0.5;
    places.front().roles = {Role::kExecuted};
    auto tree = SourceTree::in_memory({{"mod.py", source}});
    SuspicionMap suspicion(std::move(places));
    Failure failure;
    failure.kind = FailureKind::kAssertion;
    Evidence evidence;
    NothingInstalled installed;
    ProposeInput input{failure, evidence, *tree, installed, suspicion, ""};
    return propose(input, Catalogue::of({*loaded}));
  }
};

const char kDoor[] =
    "class Door:\n"
    "    def __enter__(self):\n"
    "        self.open = True\n"
    "\n"
    "    def close(self):\n"
    "        self.open = False\n";

TEST_F(DefinitionPlace, AFunctionIsAsSuspiciousAsItsBody) {
  auto candidates = candidates_for("other/enter-returns-self.yaml", kDoor, 3);
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_DOUBLE_EQ(candidates.front().location.suspiciousness, 0.5);
}

TEST_F(DefinitionPlace, NotAsSuspiciousAsItsNeighbour) {
  EXPECT_TRUE(candidates_for("other/enter-returns-self.yaml", kDoor, 6).empty());
}

}  // namespace
}  // namespace suture
