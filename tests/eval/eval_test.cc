#include "client/eval/eval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <sstream>

#include "repair/base/file.h"
#include "tests/eval/lines.h"

namespace suture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

class FakeRunner final : public InstanceRunner {
 public:
  using Body = std::function<Result<InstanceResult>(const Instance&)>;
  explicit FakeRunner(Body body) : body_(std::move(body)) {}
  Result<InstanceResult> run(const Instance& instance, const CancelToken&) override {
    return body_(instance);
  }

 private:
  Body body_;
};

InstanceResult result(const char* outcome) { return {plain_line("", outcome), {}}; }

std::vector<Instance> instances(std::initializer_list<const char*> ids) {
  std::vector<Instance> list;
  for (const char* id : ids) list.push_back(Instance{id, "", {}});
  return list;
}

std::vector<std::string> ids(const std::vector<Instance>& list) {
  std::vector<std::string> names;
  for (const Instance& instance : list) names.push_back(instance.id);
  return names;
}

class EvalTest : public testing::Test {
 protected:
  Result<std::map<std::string, ResultLine>> run(const std::vector<Instance>& list, int jobs,
                                                FakeRunner::Body body) {
    auto file = ResultFile::resume(path_).value();
    FakeRunner runner(std::move(body));
    Progress progress(log_, false, list.size(), clock_);
    return run_instances(list, {jobs, "suture 9"}, runner, *file, progress, cancel_);
  }
  std::vector<ResultLine> written() { return ResultFile::resume(path_).value()->earlier(); }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  std::filesystem::path path_ = folder_.path() / "results.jsonl";
  ManualClock clock_;
  std::ostringstream log_;
  CancelToken cancel_;
};

TEST_F(EvalTest, EachInstanceGetsALine) {
  auto lines = run(instances({"a", "b", "c", "d", "e"}), 3, [](const Instance& instance) {
    return result(instance.id == "b" ? "PATCHED" : "NO_PATCH");
  });
  ASSERT_TRUE(lines);
  EXPECT_THAT(*lines, ElementsAre(Key("a"), Key("b"), Key("c"), Key("d"), Key("e")));
  EXPECT_EQ(lines->at("b").outcome, "PATCHED");
  EXPECT_EQ(lines->at("b").model_name_or_path, "suture 9");
  EXPECT_EQ(written().size(), 5u);
  EXPECT_THAT(log_.str(), HasSubstr("5/5 bugs, 1 patched"));
}

TEST_F(EvalTest, OneJobKeepsTheOrder) {
  ASSERT_TRUE(run(instances({"b", "a"}), 1, [](const Instance&) { return result("NO_PATCH"); }));
  EXPECT_EQ(written()[0].instance_id, "b");
}

TEST_F(EvalTest, AnErrorIsALineOfInfraError) {
  auto lines = run(instances({"a"}), 1, [](const Instance&) -> Result<InstanceResult> {
    return fail(ErrorKind::kInfra, "there is no tree", "make it");
  });
  ASSERT_TRUE(lines);
  EXPECT_EQ(lines->at("a").outcome, "INFRA_ERROR");
  EXPECT_THAT(lines->at("a").reason, HasSubstr("there is no tree"));
  EXPECT_THAT(lines->at("a").reason, HasSubstr("make it"));
}

TEST_F(EvalTest, InterruptionKeepsWhatIsFinished) {
  auto lines =
      run(instances({"a", "b", "c"}), 1, [&](const Instance& instance) -> Result<InstanceResult> {
        if (instance.id == "a") return result("PATCHED");
        cancel_.cancel();
        return fail(ErrorKind::kCancelled, "interrupted");
      });
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().kind, ErrorKind::kCancelled);
  ASSERT_EQ(written().size(), 1u);
  EXPECT_EQ(written()[0].instance_id, "a");
}

TEST_F(EvalTest, InterruptionAfterTheLastLineIsNone) {
  auto lines = run(instances({"a"}), 1, [&](const Instance&) {
    cancel_.cancel();
    return result("PATCHED");
  });
  EXPECT_TRUE(lines);
}

TEST_F(EvalTest, WhereLinesCannotBeWrittenNothingGoesOn) {
  std::atomic<int> runs{0};
  FullDisk full(10);
  auto lines = run(instances({"a", "b", "c"}), 1, [&](const Instance&) {
    ++runs;
    return result("PATCHED");
  });
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().kind, ErrorKind::kInfra);
  EXPECT_EQ(runs, 1);
}

TEST_F(EvalTest, NothingToDo) {
  auto lines = run({}, 2, [](const Instance&) { return result("PATCHED"); });
  ASSERT_TRUE(lines);
  EXPECT_TRUE(lines->empty());
}

TEST(Resume, SkipsWhatHasALine) {
  EXPECT_THAT(ids(still_to_run(instances({"a", "b", "c"}),
                               {plain_line("b", "NO_PATCH"), plain_line("x", "PATCHED")}, {})),
              ElementsAre("a", "c"));
}

TEST(Resume, InfraErrorsRunAgainOnRequest) {
  std::vector<ResultLine> earlier{plain_line("a", "INFRA_ERROR"), plain_line("b", "NO_PATCH"),
                                  plain_line("c", "INFRA_ERROR"), plain_line("c", "PATCHED")};
  EXPECT_THAT(ids(still_to_run(instances({"a", "b", "c"}), earlier, {})), ElementsAre());
  EXPECT_THAT(ids(still_to_run(instances({"a", "b", "c"}), earlier, {true})), ElementsAre("a"));
}

TEST(Progress, EstimatesTheTimeLeft) {
  ManualClock clock;
  std::ostringstream out;
  Progress progress(out, false, 4, clock);
  clock.advance(std::chrono::seconds(100));
  ResultLine line = plain_line("a", "PATCHED");
  line.seconds = 12.34;
  progress.finished(line);
  EXPECT_EQ(out.str(), "1/4 bugs, 1 patched, about 5m left: a PATCHED in 12.3s\n");
}

TEST(Progress, OneLineOnATerminal) {
  ManualClock clock;
  std::ostringstream out;
  Progress progress(out, true, 2, clock);
  progress.finished(plain_line("a", "NO_PATCH"));
  progress.finished(plain_line("b", "NO_PATCH"));
  EXPECT_THAT(out.str(), Not(HasSubstr("\n")));
  progress.warn("careful");
  EXPECT_THAT(out.str(), HasSubstr("\r\033[Kcareful\n"));
  progress.close();
  EXPECT_TRUE(out.str().ends_with("\r\033[K"));
}

}  // namespace
}  // namespace suture
