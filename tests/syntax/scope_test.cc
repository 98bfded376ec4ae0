#include "repair/syntax/scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/syntax/parse.h"

namespace suture {
namespace {

using ::testing::ElementsAre;
using testing::find;
using ::testing::IsEmpty;
using testing::parse;

std::vector<std::string> texts(const std::vector<ScopeName>& names) {
  std::vector<std::string> result;
  for (const ScopeName& name : names) result.push_back(name.text);
  return result;
}

TEST(NamesInScope, NearestScopeFirst) {
  auto file = parse(
      "import os\nfrom a import b as c\nG = 1\nclass K:\n    field = 1\n"
      "    def m(self, p, *args, q: int = 1, **kw):\n"
      "        def inner(i):\n            loc = [e for e in HERE]\n            late = 1\n"
      "        for j, (k, *l) in p: pass\n");
  auto names = names_in_scope(find(*file, "HERE"));
  EXPECT_THAT(texts(names), ElementsAre("e", "i", "loc", "late", "self", "p", "args", "q", "kw",
                                        "inner", "j", "k", "l", "os", "c", "G", "K"));
  using Origin = ScopeName::Origin;
  EXPECT_EQ(names[0].origin, Origin::kLoop);
  EXPECT_EQ(names[1].origin, Origin::kParameter);
  EXPECT_EQ(names[2].origin, Origin::kLocal);
  EXPECT_EQ(names[4].origin, Origin::kEnclosing);
  EXPECT_EQ(names[13].origin, Origin::kImport);
  EXPECT_EQ(names[14].origin, Origin::kImport);
  EXPECT_EQ(names[15].origin, Origin::kModule);
  EXPECT_TRUE(names[2].bound_before);
  EXPECT_FALSE(names[3].bound_before);
  EXPECT_EQ(names[3].line, 9);
}

TEST(NamesInScope, TellsTheNearestBindingBeforeAndCountsUses) {
  auto file = parse("def f(x):\n    x = 1\n    x = 2\n    HERE\n    x = 3\ny = x\n");
  auto names = names_in_scope(find(*file, "HERE"));
  EXPECT_EQ(names[0].text, "x");
  EXPECT_EQ(names[0].line, 3);
  EXPECT_EQ(names[0].uses, 4);
  EXPECT_EQ(texts(names).size(), 3u);
}

TEST(NamesInScope, KnowsAllWaysToBind) {
  auto file = parse(
      "def f():\n    with o() as (w1, w2): pass\n    try: pass\n    except E as ex: pass\n"
      "    if (wal := 1): pass\n    [(comp := n) for n in z]\n    import m1.m2, m3 as m4\n"
      "    a.attr = sub[0] = plain = 1\n    aug += 1\n    ann: int\n    global glob\n    glob = 1\n"
      "    match s:\n        case [c1, *c2] | {'k': c3, **c4}: pass\n        case P(x=c5) as c6: "
      "pass\n"
      "        case a.b: pass\n        case _: pass\n    async def g(): inner = 1\n"
      "    class C: cf = 1\n    h = lambda lp: 1\n    HERE\n");
  EXPECT_THAT(texts(names_in_scope(find(*file, "HERE"))),
              ElementsAre("w1", "w2", "ex", "wal", "comp", "m1", "m4", "plain", "aug", "ann", "c1",
                          "c2", "c3", "c4", "c5", "c6", "g", "C", "h", "f"));
}

TEST(NamesInScope, SeesAClassOnlyFromItsBody) {
  auto file = parse("class A:\n    x = 1\n    BODY\n    def f(self):\n        METHOD\n");
  EXPECT_THAT(texts(names_in_scope(find(*file, "BODY"))), ElementsAre("x", "f", "A"));
  EXPECT_THAT(texts(names_in_scope(find(*file, "METHOD"))), ElementsAre("self", "A"));
  EXPECT_THAT(names_in_scope(Node()), IsEmpty());
}

TEST(SelfAttributes, AreThoseOfTheClass) {
  auto file = parse(
      "class A:\n    def f(self):\n        self.x = other.z\n    def g(cls):\n"
      "        return cls.y, self.x.w\nself.no = 1\n");
  EXPECT_THAT(self_attributes(find(*file, "other.z")), ElementsAre("self.x", "cls.y"));
  EXPECT_THAT(self_attributes(find(*file, "self.no")), IsEmpty());
}

std::vector<GuardKind> guards(std::string body, std::string_view expression) {
  auto file = parse("def f(x, d, k):\n" + body);
  EXPECT_EQ(file->error_count(), 0u) << body;
  return guards_on(find(*file, "HERE"), expression);
}

constexpr GuardKind kNone = GuardKind::kNone;
constexpr GuardKind kTruth = GuardKind::kTruth;
constexpr GuardKind kHasattr = GuardKind::kHasattr;
constexpr GuardKind kIsinstance = GuardKind::kIsinstance;
constexpr GuardKind kMembership = GuardKind::kMembership;

TEST(GuardsOn, EnclosingConditions) {
  EXPECT_THAT(guards("    if x is not None:\n        HERE\n", "x"), ElementsAre(kNone));
  EXPECT_THAT(guards("    if a and (x):\n        HERE\n", "x"), ElementsAre(kTruth));
  EXPECT_THAT(guards("    if a or x:\n        HERE\n", "x"), IsEmpty());
  EXPECT_THAT(guards("    if x or isinstance(x, A):\n        HERE\n", "x"), IsEmpty());
  EXPECT_THAT(guards("    if x is None:\n        HERE\n", "x"), IsEmpty());
  EXPECT_THAT(guards("    if x is None or y:\n        a\n    else:\n        HERE\n", "x"),
              ElementsAre(kNone));
  EXPECT_THAT(guards("    if not x:\n        a\n    elif b:\n        HERE\n", "x"),
              ElementsAre(kTruth));
  EXPECT_THAT(guards("    if a:\n        b\n    elif x is None:\n        c\n    else:\n"
                     "        HERE\n",
                     "x"),
              ElementsAre(kNone));
  EXPECT_THAT(guards("    if a:\n        b\n    elif isinstance(x, (A, B)):\n        HERE\n", "x"),
              ElementsAre(kIsinstance));
  EXPECT_THAT(guards("    while None != x . y:\n        HERE\n", "x.y"), ElementsAre(kNone));
  EXPECT_THAT(guards("    if (n := g()) is not None:\n        HERE\n", "n"), ElementsAre(kNone));
  EXPECT_THAT(guards("    if len(x) > 0:\n        HERE\n", "x"), ElementsAre(kTruth));
}

TEST(GuardsOn, Expressions) {
  EXPECT_THAT(guards("    return HERE if x is not None else y\n", "x"), ElementsAre(kNone));
  EXPECT_THAT(guards("    return y if x is None else HERE\n", "x"), ElementsAre(kNone));
  EXPECT_THAT(guards("    return x and g(HERE)\n", "x"), ElementsAre(kTruth));
  EXPECT_THAT(guards("    return x is None or HERE\n", "x"), ElementsAre(kNone));
  EXPECT_THAT(guards("    return [HERE for e in d if e.a if e]\n", "e"), ElementsAre(kTruth));
  EXPECT_THAT(guards("    return [e for e in HERE if x]\n", "x"), IsEmpty());
}

TEST(GuardsOn, AttributesAndMembers) {
  EXPECT_THAT(guards("    if hasattr(x, \"a\"):\n        HERE\n", "x.a"), ElementsAre(kHasattr));
  EXPECT_THAT(guards("    if hasattr(x, 'b'):\n        HERE\n", "x.a"), IsEmpty());
  EXPECT_THAT(guards("    if getattr(x, 'a', None) is not None:\n        HERE\n", "x.a"),
              ElementsAre(kNone, kHasattr));
  EXPECT_THAT(guards("    if k in d:\n        HERE\n", "d[k]"), ElementsAre(kMembership));
  EXPECT_THAT(guards("    if k not in d:\n        return\n    HERE\n", "d[ k ]"),
              ElementsAre(kMembership));
}

TEST(GuardsOn, StatementsBefore) {
  EXPECT_THAT(guards("    if x is None:\n        return 1\n    if a:\n        HERE\n", "x"),
              ElementsAre(kNone));
  EXPECT_THAT(guards("    if x is None:\n        log()\n    HERE\n", "x"), IsEmpty());
  EXPECT_THAT(guards("    assert x and y, 'no'\n    HERE\n", "x"), ElementsAre(kTruth));
  EXPECT_THAT(guards("    for i in d:\n        if not i.a: continue\n        HERE\n", "i.a"),
              ElementsAre(kTruth));
  EXPECT_THAT(guards("    if x is None:\n        x = 1\n    HERE\n", "x"), ElementsAre(kNone));
  EXPECT_THAT(guards("    if x:\n        a\n    else:\n        raise E\n    HERE\n", "x"),
              ElementsAre(kTruth));
  EXPECT_THAT(
      guards("    if a:\n        return\n    elif x is None:\n        return\n    HERE\n", "x"),
      ElementsAre(kNone));
  EXPECT_THAT(guards("    if a:\n        b\n    elif x is None:\n        return\n    HERE\n", "x"),
              IsEmpty());
}

TEST(GuardsOn, EndWithAnAssignment) {
  EXPECT_THAT(guards("    if x is None:\n        return\n    x = g()\n    HERE\n", "x"), IsEmpty());
  EXPECT_THAT(guards("    if x.y is None:\n        return\n    x = g()\n    HERE\n", "x.y"),
              IsEmpty());
  EXPECT_THAT(guards("    if x:\n        for x in d:\n            HERE\n", "x"), IsEmpty());
  EXPECT_THAT(guards("    if x:\n        def g():\n            HERE\n", "x"), IsEmpty())
      << "runs later";
}

TEST(UnresolvedNames, FollowScopes) {
  auto file = parse(
      "from __future__ import annotations\nimport os\nprint(os, undefined1)\n"
      "def f(a, b: undefined2 = undefined3) -> int:\n    import local\n    return "
      "a.undefined_attr\n"
      "def g():\n    global G\n    G = local\n    return G, later, __file__\nlater = 1\n"
      "class C(undefined4):\n    x = 1\n    y = x\n    def m(self, z=x): return x\n"
      "k = lambda p, *q: p + q[0]\nl = [e for e in range(3)]\n"
      "call(kw=1)\n@undefined5.dec\ndef call(**kw): return f'{undefined6!r}'\n"
      "match l:\n    case [cap, *rest] if cap: rest\n    case undefined7.Z: pass\n"
      "try: pass\nexcept* OSError as ex: ex\ndel l\n");
  EXPECT_THAT(unresolved_names(*file),
              ElementsAre("undefined1", "undefined2", "undefined3", "local", "undefined4", "x",
                          "undefined5", "undefined6", "undefined7"));
}

TEST(UnresolvedNames, CannotTellBehindImportStar) {
  EXPECT_THAT(unresolved_names(*parse("from a import *\nb\n")), IsEmpty());
  EXPECT_THAT(unresolved_names(*parse("int x = y;\n", Language::kCpp)), IsEmpty());
}

}  // namespace
}  // namespace suture
