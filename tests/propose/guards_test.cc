#include "repair/propose/guards.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/proposed.h"

namespace suture {
namespace {

const char kSound[] =
    "import importlib.util\n"
    "\n"
    "def is_sound_available():\n"
    "    return importlib.util.find_spec('sound') is not None\n";

std::string with_sound(const std::string& head) {
  return head + "def play(loud):\n    if loud:\n        from sound import Horn\n        Horn()\n";
}

TEST(AvailabilityGuards, TheImportIsWrittenAsTheFileWritesItsOwn) {
  auto texts = proposed("version-compat/availability-conjunct.yaml",
                        {{"kit/__init__.py", ""},
                         {"kit/parts/__init__.py", ""},
                         {"kit/parts/tests.py", kSound},
                         {"kit/car/__init__.py", ""},
                         {"kit/car/horn.py", with_sound("from ..parts.tests import other\n\n")}},
                        "kit/car/horn.py");
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_TRUE(texts[0].starts_with("from ..parts.tests import is_sound_available, other\n"))
      << texts[0];
  EXPECT_NE(texts[0].find("if loud and is_sound_available():"), std::string::npos) << texts[0];
}

TEST(AvailabilityGuards, WithoutRelativeImportsTheModuleIsWrittenInFull) {
  auto texts = proposed("version-compat/availability-conjunct.yaml",
                        {{"kit/__init__.py", ""},
                         {"kit/tests.py", kSound},
                         {"kit/horn.py", with_sound("import os\n\n")}},
                        "kit/horn.py");
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(texts[0].find("from kit.tests import is_sound_available\n"), std::string::npos)
      << texts[0];
}

TEST(LinkStatements, ABareSelfIsNoLink) {
  EXPECT_TRUE(proposed("conditional/link-guard.yaml",
                       {{"mod.py",
                         "class A:\n"
                         "    def f(self, x):\n"
                         "        if hasattr(self.part, 'take'):\n"
                         "            self.part.take(x)\n"}},
                       "mod.py")
                  .empty());
}

TEST(LinkStatements, AnIfWithMoreInItsBodyIsLeftAlone) {
  EXPECT_TRUE(proposed("conditional/link-guard.yaml",
                       {{"mod.py",
                         "def f(a, x):\n"
                         "    if hasattr(a.sampler.part, 'take'):\n"
                         "        x += 1\n"
                         "        a.sampler.part.take(x)\n"}},
                       "mod.py")
                  .empty());
}

TEST(EmptyItems, AFunctionThatIsCalledIsNoItem) {
  auto texts = proposed("conditional/empty-item-too.yaml",
                        {{"mod.py",
                          "def pick(tree, wanted):\n"
                          "    found = pick(tree, wanted)\n"
                          "    if found:\n"
                          "        return wanted(found)\n"}},
                        "mod.py");
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(texts[0].find("if found or not tree:"), std::string::npos) << texts[0];
}

TEST(UsedBehind, AMentionOfWhatIsTestedEndsIt) {
  EXPECT_TRUE(proposed("conditional/guard-what-is-used.yaml",
                       {{"mod.py",
                         "def f(a):\n"
                         "    row = a.rows[0]\n"
                         "    if a.table is None:\n"
                         "        return None\n"
                         "    return row.of(a.table.name)\n"}},
                       "mod.py")
                  .empty());
}

}  // namespace
}  // namespace suture
