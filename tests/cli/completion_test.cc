#include "client/cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/shell.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// What bash offers for the last of the words.
std::string bash_offers(const std::string& words) {
  return testing::shell(
             "/tmp",
             "bash -c 'source <(" SUTURE_BINARY " completion bash); COMP_WORDS=(" + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _suture; echo \"${COMPREPLY[@]}\"'")
      .output;
}

TEST(Completion, BashFollowsTheCommandLine) {
  EXPECT_EQ(bash_offers("suture rep"), "repair\n");
  EXPECT_THAT(bash_offers("suture \"\""), HasSubstr("doctor"));
  EXPECT_EQ(bash_offers("suture repair --form"), "--format\n");
  EXPECT_EQ(bash_offers("suture repair --format \"\""), "text json patch sarif\n");
  EXPECT_EQ(bash_offers("suture scan --format \"\""), "text json sarif github\n");
  EXPECT_EQ(bash_offers("suture repair --explain --format j"), "json\n");
  EXPECT_EQ(bash_offers("suture completion f"), "fish\n");
  EXPECT_EQ(bash_offers("suture help exit"), "exit-codes\n");
  EXPECT_EQ(bash_offers("suture repair --repo /usr/loca"), "/usr/local\n");
  EXPECT_EQ(bash_offers("suture repair --check x"), "\n");
  EXPECT_THAT(bash_offers("suture eval --"), HasSubstr("--dataset"));
}

TEST(Completion, HiddenCommandsStayHidden) {
  EXPECT_THAT(bash_offers("suture eval"), Not(HasSubstr("eval-one")));
}

TEST(Completion, OfTwoLevels) {
  CLI::App app;
  CLI::App* outer = app.add_subcommand("patterns", "It's about [patterns]: all");
  CLI::App* inner = outer->add_subcommand("list", "List them");
  bool flag = false;
  inner->add_flag("--long", flag, "More");
  std::string bash = completion_script(app, Shell::kBash);
  EXPECT_THAT(bash, HasSubstr("'suture patterns/list') path='suture patterns list' ;;"));
  EXPECT_THAT(bash, HasSubstr("'suture patterns list') words='-h --help --long' ;;"));
  std::string zsh = completion_script(app, Shell::kZsh);
  EXPECT_THAT(zsh, HasSubstr("_suture_patterns_list() {"));
  EXPECT_THAT(zsh, HasSubstr("list) _suture_patterns_list ;;"));
  std::string fish = completion_script(app, Shell::kFish);
  EXPECT_THAT(
      fish,
      HasSubstr(
          "-n '__fish_seen_subcommand_from patterns; and not __fish_seen_subcommand_from list' "
          "-f -a list -d 'List them'"));
  EXPECT_THAT(fish, HasSubstr("-d 'It'\\''s about [patterns]: all'"));
}

TEST(Completion, ScriptsParse) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    std::string name = shell;
    if (testing::shell("/tmp", "command -v " + name).status != 0) continue;
    auto parsed = testing::shell(
        "/tmp", SUTURE_BINARY " completion " + name + " > /tmp/suture-completion.$$ && " + name +
                    " -n /tmp/suture-completion.$$; s=$?; rm /tmp/suture-completion.$$; exit $s");
    EXPECT_EQ(parsed.status, 0) << name << parsed.output;
  }
}

}  // namespace
}  // namespace suture
