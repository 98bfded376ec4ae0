#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// A version of a Python distribution as PEP 440 orders them:
/// 1.0.dev1 < 1.0a1 < 1.0rc1 < 1.0 < 1.0+local < 1.0.post1 < 1.1.
class Version {
 public:
  /// Nothing for what PEP 440 does not know as a version. Spellings are normalised: "v1.0-Beta.2"
  /// is 1.0b2.
  static std::optional<Version> parse(std::string_view text);

  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }

  bool is_prerelease() const { return pre_kind_ != kFinal || dev_ >= 0; }
  bool is_postrelease() const { return post_ >= 0; }
  bool has_local() const { return !local_.empty(); }
  /// The same without its local part ("2.1.0+cpu" is 2.1.0 built elsewhere).
  Version without_local() const;
  /// The release alone: 1.2rc1.post2 is of 1.2.
  Version base() const;
  /// Whether the release begins with these numbers, as in `==1.2.*`.
  bool starts_with(const Version& prefix) const;
  std::size_t release_size() const { return release_.size(); }
  /// The prefix of a compatible release: 1.4.5 is compatible with 1.4.*.
  Version without_last_number() const;

 private:
  static constexpr int kFinal = 3;  ///< after alpha, beta, release candidate
  std::int64_t number(std::size_t at) const { return at < release_.size() ? release_[at] : 0; }

  std::int64_t epoch_ = 0;
  std::vector<std::int64_t> release_;
  int pre_kind_ = kFinal;
  std::int64_t pre_ = 0, post_ = -1, dev_ = -1;  ///< -1: none
  std::vector<std::string> local_;
};

/// What a requirement allows: ">=1.2,!=1.3.*,<2".
class VersionSpecifier {
 public:
  /// The empty text allows everything. Nothing for what PEP 440 does not know.
  static std::optional<VersionSpecifier> parse(std::string_view text);

  /// Pre-releases count: one that is installed has been chosen.
  bool allows(const Version& version) const;
  bool allows_all() const { return clauses_.empty(); }
  /// As written, without blanks.
  const std::string& text() const { return text_; }

 private:
  struct Clause {
    std::string op;
    Version version;
    bool wildcard = false;
  };
  static bool allows(const Clause& clause, const Version& version);

  std::vector<Clause> clauses_;
  std::string text_;
};

}  // namespace suture
