#include "repair/reproduce/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace suture {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string with(const std::string& members) {
  return R"({"format": 1, "python": "3.11.7")" + (members.empty() ? "" : ", " + members) + "}";
}

Evidence parsed(const std::string& members) {
  auto evidence = parse_evidence(with(members));
  EXPECT_TRUE(evidence) << evidence.error().display();
  return evidence.value_or(Evidence());
}

TEST(ParseEvidence, ReadsWhatTheProbeWrites) {
  Evidence evidence = parsed(R"(
    "exceptions": [{"type": "KeyError", "module": "builtins", "message": "'k'", "frames": [
      {"file": "/checks/a.py", "in_tree": false, "in_check": true, "function": "<module>",
       "qualname": "<module>", "first_line": 1, "at": [3, 3, 0, 9]},
      {"file": "pkg/m.py", "in_tree": true, "in_check": false, "function": "get",
       "qualname": "Box.get", "first_line": 10, "at": [12, 13, 4, 7],
       "locals": {"self": {"type": "Box", "module": "pkg.m", "class": 0, "extra": ["late"],
                           "attributes": {"table": {"type": "dict", "length": 1, "keys": ["a"],
                             "entries": {"'a'": {"type": "int", "repr": "1"}}}}},
                  "t": {"type": "Tensor", "shape": [2, 3], "dtype": "torch.float32",
                        "device": "cpu"}}}]}],
    "operands": [{"expression": "x.y", "value": {"type": "NoneType", "repr": "None"}}],
    "called": [{"file": "pkg/m.py", "qualname": "Box.get", "first_line": 10, "last_line": 13,
                "calls": 2, "order": 4, "lines": [11, 12], "returned": {"type": "int"}},
               {"file": "pkg/m.py", "qualname": "first", "first_line": 1, "order": 1,
                "during_import": true}],
    "executed": {"pkg/m.py": [1, 10, 11, 12]},
    "tests": [{"id": "t.py::a[1]", "outcome": "passed"}, {"id": "t.py::b", "outcome": "failed"},
              {"id": "t.py::c", "outcome": "skipped"}],
    "check_files": ["/checks/a.py"], "modules": {"pkg.m": "pkg/m.py"}, "mocked": {"apex": "a mock"},
    "packages": [{"name": "numpy", "version": "2.0"}],
    "swallowed": [{"type": "ValueError", "escaped": true}],
    "classes": [["get", "put"]])");
  EXPECT_EQ(evidence.python_version, "3.11.7");
  ASSERT_NE(evidence.failure(), nullptr);
  EXPECT_EQ(evidence.failure()->message, "'k'");
  const LiveFrame* frame = evidence.deepest_tree_frame();
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->qualname, "Box.get");
  EXPECT_EQ(frame->at.end_line, 13);
  EXPECT_TRUE(frame->at.has_columns());
  EXPECT_THAT(frame->locals.at("self").members, ElementsAre("get", "late", "put", "table"));
  EXPECT_THAT(frame->locals.at("t").shape, ElementsAre(2, 3));
  EXPECT_TRUE(evidence.operands.at(0).value.none());
  EXPECT_EQ(evidence.called.at(0).qualname, "first") << "in the order of their first calls";
  EXPECT_TRUE(evidence.called.at(1).returned.has_value());
  EXPECT_TRUE(evidence.was_executed("pkg/m.py", 12));
  EXPECT_FALSE(evidence.was_executed("pkg/m.py", 13));
  ASSERT_EQ(evidence.tests.size(), 3u);
  EXPECT_EQ(evidence.tests[0].id, "t.py::a[1]");
  EXPECT_EQ(evidence.tests[0].how, RanTest::How::kPassed);
  EXPECT_EQ(evidence.tests[1].how, RanTest::How::kFailed);
  EXPECT_EQ(evidence.tests[2].how, RanTest::How::kSkipped);
  EXPECT_TRUE(evidence.swallowed.at(0).escaped);
  EXPECT_EQ(evidence.mocked.at("apex"), "a mock");
  EXPECT_EQ(evidence.packages.at(0).version, "2.0");
}

TEST(ParseEvidence, RefusesWhatTheProbeDidNotWrite) {
  for (const char* text : {"", "null", "[]", "{", "{\"format\": 1}", "{\"python\": \"3.11\"}",
                           "{\"format\": 2, \"python\": \"3.11\"}", "\xff\xfe", "{} trailing"}) {
    auto evidence = parse_evidence(text);
    ASSERT_FALSE(evidence) << text;
    EXPECT_EQ(evidence.error().kind, ErrorKind::kInfra);
  }
}

TEST(ParseEvidence, LeavesOutWhatHasTheWrongType) {
  Evidence evidence = parsed(R"(
    "exceptions": [1, null, {"type": 3}, {"type": "E", "frames": {"a": 1}},
                   {"type": "F", "frames": [7, {"file": [], "at": "x", "first_line": "one",
                                                "locals": [1]}]}],
    "operands": "no", "called": {"a": 1}, "executed": [1], "check_files": [1, "a"], "modules": [],
    "mocked": {"a": 1}, "packages": [{}], "swallowed": null,
    "tests": [1, {"id": 2, "outcome": "passed"}, {"id": "x"}, {"id": "y", "outcome": "flew"}], "classes": [1, {"a": 2}])");
  ASSERT_EQ(evidence.exceptions.size(), 2u);
  EXPECT_EQ(evidence.exceptions[1].frames.size(), 2u);
  EXPECT_THAT(evidence.check_files, ElementsAre("a"));
  EXPECT_THAT(evidence.packages, IsEmpty());
  EXPECT_THAT(evidence.tests, IsEmpty());
}

TEST(ParseEvidence, NamesNoFileOutsideTheTree) {
  Evidence evidence = parsed(R"(
    "exceptions": [{"type": "E", "frames": [{"file": "../../etc/passwd", "in_tree": true},
                                            {"file": "/etc/passwd", "in_tree": true}]}],
    "called": [{"file": "/etc/passwd"}, {"file": "a/../../b"}, {"file": ""}],
    "executed": {"/etc/passwd": [1], "../x": [1], "a..b/c.py": [1]},
    "modules": {"m": "/etc/passwd", "n": "n.py"})");
  EXPECT_EQ(evidence.deepest_tree_frame(), nullptr);
  EXPECT_THAT(evidence.called, IsEmpty());
  EXPECT_EQ(evidence.executed.size(), 1u);
  EXPECT_EQ(evidence.modules.size(), 1u);
}

TEST(ParseEvidence, BoundsNumbers) {
  Evidence evidence = parsed(R"(
    "executed": {"a.py": [-1, 0, 5, 99999999999999, 1e300, 1.5]},
    "called": [{"file": "a.py", "first_line": -3, "calls": -7, "caller_line": 99999999999999}])");
  EXPECT_THAT(evidence.executed.at("a.py"), ElementsAre(5, 10'000'000));
  EXPECT_EQ(evidence.called.at(0).calls, 0);
  EXPECT_EQ(evidence.called.at(0).first_line, 0);
}

TEST(ParseEvidence, BoundsDepth) {
  const std::size_t depth = 1'000'000;
  std::string nested = std::string(depth, '[') + std::string(depth, ']');
  auto too_deep = parse_evidence(with("\"operands\": " + nested));
  ASSERT_FALSE(too_deep);
  EXPECT_THAT(too_deep.error().message, HasSubstr("too deep"));
  EXPECT_TRUE(parse_evidence(with("\"mocked\": {\"a\": \"" + std::string(100, '[') + "\"}")));
  std::string value = R"({"type": "T"})";
  for (int i = 0; i < 20; ++i) value = R"({"type": "T", "attributes": {"a": )" + value + "}}";
  Evidence evidence = parsed(R"("operands": [{"expression": "x", "value": )" + value + "}]");
  int levels = 0;
  for (const Value* at = &evidence.operands.at(0).value; !at->attributes.empty(); ++levels) {
    at = &at->attributes.at("a");
  }
  EXPECT_EQ(levels, 6);
}

TEST(ParseEvidence, BoundsSizes) {
  std::string many = "[";
  for (int i = 0; i < 20'000; ++i) {
    many += (i == 0 ? "" : ",") + std::string(R"({"file": "a.py", "first_line": 1, "locals": )") +
            R"({"x": {"type": "T", "class": 0}}})";
  }
  std::string names = "[[";
  for (int i = 0; i < 2000; ++i) names += (i == 0 ? "\"n" : ",\"n") + std::to_string(i) + "\"";
  Evidence evidence = parsed("\"called\": " + many + "], \"classes\": " + names + "]]");
  EXPECT_EQ(evidence.called.size(), 500u);
  EXPECT_EQ(evidence.called[0].locals.at("x").members.size(), 300u);
  std::string long_id(501, 'x'), good_id(500, 'x');
  Evidence tests = parsed("\"tests\": [{\"id\": \"" + long_id + "\", \"outcome\": \"passed\"}," +
                          "{\"id\": \"" + good_id + "\", \"outcome\": \"passed\"}]");
  ASSERT_EQ(tests.tests.size(), 1u) << "a name that is cut names no test";
  EXPECT_EQ(tests.tests[0].id, good_id);
  std::string huge(10 << 20, 'x');
  auto too_large = parse_evidence(with("\"python2\": \"" + huge + "\""));
  ASSERT_FALSE(too_large);
  EXPECT_THAT(too_large.error().message, HasSubstr("too large"));
}

TEST(Lookup, FollowsAttributesItemsAndKeys) {
  Value one, list, dict, object;
  one.type = "int";
  one.repr = "1";
  list.items = {one, object};
  list.length = 2;
  dict.entries = {{"'k'", one}, {"\"it's\"", one}, {"3", list}};
  object.attributes = {{"a", one}, {"list", list}, {"dict", dict}};
  Values values = {{"self", object}, {"x", list}};
  for (const char* known :
       {"self", " self ", "self.a", "self.list[0]", "x[0]", "x[-2]", "self.dict['k']",
        "self.dict[\"k\"]", "self.dict[\"it's\"]", "self.dict[3][0]"}) {
    EXPECT_NE(lookup(values, known), nullptr) << known;
  }
  for (const char* unknown :
       {"", "y", "self.b", "x[2]", "x[-3]", "x[i]", "x[", "self.", "self..a", "self.dict['z']",
        "x[0]()", "x(1)", "[0]", ".", "x[99999999999999]"}) {
    EXPECT_EQ(lookup(values, unknown), nullptr) << unknown;
  }
}

TEST(FunctionAt, FindsTheInnermost) {
  Evidence evidence;
  for (auto [name, first, last] :
       {std::tuple{"outer", 10, 30}, {"inner", 15, 20}, {"other", 40, 0}}) {
    CalledFunction called;
    called.file = "a.py";
    called.qualname = name;
    called.first_line = first;
    called.last_line = last;
    if (last == 0) called.lines = {41, 44};
    evidence.called.push_back(called);
  }
  auto at = [&](int line) {
    const CalledFunction* found = evidence.function_at("a.py", line);
    return found == nullptr ? "" : found->qualname;
  };
  EXPECT_EQ(at(9), "");
  EXPECT_EQ(at(12), "outer");
  EXPECT_EQ(at(18), "inner");
  EXPECT_EQ(at(25), "outer");
  EXPECT_EQ(at(43), "other");
  EXPECT_EQ(at(45), "");
  EXPECT_EQ(evidence.function_at("b.py", 18), nullptr);
}

}  // namespace
}  // namespace suture
