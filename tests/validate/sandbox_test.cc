// What the sandboxed executor promises, against the real bubblewrap. As root all of it runs a
// second time as an ordinary user (SandboxUserTest).

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "repair/base/file.h"
#include "repair/validate/local_executor.h"
#include "tests/process/traces.h"
#include "tests/validate/executor_fixture.h"

namespace suture {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::eventually;
using testing::processes_with;
using testing::slurp;
using testing::unique_seconds;
using testing::write;

class SandboxTest : public testing::ExecutorFixture {
 protected:
  void SetUp() override {
    Status ready = executor().ready();
    ASSERT_TRUE(ready) << ready.error().display();
  }
};

TEST_F(SandboxTest, ExitStatusBecomesVerdict) {
  EXPECT_EQ(sh("exit 0").verdict, Verdict::kPassed);
  for (int code : {1, 2, 5, 125, 126, 127, 128, 130, 255}) {
    CheckRun run = sh(fmt::format("exit {}", code));
    EXPECT_EQ(run.verdict, Verdict::kFailed) << code << ": " << run.reason;
    EXPECT_EQ(run.code, code);
  }
}

TEST_F(SandboxTest, SignalsAreCrashes) {
  for (int signal : {SIGSEGV, SIGABRT, SIGKILL, SIGFPE, SIGILL, SIGBUS}) {
    CheckRun run = sh(fmt::format("kill -{} $$", signal));
    EXPECT_EQ(run.verdict, Verdict::kCrashed) << signal << " " << run.reason;
    EXPECT_EQ(run.code, signal);
    EXPECT_NE(run.reason, "");
  }
  EXPECT_EQ(sh("sh -c 'kill -SEGV $$'").verdict, Verdict::kCrashed) << "through a shell";
}

TEST_F(SandboxTest, MissingProgramIsNobodysFault) {
  check_.command = {"no-such-program", "x"};
  RunRequest request;
  request.check = &check_;
  CheckRun result = run(request);
  EXPECT_EQ(result.verdict, Verdict::kInfraError);
  EXPECT_NE(result.reason.find("no-such-program"), std::string::npos) << result.reason;
}

TEST_F(SandboxTest, PretendedSandboxErrorIsAFailure) {
  CheckRun run = sh("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1");
  EXPECT_EQ(run.verdict, Verdict::kFailed) << run.reason;
}

TEST_F(SandboxTest, ImpossibleMountIsNobodysFault) {
  check_.command = {"true"};
  RunRequest request;
  request.check = &check_;
  request.mounts.push_back({"/no/such/host/folder", "/tmp/x", Mount::Access::kRead});
  CheckRun result = run(request);
  EXPECT_EQ(result.verdict, Verdict::kInfraError);
  EXPECT_NE(result.reason.find("/no/such/host/folder"), std::string::npos) << result.reason;
}

TEST_F(SandboxTest, CandidateIsSeenAtTheSamePath) {
  std::string path = (tree_ / "package" / "module.txt").string();
  CheckRun run =
      sh("pwd; cat " + path + " package/module.txt; cat package/new/deep/file.txt; ls package",
         {{"package/module.txt", "new\n"}, {"package/new/deep/file.txt", "fresh\n"}});
  EXPECT_EQ(run.output, tree_.string() + "\nnew\nnew\nfresh\nmodule.txt\nnew\n");
  EXPECT_EQ(slurp(path), "old\n");
  EXPECT_FALSE(fs::exists(tree_ / "package" / "new"));
  EXPECT_EQ(sh("cat package/module.txt").output, "old\n") << "the next run starts afresh";
}

TEST_F(SandboxTest, CandidateKeepsModeAndBytes) {
  std::string odd("#!/bin/sh\nprintf 'a\\0b\\r\\n'\n");
  EXPECT_EQ(sh("./run.sh", {{"run.sh", odd}}).output, std::string("a\0b\r\n", 5));
  fs::permissions(tree_ / "package", fs::perms(0700));
  CheckRun run = sh("stat -c %a run.sh package package/module.txt",
                    {{"run.sh", "x"}, {"package/module.txt", std::string("\0\xff", 2)}});
  EXPECT_EQ(run.output, "755\n700\n644\n");
  EXPECT_EQ(
      sh("wc -c < package/module.txt", {{"package/module.txt", std::string("\0\xff", 2)}}).output,
      "2\n");
}

TEST_F(SandboxTest, CandidateTimeDiffersInSeconds) {
  // A .pyc is trusted when second and size of the source agree.
  auto now = fs::last_write_time(tree_ / "run.sh");
  for (int i = 0; i < 3; ++i) {
    fs::last_write_time(tree_ / "package" / "module.txt", decltype(now)::clock::now());
    std::string old = testing::shell(tree_, "stat -c %Y package/module.txt").output;
    CheckRun run = sh("stat -c %Y package/module.txt", {{"package/module.txt", "alt\n"}});
    EXPECT_NE(run.output, old);
  }
}

TEST_F(SandboxTest, CandidateThroughALinkReachesTheTarget) {
  fs::create_directory_symlink("package", tree_ / "alias");
  CheckRun run = sh("cat package/module.txt; test -L alias", {{"alias/module.txt", "new\n"}});
  EXPECT_EQ(run.output, "new\n");
  EXPECT_EQ(run.verdict, Verdict::kPassed) << run.reason;
}

TEST_F(SandboxTest, CandidateOutsideTheTreeIsRefused) {
  write(folder_.path() / "outside.txt", "mine");
  fs::create_symlink(folder_.path() / "outside.txt", tree_ / "link.txt");
  for (const char* path : {"../../outside.txt", "/etc/passwd", "link.txt", "a/../../../x", ""}) {
    CheckRun run = sh("true", {{path, "evil"}});
    EXPECT_EQ(run.verdict, Verdict::kInfraError) << path;
  }
  EXPECT_EQ(slurp(folder_.path() / "outside.txt"), "mine");
}

TEST_F(SandboxTest, WritesStayInTheRun) {
  CheckRun run =
      sh("echo changed > package/module.txt && rm run.sh && mkdir build && "
         "rm -r package && mkdir package && ls -A package && echo wrote");
  EXPECT_EQ(run.output, "wrote\n");
  EXPECT_EQ(slurp(tree_ / "package" / "module.txt"), "old\n");
  EXPECT_TRUE(fs::exists(tree_ / "run.sh"));
  EXPECT_FALSE(fs::exists(tree_ / "build"));
  EXPECT_EQ(sh("ls").output, "package\nrun.sh\n");
}

TEST_F(SandboxTest, RunsSideBySideDoNotSeeEachOther) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      Check check;
      check.command = {"sh", "-c", "cat package/module.txt; echo x >> log; sleep 0.2; wc -l < log"};
      RunRequest request;
      request.check = &check;
      request.files = {{"package/module.txt", fmt::format("{}\n", i)}};
      if (run(request).output != fmt::format("{}\n1\n", i)) ++wrong;
    });
  }
  executor();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(SandboxTest, SystemIsReadOnlyAndScratchPrivate) {
  for (const char* path : {"/etc/passwd", "/usr/x", "/etc/x", "/x"}) {
    CheckRun run = sh(fmt::format("echo x >> {}", path));
    EXPECT_EQ(run.verdict, Verdict::kFailed) << path << run.output;
  }
  std::string name = fmt::format("suture-scratch-{}", getpid());
  for (const char* place : {"/tmp", "/var/tmp", "/dev/shm"}) {
    write(fs::path(place) / name, "host");
    CheckRun run =
        sh(fmt::format("test ! -e {0}/{1} && echo inside > {0}/{1} && cat {0}/{1}", place, name));
    EXPECT_EQ(run.output, "inside\n") << place;
    EXPECT_EQ(slurp(fs::path(place) / name), "host");
    fs::remove(fs::path(place) / name);
  }
}

TEST_F(SandboxTest, NoNetworkNoCapabilitiesOrdinaryUser) {
  CheckRun run =
      sh("id -u; grep -h CapEff /proc/self/status; cat /proc/net/dev | grep -c :; "
         "getent hosts $(hostname) >/dev/null && echo own name known");
  EXPECT_EQ(run.output, "1000\nCapEff:\t0000000000000000\n1\nown name known\n");
  run = sh("exec 2>&1; bash -c 'echo > /dev/tcp/192.0.2.1/80'");
  EXPECT_EQ(run.verdict, Verdict::kFailed) << run.reason;
  EXPECT_NE(run.output.find("unreachable"), std::string::npos) << run.output;
  EXPECT_NE(sh("unshare -U true").verdict, Verdict::kPassed) << "nested user name spaces";
  EXPECT_NE(sh("mount -t tmpfs tmpfs /tmp").verdict, Verdict::kPassed);
}

TEST_F(SandboxTest, NoSettingOfTheMachineCanBeWritten) {
  // Opened, not written: should this fail, the machine must not suffer.
  EXPECT_EQ(sh(": >> /proc/sys/kernel/core_pattern").verdict, Verdict::kFailed);
  if (geteuid() != 0) return;  // what others may write there belongs to the sandbox alone
  CheckRun run =
      sh("find /proc /sys -path '/proc/[0-9]*' -prune -o -path '/proc/*self' -prune -o "
         "-type f -writable -exec test -f {} \\; -print 2>/dev/null");
  EXPECT_EQ(run.output, "");
}

TEST_F(SandboxTest, OnlyThreeDescriptorsAndOwnProcesses) {
  CheckRun run = sh("ls /proc/self/fd | tr '\\n' ' '; ls -d /proc/[0-9]* | wc -l");
  EXPECT_TRUE(run.output.starts_with("0 1 2 3 ")) << run.output;
  EXPECT_LT(std::atoi(run.output.substr(8).c_str()), 8) << run.output;
}

TEST_F(SandboxTest, EnvironmentIsBuiltUpInOrder) {
  setenv("SUTURE_SECRET", "leaked", 1);
  check_.env = {{"A", "check"}, {"B", "check"}, {"PYTHONPATH", "/from/check"}};
  check_.command = {"sh", "-c", "echo $A $B $PYTHONPATH $SUTURE_SECRET $HOME; test -w $HOME"};
  RunRequest request;
  request.check = &check_;
  request.env = {{"B", "request"}};
  request.python_path = {"/first", "/second"};
  CheckRun result = run(request);
  EXPECT_EQ(result.output, "check request /first:/second:/from/check /tmp/home\n");
  EXPECT_EQ(result.verdict, Verdict::kPassed);
  unsetenv("SUTURE_SECRET");
}

TEST_F(SandboxTest, PreloadOfACheckDoesNotReachTheSandboxItself) {
  check_.env = {{"LD_PRELOAD", "/nonexistent.so"}};
  CheckRun run = sh("exit 0");
  EXPECT_EQ(run.verdict, Verdict::kPassed) << run.reason;
}

TEST_F(SandboxTest, MountsAreVisible) {
  write(folder_.path() / "in" / "a", "given\n");
  fs::create_directory(folder_.path() / "out");
  check_.command = {"sh", "-c", "cat /tmp/in/a; echo x > /tmp/in/b; echo result > /tmp/out/r"};
  RunRequest request;
  request.check = &check_;
  request.mounts = {{folder_.path() / "in", "/tmp/in", Mount::Access::kRead},
                    {folder_.path() / "out", "/tmp/out", Mount::Access::kWrite}};
  CheckRun result = run(request);
  EXPECT_TRUE(result.output.starts_with("given\n")) << result.output;
  EXPECT_EQ(result.verdict, Verdict::kPassed);
  EXPECT_FALSE(fs::exists(folder_.path() / "in" / "b"));
  EXPECT_EQ(slurp(folder_.path() / "out" / "r"), "result\n");
}

TEST_F(SandboxTest, DaemonsDoNotSurvive) {
  std::string seconds = unique_seconds();
  std::string daemon = "setsid sh -c 'trap \"\" TERM HUP INT; sleep " + seconds +
                       "; true' >/dev/null 2>&1 </dev/null & ";
  CheckRun run = sh("(" + daemon + ") ; sleep 0.2; exit 0");
  EXPECT_EQ(run.verdict, Verdict::kPassed) << run.reason;
  EXPECT_TRUE(processes_with(seconds).empty());

  check_.timeout = 1s;
  run = sh("(" + daemon + ") ; sleep " + seconds);
  EXPECT_EQ(run.verdict, Verdict::kTimedOut);
  EXPECT_NE(run.reason, "");
  EXPECT_TRUE(processes_with(seconds).empty());
}

TEST_F(SandboxTest, ForkBombIsBounded) {
  options_.policy.limits.processes = 100;
  executor_ = make();
  check_.timeout = 60s;
  std::atomic<bool> done = false;
  std::size_t most = 0;
  std::thread watch([&] {
    while (!done) {
      most = std::max(most, testing::count_entries("/proc", ""));
      std::this_thread::sleep_for(5ms);
    }
  });
  std::size_t before = testing::count_entries("/proc", "");
  // A bomb of 400, so that a watchdog that fails does not take the machine down with it. What it
  // has started stays when the kernel refuses to fork more, which may be before anybody has looked.
  CheckRun run = sh("(for i in $(seq 400); do sleep 60 & done); sleep 60");
  done = true;
  watch.join();
  EXPECT_EQ(run.verdict, Verdict::kCrashed) << run.output;
  EXPECT_NE(run.reason.find("100 processes"), std::string::npos) << run.reason;
  EXPECT_LT(most, before + 1000);
  EXPECT_LT(run.use.wall_seconds, 30);
}

TEST_F(SandboxTest, MemoryHogIsBounded) {
  options_.policy.limits.memory_bytes = 200 << 20;
  executor_ = make();
  CheckRun run = sh("tail /dev/zero");
  EXPECT_EQ(run.verdict, Verdict::kCrashed);
  EXPECT_NE(run.reason.find("200 MB"), std::string::npos) << run.reason;
  EXPECT_GT(run.use.peak_rss_bytes, 200u << 20);
}

TEST_F(SandboxTest, DiskHogIsBounded) {
  options_.policy.tmp_bytes = 5 << 20;
  executor_ = make();
  for (const char* place : {"/tmp", "/var/tmp", "/dev/shm", "."}) {
    CheckRun run = sh(fmt::format("head -c 20000000 /dev/zero > {}/big", place));
    EXPECT_NE(run.verdict, Verdict::kPassed) << place;
    EXPECT_NE(run.output.find("No space"), std::string::npos) << place << run.output;
  }
}

TEST_F(SandboxTest, FloodIsBounded) {
  check_.timeout = 1s;
  CheckRun run = sh("yes");
  EXPECT_EQ(run.verdict, Verdict::kTimedOut);
  EXPECT_LT(run.output.size(), 110'000u);
}

TEST_F(SandboxTest, CancelsWithinHalfASecond) {
  std::string seconds = unique_seconds();
  CancelToken cancel;
  check_.command = {"sleep", seconds};
  RunRequest request;
  request.check = &check_;
  auto running = std::async(std::launch::async, [&] { return executor().run(request, cancel); });
  ASSERT_TRUE(eventually([&] { return processes_with("sleep " + seconds).size() >= 2; }, 10s));
  auto began = std::chrono::steady_clock::now();
  cancel.cancel();
  EXPECT_EQ(running.get().verdict, Verdict::kCancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 500ms);
  EXPECT_TRUE(processes_with(seconds).empty());
}

TEST_F(SandboxTest, CountsCpuOfOrphans) {
  std::string work = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
  CheckRun direct = sh(work);
  CheckRun orphan = sh("(setsid sh -c '" + work +
                       "; touch done' &) ; "
                       "while [ ! -e done ]; do sleep 0.02; done");
  EXPECT_EQ(orphan.verdict, Verdict::kPassed);
  EXPECT_GT(orphan.use.cpu_seconds, direct.use.cpu_seconds * 0.6);
}

TEST_F(SandboxTest, TwoHundredRunsLeaveNothing) {
  setenv("TMPDIR", folder_.path().c_str(), 1);  // so that only its own files are counted
  sh("true");
  std::size_t descriptors = testing::open_descriptors();
  std::string mounts = slurp("/proc/self/mounts");
  std::size_t files = testing::count_entries(fs::temp_directory_path(), "suture-run-");
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&] {
      Check check;
      check.command = {"sh", "-c", "echo x > new; exit 1"};
      RunRequest request;
      request.check = &check;
      request.files = {{"package/module.txt", "new"}};
      for (int i = 0; i < 100; ++i) EXPECT_EQ(run(request).verdict, Verdict::kFailed);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(testing::open_descriptors(), descriptors);
  EXPECT_EQ(slurp("/proc/self/mounts"), mounts);
  EXPECT_EQ(testing::count_entries(fs::temp_directory_path(), "suture-run-"), files);
  EXPECT_TRUE(processes_with(tree_.string()).empty());
  unsetenv("TMPDIR");
}

// A home folder that is nowhere near /tmp, as homes are.
class SandboxHomeTest : public SandboxTest {
 protected:
  SandboxHomeTest() {
    std::string pattern = "/var/lib/suture-home-XXXXXX";
    if (geteuid() != 0) pattern = "/dev/shm/suture-home-XXXXXX";
    home_ = mkdtemp(pattern.data());
    before_ = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
    setenv("HOME", home_.c_str(), 1);
    for (const char* name :
         {".ssh/id", ".aws/credentials", ".netrc", ".config/gh/hosts.yml", "notes"}) {
      write(home_ / name, "secret\n");
    }
  }
  ~SandboxHomeTest() override {
    setenv("HOME", before_.c_str(), 1);
    fs::remove_all(home_);
  }

  fs::path home_;
  std::string before_;
};

TEST_F(SandboxHomeTest, NothingOfItIsSeen) {
  CheckRun run = sh(fmt::format("ls -A {0}; cat {0}/.ssh/id {0}/notes", home_.string()));
  EXPECT_EQ(run.verdict, Verdict::kFailed) << run.reason;
  EXPECT_EQ(run.output.find("secret"), std::string::npos);
}

TEST_F(SandboxHomeTest, TreeInItIsSeenAlone) {
  write(home_ / "code" / "project" / "file", "content\n");
  options_.tree = home_ / "code" / "project";
  executor_ = make();
  CheckRun run = sh(fmt::format("pwd; cat file; ls -A {0} {0}/code", home_.string()));
  EXPECT_EQ(run.output, fmt::format("{0}/code/project\ncontent\n{0}:\ncode\n\n{0}/code:\nproject\n",
                                    home_.string()));
}

TEST_F(SandboxHomeTest, TreeThatIsItHidesItsSecrets) {
  if (geteuid() != 0) GTEST_SKIP() << "the home of this run is a hidden scratch place";
  options_.tree = home_;
  executor_ = make();
  CheckRun run = sh("cat notes .ssh/id .netrc .config/gh/hosts.yml .aws/credentials");
  EXPECT_EQ(run.output.substr(0, 7), "secret\n");
  EXPECT_EQ(run.output.find("secret", 7), std::string::npos) << run.output;
}

TEST_F(SandboxHomeTest, VisiblePathsAreReadOnly) {
  write(home_ / "checks" / "a.sh", "cat \"$(dirname \"$0\")/b.txt\"; echo x > \"$0\"\n");
  write(home_ / "checks" / "b.txt", "beside\n");
  options_.visible = {(home_ / "checks").string()};
  executor_ = make();
  CheckRun run = sh(fmt::format("sh {}/checks/a.sh", home_.string()));
  EXPECT_TRUE(run.output.starts_with("beside\n")) << run.output;
  EXPECT_NE(run.output.find("ead-only"), std::string::npos) << run.output;
}

TEST_F(SandboxHomeTest, FilesThatTheCommandNamesAreSeen) {
  write(home_ / "check.sh", "echo from the script\n");
  check_.command = {"sh", (home_ / "check.sh").string()};
  RunRequest request;
  request.check = &check_;
  EXPECT_EQ(run(request).output, "from the script\n");
}

TEST_F(SandboxHomeTest, VirtualEnvironmentIsSeen) {
  fs::path python = home_ / "venv" / "bin" / "python3";
  auto made = testing::shell(home_, "/usr/bin/python3 -m venv --without-pip venv");
  if (made.status != 0) GTEST_SKIP() << "no venv: " << made.output;
  write(home_ / "elsewhere" / "helper.py", "print('helper')\n");
  std::string site = testing::shell(home_, "echo venv/lib/python3*/site-packages").output;
  write(home_ / site.substr(0, site.find('\n')) / "editable.pth",
        (home_ / "elsewhere").string() + "\n");
  options_.environment = base_environment(python, {});
  executor_ = make();
  CheckRun run = sh("python3 -c 'import sys, helper; print(sys.prefix)'; echo $VIRTUAL_ENV");
  std::string venv = (home_ / "venv").string();
  EXPECT_EQ(run.output, "helper\n" + venv + "\n" + venv + "\n");
}

TEST_F(SandboxHomeTest, TreeBehindALinkIsSeenUnderBothNames) {
  fs::create_directory_symlink(tree_, home_ / "link");
  options_.tree = home_ / "link";
  executor_ = make();
  CheckRun run = sh(fmt::format("cat {0}/link/package/module.txt {1}/package/module.txt",
                                home_.string(), tree_.string()),
                    {{"package/module.txt", "new\n"}});
  EXPECT_EQ(run.output, "new\nnew\n");
}

TEST_F(SandboxTest, RootsFilesAreHiddenFromChecksOfRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can read them anyhow";
  ASSERT_FALSE(slurp("/etc/shadow").empty());
  EXPECT_EQ(sh("cat /etc/shadow").verdict, Verdict::kFailed);
  EXPECT_EQ(sh("ls -A /root").output, "");
}

TEST_F(SandboxTest, TreeOfAnotherUserIsCopied) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  testing::shell(folder_.path(), "chown -R 1234:1234 work");
  executor_ = make();
  CheckRun run = sh("echo more >> package/module.txt && cat package/module.txt && ls",
                    {{"package/module.txt", "new\n"}});
  EXPECT_EQ(run.output, "new\nmore\npackage\nrun.sh\n");
  EXPECT_EQ(slurp(tree_ / "package" / "module.txt"), "old\n");
  EXPECT_EQ(testing::count_entries(fs::temp_directory_path(), "suture-run-"), 0u);
}

TEST_F(SandboxTest, BadTreesAreErrors) {
  for (const char* tree : {"/no/such/tree", "relative", "/", "/etc/passwd"}) {
    options_.tree = tree;
    executor_ = make();
    Status ready = executor_->ready();
    ASSERT_FALSE(ready) << tree;
    EXPECT_EQ(ready.error().kind, ErrorKind::kInfra);
    EXPECT_EQ(sh("true").verdict, Verdict::kInfraError);
  }
}

TEST_F(SandboxTest, MissingBubblewrapIsSaid) {
  fs::create_directory(folder_.path() / "empty");
  std::string before = std::getenv("PATH");
  setenv("PATH", (folder_.path() / "empty").c_str(), 1);
  executor_ = make();
  Status ready = executor_->ready();
  setenv("PATH", before.c_str(), 1);
  ASSERT_FALSE(ready);
  EXPECT_NE(ready.error().display().find("bubblewrap"), std::string::npos);
}

TEST(SandboxUserTest, AllOfItAsAnOrdinaryUser) {
  if (geteuid() != 0) GTEST_SKIP() << "is one";
  std::string self = fs::read_symlink("/proc/self/exe");
  auto result = testing::shell(
      "/tmp", "HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups -- " + self +
                  " --gtest_filter='Sandbox*Test.*:-SandboxUserTest.*:*TwoHundred*' 2>&1");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("[  PASSED  ]"), std::string::npos) << result.output;
}

// Runs in a process of its own and is killed there.
class SandboxVictim : public testing::ExecutorFixture {};

TEST_F(SandboxVictim, DISABLED_SleepsForever) {
  std::string seconds = std::getenv("SUTURE_VICTIM_SECONDS");
  check_.timeout = 1000s;
  std::thread other([&] {
    Check check;
    check.command = {"sh", "-c", "setsid sleep " + seconds + " & sleep " + seconds};
    RunRequest request;
    request.check = &check;
    run(request);
  });
  sh("(setsid sh -c 'trap \"\" TERM HUP; sleep " + seconds + "; true' &); sleep " + seconds);
  other.join();
}

TEST(SandboxChaosTest, NothingSurvivesAKilledHost) {
  std::string mounts = slurp("/proc/self/mounts");
  // What the victims leave goes with this folder; other tests' folders are none of their business.
  auto leftovers = TemporaryFolder::make("suture-test-");
  ASSERT_TRUE(leftovers);
  setenv("TMPDIR", leftovers->path().c_str(), 1);
  for (int round = 0; round < 3; ++round) {
    std::string seconds = unique_seconds();
    setenv("SUTURE_VICTIM_SECONDS", seconds.c_str(), 1);
    pid_t victim = testing::start_self("SandboxVictim.DISABLED_SleepsForever");
    // launcher, two of bwrap and three of the check, twice
    EXPECT_TRUE(eventually([&] { return processes_with(seconds).size() >= 11; }, 30s))
        << processes_with(seconds).size();
    kill(victim, SIGKILL);
    waitpid(victim, nullptr, 0);
    EXPECT_TRUE(eventually([&] { return processes_with(seconds).empty(); }, 5s));
  }
  EXPECT_EQ(slurp("/proc/self/mounts"), mounts);
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace suture
