#include "repair/propose/wrappings.h"

#include <gtest/gtest.h>

#include "tests/support/proposed.h"

namespace suture {
namespace {

std::vector<std::string> wrapped(const std::string& source) {
  return proposed("parameter/wrap-like-sibling.yaml", {{"mod.py", source}}, "mod.py");
}

TEST(Wrappings, AnotherObjectOfTheSameNameIsNotTaken) {
  // `x.port` is no `options.port`, and `options.ports` is none either.
  EXPECT_TRUE(wrapped("def f(options, x):\n"
                      "    return int(x.options.port) + int(options.ports)\n"
                      "def g(options):\n"
                      "    return use(options.port)\n")
                  .empty());
}

TEST(Wrappings, ALocalNameIsAnotherThingInAnotherFunction) {
  EXPECT_TRUE(wrapped("def f(a):\n"
                      "    mask = a.mask\n"
                      "    return use(list(mask))\n"
                      "def g(a):\n"
                      "    mask = a.other()\n"
                      "    return use(mask)\n")
                  .empty());
}

TEST(Wrappings, AParameterMayBeTheSameThing) {
  auto texts = wrapped(
      "def f(names):\n"
      "    return use(list(names))\n"
      "def g(names):\n"
      "    return use(names)\n");
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(texts[0].find("def g(names):\n    return use(list(names))"), std::string::npos);
}

TEST(Wrappings, ADroppedCallIsNoForm) {
  EXPECT_TRUE(wrapped("from kit import turn\n"
                      "def f(a):\n"
                      "    turn(a.size.width)\n"
                      "def g(a):\n"
                      "    return use(a.size.width)\n")
                  .empty());
}

TEST(ConvertedNames, ACopyIsMadeToLeaveTheOriginal) {
  EXPECT_TRUE(proposed("other/converted-value.yaml",
                       {{"mod.py",
                         "def f(env):\n"
                         "    old = env.values.copy()\n"
                         "    env.values.clear()\n"
                         "    return env.values\n"}},
                       "mod.py")
                  .empty());
}

TEST(ConvertedNames, WhatIsAssignedToStays) {
  auto texts = proposed("other/converted-value.yaml",
                        {{"mod.py",
                          "def f(job):\n"
                          "    size = int(job.size)\n"
                          "    job.size = job.size + 1\n"
                          "    return size\n"}},
                        "mod.py");
  for (const std::string& text : texts)
    EXPECT_NE(text.find("    job.size = "), std::string::npos) << text;
}

TEST(KindredTerms, NamesOfAnotherLengthAreNoKin) {
  EXPECT_TRUE(proposed("other/sum-more-terms.yaml",
                       {{"mod.py",
                         "def f(x):\n"
                         "    x.parts_of_all()\n"
                         "    return x.parts_left() + x.parts_right()\n"}},
                       "mod.py")
                  .empty());
}

}  // namespace
}  // namespace suture
