#include "repair/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "repair/base/text.h"

namespace suture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kTraceback =
    "Traceback (most recent call last):\n"
    "  File \"run.py\", line 7, in <module>\n"
    "    main(None)\n"
    "  File \"lib/core.py\", line 3, in main\n"
    "    return args.size\n"
    "           ^^^^^^^^^\n"
    "AttributeError: 'NoneType' object has no attribute 'size'\n";

Report read(std::string_view text) {
  auto report = read_report(text);
  EXPECT_TRUE(report) << report.error().display();
  return report ? *report : Report{};
}

/// The best failure of a text, which must have one.
Failure best(std::string_view text) {
  Report report = read(text);
  EXPECT_THAT(report.failures, Not(IsEmpty())) << text;
  return report.failures.empty() ? Failure{} : report.failures.front();
}

std::string raise(const std::string& last_line) {
  return "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\n" +
         last_line + "\n";
}

TEST(ReadReport, ReadsATraceback) {
  Failure failure = best(kTraceback);
  EXPECT_EQ(failure.kind, FailureKind::kException);
  EXPECT_EQ(failure.type, "AttributeError");
  EXPECT_EQ(failure.message, "'NoneType' object has no attribute 'size'");
  ASSERT_THAT(failure.frames, SizeIs(2));
  EXPECT_EQ(failure.frames[1].file, "lib/core.py");
  EXPECT_EQ(failure.frames[1].line, 3);
  EXPECT_EQ(failure.frames[1].function, "main");
  EXPECT_EQ(failure.frames[1].source, "return args.size");
  EXPECT_EQ(failure.rank, -1);
}

TEST(ReadReport, RefusesWhatIsNoReport) {
  const std::string too_large(kMaxReportBytes + 1, 'x');
  const std::string binary(
      "\x7f"
      "ELF\0\0\0",
      7);
  for (const std::string& text :
       {std::string(), std::string(" \n\t\n"), std::string("\xEF\xBB\xBF"),
        std::string("\x1b[0m\n"), binary, too_large}) {
    auto report = read_report(text);
    ASSERT_FALSE(report) << text.substr(0, 40);
    EXPECT_EQ(report.error().kind, ErrorKind::kBadInput);
    EXPECT_NE(report.error().hint, "");
  }
  EXPECT_THAT(read_report(too_large).error().message, HasSubstr(std::to_string(kMaxReportBytes)));
}

TEST(ReadReport, NothingToBeFoundIsNoError) {
  Report report = read("everything is fine\n");
  EXPECT_THAT(report.failures, IsEmpty());
  EXPECT_THAT(report.checks, IsEmpty());
  EXPECT_THAT(report.scripts, IsEmpty());
}

TEST(ReadReport, LineEndsColoursAndMarksDoNotMatter) {
  std::string text(kTraceback);
  Failure plain = best(text);
  std::string dressed = "\xEF\xBB\xBF" + replace_all(text, "\n", "\x1b[0m\r\n");
  dressed = replace_all(dressed, "AttributeError", "\x1b[1;31mAttributeError\x1b[0m");
  dressed = replace_all(dressed, "main(", "\x1b]8;;file://x\x1b\\main(\x1b]8;;\x1b\\");
  Failure failure = best(dressed);
  EXPECT_EQ(failure.headline(), plain.headline());
  ASSERT_THAT(failure.frames, SizeIs(2));
  EXPECT_EQ(failure.frames[0].source, "main(None)");
}

TEST(ReadReport, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(best(raise("ValueError: caf\xE9")).message, "caf\xEF\xBF\xBD");
}

TEST(ReadReport, IndentedAndQuotedTracebacks) {
  for (std::string_view margin : {"    ", "> ", "\t", ">    "}) {
    std::string text;
    for (std::string_view line : split_lines(kTraceback)) {
      text += std::string(margin) + std::string(line) + "\n";
    }
    Failure failure = best("See:\n\n" + text + "\nThanks\n");
    EXPECT_EQ(failure.headline(), best(kTraceback).headline()) << margin;
    EXPECT_THAT(failure.frames, SizeIs(2)) << margin;
  }
}

TEST(ReadReport, LinesOfOthersBetweenFramesAreSteppedOver) {
  std::string text = replace_all(std::string(kTraceback), "    main(None)\n",
                                 "    main(None)\nEpoch 3: loss 0.1\nINFO: saved\n");
  EXPECT_THAT(best(text).frames, SizeIs(2));
  EXPECT_EQ(best(text).type, "AttributeError");
}

TEST(ReadReport, MessageEndsWhereSomethingElseStarts) {
  for (const char* next :
       {"2024-01-02 03:04:05,678 INFO bye", "W1130 22:41:17.145000 1 a.py:1] x", "INFO:root:bye",
        "$ ls", "make: *** [all] Error 1", "```",
        "Exception ignored in: <function D.__del__ at 0x7f>", "/usr/lib/x.py:12: UserWarning: bye",
        "==== 1 failed in 0.1s ====", "##[error]Process completed with exit code 1."}) {
    std::string text = raise("ValueError: one\n  two") + next + "\n";
    EXPECT_EQ(best(text).message, "one\n  two") << next;
    EXPECT_EQ(failure_of_output(text).message, "one\n  two") << next;
  }
}

TEST(ReadReport, BlankLineEndsTheMessageInProseOnly) {
  std::string text = raise("ValueError: one\n\ntwo");
  EXPECT_EQ(best(text).message, "one");
  EXPECT_EQ(best("It says\n```\n" + text + "```\nsorry\n").message, "one\n\ntwo");
  EXPECT_EQ(failure_of_output(text).message, "one\n\ntwo");
}

TEST(ReadReport, KindsFollowTheType) {
  auto kind = [](const std::string& line) { return best(raise(line)).kind; };
  EXPECT_EQ(kind("AssertionError"), FailureKind::kAssertion);
  EXPECT_EQ(kind("ImportError: cannot import name 'a'"), FailureKind::kImport);
  EXPECT_EQ(kind("ModuleNotFoundError: No module named 'a'"), FailureKind::kImport);
  EXPECT_EQ(kind("TabError: inconsistent use"), FailureKind::kSyntax);
  EXPECT_EQ(kind("RuntimeError: CUDA error: device-side assert triggered"), FailureKind::kCuda);
  EXPECT_EQ(kind("torch.OutOfMemoryError: CUDA out of memory."), FailureKind::kCuda);
  EXPECT_EQ(kind("Failed: Timeout (>5.0s) from pytest-timeout."), FailureKind::kHang);
  EXPECT_EQ(kind("KeyError: 'AssertionError'"), FailureKind::kException);
}

TEST(ReadReport, ChainsKeepTheOrderOfEvents) {
  std::string text = raise("KeyError: 1") +
                     "\nThe above exception was the direct cause of the following exception:\n\n" +
                     raise("TypeError: 2") +
                     "\nDuring handling of the above exception, another exception occurred:\n\n" +
                     raise("ValueError: 3");
  Failure failure = best(text);
  EXPECT_EQ(failure.headline(), "ValueError: 3");
  ASSERT_THAT(failure.causes, SizeIs(2));
  EXPECT_EQ(failure.causes[0].type, "KeyError");
  EXPECT_EQ(failure.causes[1].type, "TypeError");
  EXPECT_THAT(failure.causes[1].frames, SizeIs(1));
  EXPECT_THAT(read(text).failures, SizeIs(1));
}

TEST(ReadReport, RanksAreToldApartWhateverTheOrderOfLines) {
  std::string a = raise("KeyError: 'a'");
  std::string b = raise("KeyError: 'b'");
  std::string mixed;
  for (std::size_t i = 0; i < split_lines(a).size(); ++i) {
    mixed += "[rank0]: " + std::string(split_lines(a)[i]) + "\n";
    mixed += "[rank1]: " + std::string(split_lines(b)[i]) + "\n";
  }
  Report report = read(mixed);
  ASSERT_THAT(report.failures, SizeIs(2));
  EXPECT_EQ(report.failures[0].message, "'a'");
  EXPECT_EQ(report.failures[0].rank, 0);
  EXPECT_EQ(report.failures[1].message, "'b'");
  EXPECT_EQ(report.failures[1].rank, 1);
}

TEST(ReadReport, OrdinaryWordsWithAColonAreNoPrefix) {
  std::string text = "ERROR: Traceback (most recent call last):\n" +
                     raise("ValueError: x").substr(raise("").find('\n') + 1);
  EXPECT_EQ(best(text).headline(), "ValueError: x");
  EXPECT_EQ(best(text).rank, -1);
}

TEST(ReadReport, CauseComesBeforeAftermath) {
  for (const char* aftermath :
       {"torch.distributed.DistBackendError: NCCL error in: x.cpp",
        "ConnectionResetError: [Errno 104] Connection reset by peer", "KeyboardInterrupt",
        "RuntimeError: [unbound_buffer.cc:78] Timed out waiting 20000ms for recv",
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: "}) {
    EXPECT_EQ(best(raise(aftermath) + raise("IndexError: 3")).type, "IndexError") << aftermath;
    EXPECT_EQ(best(raise("IndexError: 3") + raise(aftermath)).type, "IndexError") << aftermath;
    EXPECT_EQ(read(raise(aftermath)).failures.size(), 1u) << aftermath;
  }
}

TEST(ReadReport, OneProcessDiesOfItsLastException) {
  EXPECT_EQ(best(raise("KeyError: 1") + "INFO: going on\n" + raise("ValueError: 2")).type,
            "ValueError");
  // Two blocks of an issue are told in the writer's order.
  EXPECT_EQ(
      best("```\n" + raise("KeyError: 1") + "```\n```\n" + raise("ValueError: 2") + "```").type,
      "KeyError");
}

TEST(ReadReport, RepeatedFailuresAreOne) {
  EXPECT_THAT(read(raise("KeyError: 1") + raise("KeyError: 1")).failures, SizeIs(1));
}

TEST(ReadReport, StacksOfTheLogAreNoFailures) {
  std::string stack =
      "WARNING:root:here\nStack (most recent call last):\n"
      "  File \"a.py\", line 1, in f\n    g()\n  File \"a.py\", line 2, in g\n    log()\n";
  EXPECT_THAT(read(stack).failures, IsEmpty());
  EXPECT_EQ(best(stack + raise("ValueError: x")).headline(), "ValueError: x");
}

TEST(ReadReport, FailingTestsBecomeChecks) {
  Report report = read(
      "FAILED tests/x.py::TestA::test_y[a - b] - TypeError: bad\n"
      "FAILED tests/x.py::TestA::test_y[a - b] - TypeError: bad\n"
      "ERROR tests/z.py - ModuleNotFoundError: No module named 'q'\n"
      "ERROR: test_w (pkg.mod.Case.test_w)\n");
  std::vector<std::string> shown;
  for (const Check& check : report.checks) shown.push_back(check.display());
  EXPECT_THAT(shown, ElementsAre("python -m pytest -x 'tests/x.py::TestA::test_y[a - b]'",
                                 "python -m pytest -x tests/z.py",
                                 "python -m unittest pkg.mod.Case.test_w"));
  ASSERT_THAT(report.failures, SizeIs(2));
  EXPECT_THAT(report.failures[0].test_ids, ElementsAre("tests/x.py::TestA::test_y[a - b]"));
  EXPECT_EQ(report.failures[1].kind, FailureKind::kImport);
}

TEST(ReadReport, OnlyCommandsThatFailBecomeChecks) {
  EXPECT_THAT(read("Run `pip install x` first; `rm -rf build` fails.\n").checks, IsEmpty());
  EXPECT_THAT(read("```\n$ python good.py\nfine\n```\n").checks, IsEmpty());
  EXPECT_THAT(read("`python3 repro.py` crashes\n").checks, SizeIs(1));
  Report report = read("$ python good.py\nfine\n$ python bad.py\n" + raise("ValueError: x"));
  ASSERT_THAT(report.checks, SizeIs(1));
  EXPECT_THAT(report.checks[0].command, ElementsAre("python", "bad.py"));
  // torchrun's summary, not a test.
  EXPECT_THAT(read("/app/train.py FAILED\n").checks, IsEmpty());
}

TEST(ReadReport, ScriptsAreWholePrograms) {
  auto scripts = [](const std::string& language, const std::string& body) {
    return read("text\n```" + language + "\n" + body + "```\n").scripts;
  };
  EXPECT_THAT(scripts("python", "import a\na.run()\n"), SizeIs(1));
  EXPECT_THAT(scripts("", "import a\na.run()\n"), SizeIs(1));
  EXPECT_EQ(scripts("pycon", ">>> import a\n>>> a.run()\n3\n").at(0).text, "import a\na.run()\n");
  EXPECT_EQ(scripts("console", "$ torchrun train.py\nhello\n").at(0).text, "torchrun train.py\n");
  EXPECT_EQ(scripts("bash", "torchrun train.py\n").at(0).language, "sh");
  EXPECT_THAT(scripts("bash", "pip install a\n"), IsEmpty());
  EXPECT_THAT(scripts("python", "    def forward(self):\n        import a\n"), IsEmpty());
  EXPECT_THAT(scripts("python", "import a\n" + raise("ValueError: x")), IsEmpty());
  EXPECT_THAT(scripts("yaml", "import: a\n"), IsEmpty());
}

TEST(ReadReport, UnclosedFenceGoesToTheEnd) {
  EXPECT_EQ(best("text\n```\n" + raise("ValueError: one\n\ntwo")).message, "one\n\ntwo");
}

TEST(FailureOfOutput, UnknownHasTheLastLine) {
  Failure failure = failure_of_output("usage: x\nx: error: unrecognized arguments: --y\n\n");
  EXPECT_EQ(failure.kind, FailureKind::kUnknown);
  EXPECT_EQ(failure.message, "x: error: unrecognized arguments: --y");
  EXPECT_EQ(failure_of_output("").message, "");
}

TEST(FailureOfOutput, TakesAnyBytesOfAnyLength) {
  std::string noise(kMaxReportBytes, '\0');
  EXPECT_EQ(failure_of_output(noise + "\n" + raise("ValueError: x")).headline(), "ValueError: x");
}

TEST(FailureWords, KindsAreReadBack) {
  for (int kind = 0; kind <= static_cast<int>(FailureKind::kUnknown); ++kind) {
    auto each = static_cast<FailureKind>(kind);
    EXPECT_EQ(failure_kind_from(to_string(each)), each);
  }
  EXPECT_EQ(failure_kind_from("nonsense"), std::nullopt);
}

TEST(FailureWords, HeadlineIsOneLine) {
  Failure failure;
  failure.type = "torch.OutOfMemoryError";
  EXPECT_EQ(failure.type_name(), "OutOfMemoryError");
  EXPECT_EQ(failure.headline(), "torch.OutOfMemoryError");
  failure.message = "first\nsecond";
  EXPECT_EQ(failure.headline(), "torch.OutOfMemoryError: first");
  failure.type.clear();
  EXPECT_EQ(failure.headline(), "first");
}

}  // namespace
}  // namespace suture
