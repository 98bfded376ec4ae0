#include "repair/process/line_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace suture {
namespace {

/// Bytes read before the caller is to look at what has come.
constexpr std::size_t kEnoughAtOnce = 8u << 20;

}  // namespace

LinePipe::LinePipe(const std::filesystem::path& path, std::size_t longest_line)
    : longest_line_(longest_line) {
  if (mkfifo(path.c_str(), 0666) != 0) return;
  chmod(path.c_str(), 0666);  // whoever the check runs as, whatever our umask
  // Open for writing as well: the pipe then never ends before we say so.
  descriptor_ = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

LinePipe::~LinePipe() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool LinePipe::send(const std::string& line) {
  return ready() && ::write(descriptor_, line.data(), line.size()) == ssize_t(line.size());
}

std::vector<std::string> LinePipe::lines(std::chrono::milliseconds wait) {
  pollfd poll_for{descriptor_, POLLIN, 0};
  poll(&poll_for, 1, int(wait.count()));
  char buffer[16 << 10];
  for (ssize_t got; (got = read(descriptor_, buffer, sizeof buffer)) > 0;) {
    rest_.append(buffer, std::size_t(got));
    if (rest_.size() > kEnoughAtOnce) break;
  }
  std::vector<std::string> whole;
  std::size_t begin = 0;
  for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (end - begin <= longest_line_) whole.push_back(rest_.substr(begin, end - begin));
  }
  rest_.erase(0, begin);
  if (rest_.size() > longest_line_) rest_.clear();
  return whole;
}

}  // namespace suture
