#include "repair/related_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace suture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Check check_of(const std::string& line) { return parse_check(line).value(); }

/// The place of a text of a file, as if an edit replaced it.
std::vector<EditedPlace> places_at(SourceTree& tree, const std::string& file,
                                   const std::string& text) {
  auto at = std::uint32_t(tree.bytes(file).find(text));
  Candidate candidate;
  candidate.edits[file] = {{{at, at + std::uint32_t(text.size())}, "x"}};
  return edited_places(candidate, tree);
}

std::unique_ptr<SourceTree> shop() {
  return SourceTree::in_memory({
      {"shop/__init__.py", "from .cart import Cart\n"},
      {"shop/cart.py",
       "import json\n\n\nclass Cart:\n    def total(self, tax=0):\n        \"\"\"The sum.\"\"\"\n"
       "        return sum(self.items) + tax\n\n\ndef empty(): return Cart()\n"},
      {"shop/till.py", "from shop.cart import Cart\n"},
  });
}

TEST(EditedPlaces, AreBodiesOfFunctions) {
  auto tree = shop();
  auto places = places_at(*tree, "shop/cart.py", "self.items");
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].first_line, 6);
  EXPECT_EQ(places[0].last_line, 7);
  EXPECT_THAT(places[0].names, ElementsAre("Cart", "total"));
  places = places_at(*tree, "shop/cart.py", "tax=0");
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].first_line, 6) << "the signature runs at import; its function does not";
  places = places_at(*tree, "shop/cart.py", "import json");
  ASSERT_EQ(places.size(), 1u);
  EXPECT_FALSE(places[0].in_function());
}

TEST(EditedPlaces, ImportsThatComeWithAnEditDoNotCount) {
  auto tree = shop();
  Candidate candidate;
  auto at = std::uint32_t(tree->bytes("shop/cart.py").find("sum("));
  candidate.edits["shop/cart.py"] = {insert_at(0, "import math\n"), {{at, at + 3}, "math.fsum"}};
  auto places = edited_places(candidate, *tree);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_TRUE(places[0].in_function());
}

TEST(EditedPlaces, AreReachedByTheirOwnLinesOnly) {
  auto tree = shop();
  Evidence evidence;
  evidence.executed["shop/cart.py"] = {1, 4, 5, 10};
  EXPECT_FALSE(reaches(evidence, places_at(*tree, "shop/cart.py", "self.items")));
  EXPECT_TRUE(reaches(evidence, places_at(*tree, "shop/cart.py", "import json")));
  evidence.executed["shop/cart.py"].insert(7);
  EXPECT_TRUE(reaches(evidence, places_at(*tree, "shop/cart.py", "self.items")));
  EXPECT_FALSE(reaches(evidence, places_at(*tree, "shop/till.py", "import")));
}

TEST(ScopeOfCheck, IsReadFromTheCommandLine) {
  auto tree = shop();
  auto scope = [&](const char* line) {
    return scope_of(check_of(line), "tests/test_cart.py", *tree);
  };
  for (const char* part :
       {"pytest tests/test_cart.py::test_a", "python3 -m pytest -x ./tests/test_cart.py::A::b[1]",
        "sh -c 'cd . && pytest tests/test_cart.py::test_a'", "pytest tests -k total",
        "python -m unittest tests.test_cart.A.test_b", "pytest --deselect x tests/test_cart.py"}) {
    EXPECT_EQ(scope(part), CheckScope::kPart) << part;
  }
  for (const char* all : {"pytest tests/test_cart.py", "python tests/test_cart.py", "pytest tests/",
                          "python -m unittest tests.test_cart"}) {
    EXPECT_EQ(scope(all), CheckScope::kAll) << all;
  }
  for (const char* nothing : {"python check.py", "pytest more/tests/test_cart.py", "ls tests",
                              "pytest tests/test_cart.pyx", "pytest tests/test_cart_2.py::a"}) {
    EXPECT_EQ(scope(nothing), CheckScope::kNothing) << nothing;
  }
}

TEST(RelatedTests, TheMostSpecificFirst) {
  std::map<std::string, std::string> files = {
      {"shop/__init__.py", "from .cart import Cart\n"},
      {"shop/cart.py", "class Cart:\n    def total(self):\n        return 1\n"},
      {"tests/shop/test_cart.py", "def test(): from shop import cart\n"},
      {"tests/test_a_reexported.py", "from shop import Cart\n"},
      {"tests/test_b_module.py", "import shop.cart\n"},
      {"tests/shop/test_b_near.py", "import shop.cart\n"},
      {"other/cart_test.py", "import something\n"},
      {"tests/test_unrelated.py", "cart = 3\n"},
      {"tests/helper_of_cart.py", "from shop.cart import Cart\n"},
      {"tests/test_own.py", "import importlib\n"},
  };
  auto tree = SourceTree::in_memory(files);
  auto places = places_at(*tree, "shop/cart.py", "return 1");
  Check check = check_of("pytest tests/test_own.py::test_a");
  EXPECT_THAT(
      related_test_files(places, check, *tree, 10),
      ElementsAre("tests/test_own.py", "tests/shop/test_cart.py", "tests/test_a_reexported.py",
                  "tests/shop/test_b_near.py", "tests/test_b_module.py", "other/cart_test.py"));
  EXPECT_THAT(
      related_test_files(places, check, *tree),
      ElementsAre("tests/test_own.py", "tests/shop/test_cart.py", "tests/test_a_reexported.py"));
  Check whole = check_of("pytest tests");
  EXPECT_THAT(related_test_files(places, whole, *tree), ElementsAre("other/cart_test.py"));
}

TEST(RelatedTests, NoneWhereThereAreNone) {
  auto tree = shop();
  auto places = places_at(*tree, "shop/cart.py", "self.items");
  EXPECT_THAT(related_test_files(places, check_of("python check.py"), *tree), IsEmpty());
}

}  // namespace
}  // namespace suture
