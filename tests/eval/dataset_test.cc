#include "client/eval/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "repair/base/file.h"

namespace suture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* kRow =
    R"({"instance_id": "peft-1", "repo": "huggingface/peft", "problem_statement": "it fails",)"
    R"( "check": {"command": ["python3", "{checks}/c.py", "."], "env": {"PYTHONPATH": "src"},)"
    R"( "timeout_s": 1.5}, "family": "parameter", "language": "python", "unheard_of": [1]})";

Error error_of(const std::string& text) {
  Result<DataSet> data = parse_dataset(text, "d.jsonl");
  EXPECT_FALSE(data);
  return data ? Error{} : data.error();
}

/// kRow with one piece of its text replaced.
std::string row_with(const std::string& from, const std::string& to) {
  std::string row = kRow;
  std::size_t at = row.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return row.replace(at, from.size(), to);
}

TEST(Dataset, ReadsWhatTheToolMaySee) {
  Result<DataSet> data = parse_dataset(std::string(kRow) + "\n\n", "d.jsonl");
  ASSERT_TRUE(data) << data.error().display();
  ASSERT_EQ(data->instances.size(), 1u);
  const Instance& instance = data->instances[0];
  EXPECT_EQ(instance.id, "peft-1");
  EXPECT_EQ(instance.report, "it fails");
  EXPECT_THAT(instance.check.command, ElementsAre("python3", "{checks}/c.py", "."));
  EXPECT_THAT(instance.check.env, ElementsAre(Pair("PYTHONPATH", "src")));
  EXPECT_EQ(instance.check.timeout, std::chrono::milliseconds(1500));
}

TEST(Dataset, KeepsLabelsApart) {
  Result<DataSet> data = parse_dataset(kRow, "d.jsonl");
  ASSERT_TRUE(data);
  const InstanceLabels& labels = data->labels.at("peft-1");
  EXPECT_EQ(labels.project, "huggingface/peft");
  EXPECT_EQ(labels.family, "parameter");
  EXPECT_EQ(labels.language, "python");
}

TEST(Dataset, LabelsMayBeMissing) {
  Result<DataSet> data = parse_dataset(row_with(R"(, "family": "parameter")", ""), "d.jsonl");
  ASSERT_TRUE(data);
  EXPECT_EQ(data->labels.at("peft-1").family, "");
}

TEST(Dataset, CheckHasDefaults) {
  Result<DataSet> data = parse_dataset(
      row_with(R"(, "env": {"PYTHONPATH": "src"}, "timeout_s": 1.5)", R"(, "env": null)"),
      "d.jsonl");
  ASSERT_TRUE(data) << data.error().display();
  EXPECT_TRUE(data->instances[0].check.env.empty());
  EXPECT_EQ(data->instances[0].check.timeout, Check{}.timeout);
}

TEST(Dataset, FailToPassMakesACheckWhereThereIsNone) {
  for (const char* field :
       {R"(["tests/a.py::t", "tests/b.py::u"])", R"("[\"tests/a.py::t\", \"tests/b.py::u\"]")"}) {
    std::string row =
        R"({"instance_id": "a", "repo": "o/n", "problem_statement": "", "FAIL_TO_PASS": )" +
        std::string(field) + "}";
    Result<DataSet> data = parse_dataset(row, "d.jsonl");
    ASSERT_TRUE(data) << data.error().display();
    EXPECT_THAT(data->instances[0].check.command,
                ElementsAre("python3", "-m", "pytest", "-x", "tests/a.py::t", "tests/b.py::u"));
  }
}

TEST(Dataset, SaysFileLineAndWhatIsMissing) {
  std::string good = kRow;
  Error error = error_of(good + "\n" + R"({"instance_id": "b", "repo": "o/n"})");
  EXPECT_EQ(error.kind, ErrorKind::kBadInput);
  EXPECT_THAT(error.display(), HasSubstr("d.jsonl:2"));
  EXPECT_THAT(error.display(), HasSubstr("'problem_statement' is missing"));
}

TEST(Dataset, RefusesBadFields) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("instance_id": "peft-1")", R"("instance_id": 1)"},
      {R"("instance_id": "peft-1")", R"("instance_id": "../x")"},
      {R"("instance_id": "peft-1")", R"("instance_id": "a/b")"},
      {R"("instance_id": "peft-1")", R"("instance_id": "")"},
      {R"("repo": "huggingface/peft", )", ""},
      {R"("problem_statement": "it fails")", R"("problem_statement": null)"},
      {R"("command": ["python3", "{checks}/c.py", "."], )", ""},
      {R"(["python3", "{checks}/c.py", "."])", "[]"},
      {R"(["python3", "{checks}/c.py", "."])", R"("python3 c.py")"},
      {R"({"PYTHONPATH": "src"})", R"({"PYTHONPATH": 1})"},
      {R"("timeout_s": 1.5)", R"("timeout_s": 0)"},
      {R"("timeout_s": 1.5)", R"("timeout_s": "9")"},
      {R"("timeout_s": 1.5)", R"("timeout_s": 1e300)"},
  };
  for (const auto& [from, to] : cases) {
    Error error = error_of(row_with(from, to));
    EXPECT_EQ(error.kind, ErrorKind::kBadInput) << to;
    EXPECT_THAT(error.display(), HasSubstr("d.jsonl:1")) << to;
  }
}

TEST(Dataset, RefusesWhatIsNoListOfObjects) {
  EXPECT_THAT(error_of("{\"a\": ").display(), HasSubstr("not JSON"));
  EXPECT_THAT(error_of("[1]").display(), HasSubstr("not a JSON object"));
  EXPECT_THAT(error_of("\n \n").display(), HasSubstr("empty"));
  EXPECT_THAT(error_of(std::string(kRow) + "\n" + kRow).display(), HasSubstr("occurs twice"));
  EXPECT_THAT(error_of(R"({"instance_id": "a", "repo": "o/n", "problem_statement": "",)"
                       R"( "FAIL_TO_PASS": "t"})")
                  .display(),
              HasSubstr("FAIL_TO_PASS"));
}

TEST(Dataset, FileThatIsNotThere) {
  Result<DataSet> data = load_dataset("/nowhere/d.jsonl");
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace suture
