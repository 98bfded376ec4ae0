// suture-launcher: the small static program between suture and a check run. suture carries it
// inside itself (launcher_image.cc) and starts it from memory.
//
//   suture-launcher REPORT FILES LAYER TREE SIZE TASKS START PROGRAM [ARGUMENT...]
//
// REPORT  descriptor that takes one line a fact; PROGRAM inherits it when START is "sandbox"
// FILES   descriptor with the candidate's files (candidate_files.h)
// LAYER   "overlay": cover TREE with an overlay and write the files into its upper layer
//         "copy":    TREE is a private copy; write the files into it
// TREE    absolute folder
// SIZE    bytes that the upper layer of the overlay may hold
// TASKS   processes and threads that the check may have, where the kernel can hold it to that
// START   "sandbox": PROGRAM is bwrap, which reports the exit status itself
//         "direct":  PROGRAM is the check
//
// It does three things that bwrap 0.8 does not:
// - mounts the overlay, in its own user and mount name space: the upper layer is a tmpfs, so that
//   nothing is left on any disk or in the machine's mount table however suture ends;
// - adopts what bwrap leaves behind (PR_SET_CHILD_SUBREAPER), so that the CPU time of the whole PID
//   name space is counted (bwrap does not wait for its own init);
// - ends only when all its descendants have ended, daemons included.

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

namespace {

constexpr int kSetupFailed = 125;

int report_descriptor = -1;

void report(const std::string& line) {
  std::string text = line + "\n";
  [[maybe_unused]] ssize_t ignored = write(report_descriptor, text.data(), text.size());
}

[[noreturn]] void fail(const std::string& word, const std::string& what) {
  int error = errno;
  report(word + " " + what + ": " + std::strerror(error));
  _exit(kSetupFailed);
}

[[noreturn]] void overlay_failed(const std::string& what) { fail("overlay-error", what); }

std::string through_proc(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

void write_text(const char* path, const std::string& text) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) overlay_failed(std::string("open ") + path);
  if (write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    overlay_failed(std::string("write ") + path);
  }
  close(descriptor);
}

// Files keep their owners; an ordinary user may map only itself.
void enter_own_user_namespace() {
  std::string user = std::to_string(geteuid());
  std::string group = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) overlay_failed("unshare");
  write_text("/proc/self/uid_map", user + " " + user + " 1");
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/gid_map", group + " " + group + " 1");
}

// Root needs no user name space, and can then copy up files whatever their owner; root in a
// container without CAP_SYS_ADMIN does as others. Returns where overlayfs may keep its attributes.
std::string enter_own_namespaces() {
  bool privileged = geteuid() == 0 && unshare(CLONE_NEWNS) == 0;
  if (!privileged) enter_own_user_namespace();
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    overlay_failed("make mounts private");
  }
  return privileged ? "trusted" : "user";
}

int open_folder(int parent, const char* name) {
  return openat(parent, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void copy_mode(int from, int to_real) {
  struct stat status {};
  if (fstat(from, &status) == 0) fchmod(to_real, status.st_mode & 07777);
}

// The folder `name` in the upper layer, made like the one in the lower layer when there is one.
int make_folder_like(int lower, int upper, const std::string& name, int* lower_child) {
  *lower_child = lower < 0 ? -1 : open_folder(lower, name.c_str());
  if (mkdirat(upper, name.c_str(), 0755) != 0 && errno != EEXIST) {
    fail("error", "make folder " + name);
  }
  int made = openat(upper, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (made < 0) fail("error", "open folder " + name);
  if (*lower_child >= 0) copy_mode(*lower_child, made);
  return made;
}

// A compiled .pyc is trusted when seconds and size of its source agree: never keep the old second.
void set_distinct_time(int file, const struct stat& old) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (now.tv_sec != old.st_mtim.tv_sec) return;
  timespec times[2] = {{old.st_mtim.tv_sec + 1, 0}, {old.st_mtim.tv_sec + 1, 0}};
  futimens(file, times);
}

void write_file(int lower, int upper, const std::string& path, std::string_view content) {
  std::string rest = path;
  for (std::size_t slash; (slash = rest.find('/')) != std::string::npos;) {
    int lower_child = -1;
    upper = make_folder_like(lower, upper, rest.substr(0, slash), &lower_child);
    lower = lower_child;
    rest.erase(0, slash + 1);
  }
  struct stat old {};
  bool existed = lower >= 0 && fstatat(lower, rest.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  int file =
      openat(upper, rest.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0) fail("error", "write " + path);
  while (!content.empty()) {
    ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("error", "write " + path);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (existed && S_ISREG(old.st_mode)) {
    fchmod(file, old.st_mode & 07777);
    set_distinct_time(file, old);
  }
  close(file);
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t got; (got = read(descriptor, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

// Records of "PATH\0LENGTH\0CONTENT".
void write_files(int files, int lower, int upper) {
  std::string pack = read_all(files);
  std::string_view rest = pack;
  while (!rest.empty()) {
    std::string path(rest.data());
    rest.remove_prefix(path.size() + 1);
    std::string length(rest.data());
    rest.remove_prefix(length.size() + 1);
    std::string_view content = rest.substr(0, std::strtoull(length.c_str(), nullptr, 10));
    rest.remove_prefix(content.size());
    write_file(lower, upper, path, content);
  }
}

// Since Linux 5.14 the limit counts the processes of a user name space, not all of the user's. For
// root it does not hold at all; a control group does that (task_cap.h).
void limit_tasks(unsigned long tasks) {
  utsname system{};
  int major = 0;
  int minor = 0;
  if (tasks == 0 || geteuid() == 0 || uname(&system) != 0) return;
  if (std::sscanf(system.release, "%d.%d", &major, &minor) != 2) return;
  if (major < 5 || (major == 5 && minor < 14)) return;
  rlimit limit{tasks, tasks};
  setrlimit(RLIMIT_NPROC, &limit);
}

// Two mounts on top of the tree: a tmpfs that holds upper and work layer, and over it the overlay.
// No other folder of the machine is needed as a mount point.
void mount_overlay(const std::string& tree, const std::string& size, const std::string& attributes,
                   int files) {
  int lower = open_folder(AT_FDCWD, tree.c_str());
  if (lower < 0) overlay_failed("open " + tree);
  std::string options = "mode=0755,size=" + size;
  if (mount("tmpfs", tree.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) != 0) {
    overlay_failed("mount tmpfs");
  }
  int top = open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (top < 0 || mkdirat(top, "upper", 0755) != 0 || mkdirat(top, "work", 0755) != 0) {
    overlay_failed("prepare layers");
  }
  int upper = openat(top, "upper", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int work = open_folder(top, "work");
  copy_mode(lower, upper);
  // Without attributes (of kind "user" on a tmpfs before Linux 6.6) a folder that is removed and
  // made again would show its old content.
  std::string attribute = attributes + ".overlay.suture";
  if (fsetxattr(upper, attribute.c_str(), "y", 1, 0) != 0) overlay_failed("set attribute");
  fremovexattr(upper, attribute.c_str());
  write_files(files, lower, upper);
  std::string layers = (attributes == "user" ? "userxattr,lowerdir=" : "lowerdir=") +
                       through_proc(lower) + ",upperdir=" + through_proc(upper) +
                       ",workdir=" + through_proc(work);
  if (mount("overlay", tree.c_str(), "overlay", MS_NOSUID | MS_NODEV, layers.c_str()) != 0) {
    overlay_failed("mount overlay");
  }
  close(lower);
  close(top);
  close(upper);
  close(work);
  // The working folder is the lower one still.
  if (chdir(tree.c_str()) != 0) overlay_failed("enter " + tree);
}

void write_into_copy(const std::string& tree, int files) {
  int folder = open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail("error", "open " + tree);
  write_files(files, folder, folder);
  close(folder);
}

// `kept` stays open in the program; -1 for none.
pid_t start_program(char** argv, int kept) {
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0) fail("error", "make a pipe");
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) fail("error", "fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kSetupFailed);
    if (kept >= 0) fcntl(kept, F_SETFD, 0);
    execvp(argv[0], argv);
    int error = errno;
    [[maybe_unused]] ssize_t ignored = write(error_pipe[1], &error, sizeof error);
    _exit(kSetupFailed);
  }
  close(error_pipe[1]);
  int error = 0;
  if (read(error_pipe[0], &error, sizeof error) == sizeof error) {
    errno = error;
    fail("start-error", argv[0]);
  }
  close(error_pipe[0]);
  return child;
}

void kill_children() {
  std::string path = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  std::string list = read_all(descriptor);
  close(descriptor);
  char* cursor = list.data();
  for (char* end; *cursor != '\0'; cursor = end) {
    long child = std::strtol(cursor, &end, 10);
    if (end == cursor) return;
    kill(static_cast<pid_t>(child), SIGKILL);
  }
}

// Waits for the program, then ends and collects everything that it left: the children of a dead
// process become ours.
int wait_for_all(pid_t program) {
  int result = 0;
  bool ended = false;
  while (true) {
    if (ended) kill_children();
    int status = 0;
    pid_t pid = wait4(-1, &status, 0, nullptr);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return result;
    if (pid != program) continue;
    ended = true;
    result = status;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 9) return kSetupFailed;
  report_descriptor = std::atoi(argv[1]);
  int files = std::atoi(argv[2]);
  bool overlay = std::string_view(argv[3]) == "overlay";
  std::string tree = argv[4];
  bool direct = std::string_view(argv[7]) == "direct";
  syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  prctl(PR_SET_NAME, "suture-launcher");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t suture = getppid();
  if (overlay) {
    std::string attributes = enter_own_namespaces();
    // The kernel may forget the death signal when capabilities change.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != suture) return kSetupFailed;
    mount_overlay(tree, argv[5], attributes, files);
    limit_tasks(std::strtoul(argv[6], nullptr, 10));
  } else {
    write_into_copy(tree, files);
  }
  pid_t program = start_program(argv + 8, direct ? -1 : report_descriptor);
  int status = wait_for_all(program);
  if (!direct && WIFSIGNALED(status)) {
    report("error the sandbox was killed by signal " + std::to_string(WTERMSIG(status)));
    return kSetupFailed;
  }
  int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (direct) report("{ \"exit-code\": " + std::to_string(code) + " }");
  return code;
}
