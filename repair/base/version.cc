#include "repair/base/version.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "repair/base/text.h"

namespace suture {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Numbers too large for a version count as one.
std::int64_t to_number(std::string_view digits) {
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Numbers come after words, and a longer local version after its beginning.
std::strong_ordering compare_local(const std::vector<std::string>& a,
                                   const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    bool number_a = is_number(a[i]), number_b = is_number(b[i]);
    if (number_a != number_b)
      return number_a ? std::strong_ordering::greater : std::strong_ordering::less;
    auto order = number_a ? to_number(a[i]) <=> to_number(b[i]) : a[i].compare(b[i]) <=> 0;
    if (order != 0) return order;
  }
  return a.size() <=> b.size();
}

std::string lower(std::string_view text) {
  std::string result;
  for (char c : text) result += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return result;
}

std::string without_white_space(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (kBlanks.find(c) == std::string_view::npos) result += c;
  }
  return result;
}

}  // namespace

std::optional<Version> Version::parse(std::string_view text) {
  static const re2::RE2 form(
      "v?(?:(\\d+)!)?(\\d+(?:\\.\\d+)*)"
      "(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\\d*))?"
      "((?:-\\d+)|(?:[-_.]?(?:post|rev|r)[-_.]?\\d*))?"
      "(?:[-_.]?(dev)[-_.]?(\\d*))?"
      "(?:\\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?");
  std::string epoch, release, pre, pre_number, post, dev, dev_number, local;
  if (!re2::RE2::FullMatch(lower(trim(text)), form, &epoch, &release, &pre, &pre_number, &post,
                           &dev, &dev_number, &local))
    return std::nullopt;
  Version version;
  version.epoch_ = to_number(epoch);
  for (const std::string& part : split(release, '.')) version.release_.push_back(to_number(part));
  if (!pre.empty()) {
    version.pre_kind_ = pre.starts_with('a') ? 0 : pre.starts_with('b') ? 1 : 2;
    version.pre_ = to_number(pre_number);
  }
  if (!post.empty()) {
    std::size_t digits = post.find_first_of("0123456789");
    version.post_ = digits == std::string::npos ? 0 : to_number(post.substr(digits));
  }
  if (!dev.empty()) version.dev_ = to_number(dev_number);
  std::ranges::replace(local, '-', '.');
  std::ranges::replace(local, '_', '.');
  if (!local.empty()) version.local_ = split(local, '.');
  return version;
}

std::strong_ordering Version::operator<=>(const Version& other) const {
  if (auto order = epoch_ <=> other.epoch_; order != 0) return order;
  for (std::size_t i = 0; i < std::max(release_.size(), other.release_.size()); ++i) {
    if (auto order = number(i) <=> other.number(i); order != 0) return order;
  }
  // A development release of nothing else comes before all pre-releases.
  auto stage = [](const Version& v) {
    bool only_dev = v.pre_kind_ == kFinal && v.post_ < 0 && v.dev_ >= 0;
    return std::tuple(only_dev ? -1 : v.pre_kind_, v.pre_, v.post_, v.dev_ < 0, v.dev_);
  };
  if (auto order = stage(*this) <=> stage(other); order != 0) return order;
  return compare_local(local_, other.local_);
}

Version Version::without_local() const {
  Version version = *this;
  version.local_.clear();
  return version;
}

Version Version::base() const {
  Version version;
  version.epoch_ = epoch_;
  version.release_ = release_;
  return version;
}

bool Version::starts_with(const Version& prefix) const {
  if (epoch_ != prefix.epoch_) return false;
  for (std::size_t i = 0; i < prefix.release_.size(); ++i) {
    if (number(i) != prefix.release_[i]) return false;
  }
  return true;
}

Version Version::without_last_number() const {
  Version version = base();
  version.release_.pop_back();
  return version;
}

std::optional<VersionSpecifier> VersionSpecifier::parse(std::string_view text) {
  VersionSpecifier specifier;
  specifier.text_ = without_white_space(text);
  if (specifier.text_.empty()) return specifier;
  static const re2::RE2 form("(~=|===|==|!=|<=|>=|<|>)(.+?)(\\.\\*)?");
  for (const std::string& part : split(specifier.text_, ',')) {
    if (part.empty()) continue;
    Clause clause;
    std::string version, wildcard;
    if (!re2::RE2::FullMatch(part, form, &clause.op, &version, &wildcard)) return std::nullopt;
    auto parsed = Version::parse(version);
    clause.wildcard = !wildcard.empty();
    bool exact = clause.op == "==" || clause.op == "!=";
    if (!parsed || (clause.wildcard && !exact) || (clause.op == "~=" && parsed->release_size() < 2))
      return std::nullopt;
    clause.version = *parsed;
    specifier.clauses_.push_back(std::move(clause));
  }
  return specifier;
}

bool VersionSpecifier::allows(const Version& version) const {
  return std::ranges::all_of(clauses_, [&](auto& clause) { return allows(clause, version); });
}

bool VersionSpecifier::allows(const Clause& clause, const Version& version) {
  const Version& bound = clause.version;
  Version plain = version.without_local();
  bool equal = clause.wildcard     ? version.starts_with(bound)
               : bound.has_local() ? version == bound
                                   : plain == bound;
  if (clause.op == "==" || clause.op == "===") return equal;
  if (clause.op == "!=") return !equal;
  if (clause.op == "<=") return plain <= bound;
  if (clause.op == ">=") return plain >= bound;
  if (clause.op == "~=") return plain >= bound && version.starts_with(bound.without_last_number());
  // A pre-release of the bound is no version below it, nor a post-release one above it.
  bool of_bound = plain.base() == bound.base();
  if (clause.op == "<")
    return plain < bound && (bound.is_prerelease() || !version.is_prerelease() || !of_bound);
  return plain > bound && (bound.is_postrelease() || !version.is_postrelease() || !of_bound);
}

}  // namespace suture
