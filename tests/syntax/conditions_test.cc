#include "repair/syntax/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/syntax/parse.h"

namespace suture {
namespace {

std::vector<std::string> texts(Node node) {
  std::vector<std::string> found;
  for (Node condition : conditions_in(node)) found.emplace_back(condition.text());
  return found;
}

TEST(ConditionsTest, OfEveryKindInDocumentOrder) {
  auto file = testing::parse(
      "def f(a, b):\n"
      "    if (a > 1):\n"
      "        pass\n"
      "    elif not b:\n"
      "        x = 1 if a else 2\n"
      "    while (a or b): pass\n"
      "    assert a in b, a\n"
      "    match a:\n"
      "        case 1 if b is None: pass\n"
      "    return [c for c in b if c if c.d]\n");
  EXPECT_THAT(
      texts(file->root().named_child(0)),
      ::testing::ElementsAre("a > 1", "not b", "a", "a or b", "a in b", "b is None", "c", "c.d"));
}

TEST(ConditionsTest, NotLiteralsNorNestedFunctions) {
  auto file = testing::parse(
      "def f(a):\n"
      "    while True: pass\n"
      "    while 1: pass\n"
      "    def g(b):\n"
      "        if b: pass\n"
      "    class C:\n"
      "        x = 1 if a else 2\n"
      "    return lambda c: 1 if c else 2\n");
  EXPECT_THAT(texts(file->root().named_child(0)), ::testing::ElementsAre("c"));
}

TEST(ConditionsTest, WithinConditions) {
  auto file = testing::parse("if (1 if a else b): pass\n");
  EXPECT_THAT(texts(file->root()), ::testing::ElementsAre("1 if a else b", "a"));
}

}  // namespace
}  // namespace suture
