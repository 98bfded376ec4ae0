#include "repair/report/check.h"

#include <algorithm>
#include <array>
#include <optional>

#include "repair/base/text.h"

namespace suture {
namespace {

/// One word of a command line. `quoted_from` tells where its first quoted or escaped byte is, as a
/// quoted "=" makes no setting and a quoted "cd" is still a program.
struct Word {
  std::string text;
  std::size_t quoted_from = std::string::npos;

  void mark_quoted() { quoted_from = std::min(quoted_from, text.size()); }
};

/// What the splitter makes of a line: its words, and whether only a shell can run it.
struct Split {
  std::vector<Word> words;
  bool needs_shell = false;
};

// Brackets are not here: `test_x.py::test_y[a-b]` is far more often a node id than a glob, and sh
// leaves a glob without a match as it is.
constexpr std::string_view kShellBytes = "|&;<>()$`*?\n";
constexpr std::string_view kShellAtWordStart = "~#";
constexpr std::string_view kEscapableInDoubleQuotes = "$`\"\\\n";

constexpr std::array<std::string_view, 18> kShellWords = {
    ".",    "source", "cd",    "export", "exec", "eval",  "exit",  "set",  "unset",
    "trap", "ulimit", "umask", "if",     "for",  "while", "until", "case", "!"};

/// Splits words as POSIX sh does, up to the point where a shell is needed for certain.
class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  Result<Split> run() {
    while (at_ < line_.size()) {
      char c = line_[at_];
      if (c == ' ' || c == '\t') {
        end_word();
        ++at_;
      } else if (c == '\'') {
        TRY_STATUS(single_quotes());
      } else if (c == '"') {
        TRY_STATUS(double_quotes());
      } else if (c == '\\') {
        TRY_STATUS(escape());
      } else {
        plain(c);
      }
    }
    end_word();
    return std::move(split_);
  }

 private:
  Word& word() {
    if (!word_) word_.emplace();
    return *word_;
  }

  void end_word() {
    if (word_) split_.words.push_back(std::move(*word_));
    word_.reset();
  }

  void plain(char c) {
    bool at_start = !word_;
    if (kShellBytes.find(c) != std::string_view::npos) split_.needs_shell = true;
    if (at_start && kShellAtWordStart.find(c) != std::string_view::npos) split_.needs_shell = true;
    word().text += c;
    ++at_;
  }

  Status single_quotes() {
    std::size_t end = line_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return unclosed("'");
    word().mark_quoted();
    word().text += line_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return {};
  }

  Status double_quotes() {
    word().mark_quoted();
    for (++at_; at_ < line_.size(); ++at_) {
      char c = line_[at_];
      if (c == '"') {
        ++at_;
        return {};
      }
      if (c == '$' || c == '`') split_.needs_shell = true;
      bool escapes = c == '\\' && at_ + 1 < line_.size() &&
                     kEscapableInDoubleQuotes.find(line_[at_ + 1]) != std::string_view::npos;
      if (escapes) c = line_[++at_];
      if (escapes && c == '\n') continue;  // a continued line
      word().text += c;
    }
    return unclosed("\"");
  }

  Status escape() {
    if (at_ + 1 == line_.size()) {
      return fail(ErrorKind::kUsage, "the check's command line ends with a backslash",
                  "finish the line or remove the backslash");
    }
    char c = line_[at_ + 1];
    at_ += 2;
    if (c == '\n') return {};  // a continued line
    word().mark_quoted();
    word().text += c;
    return {};
  }

  static Status unclosed(std::string_view quote) {
    return fail(ErrorKind::kUsage,
                "the check's command line has a " + std::string(quote) + " that is never closed",
                "close the quote");
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::optional<Word> word_;
  Split split_;
};

/// The position of "=" in a leading NAME=value word; npos when it is none.
std::size_t setting_at(const Word& word) {
  std::size_t equals = word.text.find('=');
  if (equals == std::string::npos || equals >= word.quoted_from) return std::string::npos;
  return is_identifier(std::string_view(word.text).substr(0, equals)) ? equals : std::string::npos;
}

bool is_shell_word(const Word& word) {
  return word.quoted_from == std::string::npos &&
         std::find(kShellWords.begin(), kShellWords.end(), word.text) != kShellWords.end();
}

Check shell_check(std::string_view line) {
  Check check;
  check.command = {"sh", "-c", std::string(line)};
  return check;
}

/// A word as one types it in sh. `is_program` quotes what would be read as a setting or a keyword.
std::string quote(const std::string& text, bool is_program) {
  auto harmless = [](char c) {
    auto u = static_cast<unsigned char>(c);
    return std::isalnum(u) || u >= 0x80 ||
           std::string_view("_-./:=,+@%[]{}^").find(c) != std::string_view::npos;
  };
  bool plain = !text.empty() && std::all_of(text.begin(), text.end(), harmless);
  if (is_program) plain = plain && text.find('=') == std::string::npos && !is_shell_word({text});
  return plain ? text : "'" + replace_all(text, "'", "'\\''") + "'";
}

std::string_view name_of(std::string_view program) {
  return program.substr(program.find_last_of('/') + 1);
}

}  // namespace

std::string Check::display() const {
  bool is_shell_line = command.size() == 3 && command[0] == "sh" && command[1] == "-c";
  if (is_shell_line && env.empty()) {
    // Only a line that parse_check would give to sh may be shown bare.
    auto parsed = parse_check(command[2]);
    if (parsed && parsed->command == command) return command[2];
  }
  std::vector<std::string> words;
  for (const auto& [name, value] : env) {
    words.push_back(name + "=" + (value.empty() ? "" : quote(value, false)));
  }
  for (std::size_t i = 0; i < command.size(); ++i) words.push_back(quote(command[i], i == 0));
  return join(words, " ");
}

bool is_python(std::string_view program) {
  std::string_view name = name_of(program);
  return name.starts_with("python") &&
         name.find_first_not_of("0123456789.", 6) == std::string_view::npos;
}

bool is_pytest(std::string_view program) {
  std::string_view name = name_of(program);
  return name == "pytest" || name == "py.test";
}

Result<Check> parse_check(std::string_view line) {
  line = trim(line);
  if (line.empty()) {
    return fail(ErrorKind::kUsage, "the check is empty",
                "give the command that fails, such as 'python -m pytest -x tests/test_x.py'");
  }
  if (line.find('\0') != std::string_view::npos) {
    return fail(ErrorKind::kUsage, "the check's command line has a NUL byte", "retype it");
  }
  TRY(Split split, Splitter(line).run());
  if (split.needs_shell) return shell_check(line);

  Check check;
  std::size_t next = 0;
  for (; next < split.words.size(); ++next) {
    const Word& word = split.words[next];
    std::size_t equals = setting_at(word);
    if (equals == std::string::npos) break;
    check.env[word.text.substr(0, equals)] = word.text.substr(equals + 1);
  }
  if (next == split.words.size()) {
    return fail(ErrorKind::kUsage, "the check sets variables but runs no command",
                "put the command after the settings");
  }
  if (is_shell_word(split.words[next])) return shell_check(line);
  for (; next < split.words.size(); ++next) {
    check.command.push_back(std::move(split.words[next].text));
  }
  if (check.command.front().empty()) {
    return fail(ErrorKind::kUsage, "the check's program has an empty name",
                "give the command that fails, such as 'python repro.py'");
  }
  return check;
}

}  // namespace suture
