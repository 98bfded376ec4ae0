#include "repair/cache/job_memory.h"

#include <utility>
#include <vector>

#include "repair/cache/field_digest.h"
#include "repair/cache/surroundings.h"
#include "repair/vcs/checkout.h"

namespace suture {
namespace fs = std::filesystem;
namespace {

/// Checks may ask git for the revision (a version is often made from it).
std::string revision_of(const fs::path& tree) {
  auto checkout = find_checkout(tree);
  return checkout && *checkout ? (*checkout)->revision : "";
}

}  // namespace

JobMemory::JobMemory(VerdictCache& cache, fs::path tree, std::string surroundings)
    : cache_(cache), tree_(std::move(tree)), state_(tree_state(tree_)) {
  FieldDigest digest;
  digest.add(tree_.string()).add(state_.contents).add(revision_of(tree_)).add(surroundings);
  situation_ = digest.hex();
}

std::string JobMemory::key(std::string_view what) const {
  return FieldDigest().add(situation_).add(what).hex();
}

std::string JobMemory::digest_of(const Check& check) {
  FieldDigest name;
  for (const std::string& word : check.command) name.add(word);
  name.add("");
  for (const auto& [variable, value] : check.env) name.add(variable).add(value);
  std::lock_guard lock(mutex_);
  std::string& known = checks_[name.hex()];
  if (known.empty()) known = digest_of_check(check, tree_);
  return known;
}

std::optional<std::string> JobMemory::find(const std::string& key) { return cache_.find(key); }

void JobMemory::keep(const std::string& key, std::string text) {
  std::lock_guard lock(mutex_);
  if (forgotten_.count(key) == 0) kept_[key] = std::move(text);
}

void JobMemory::forget(const std::string& key) {
  std::lock_guard lock(mutex_);
  kept_.erase(key);
  forgotten_.insert(key);
}

void JobMemory::drop() {
  std::lock_guard lock(mutex_);
  kept_.clear();
}

void JobMemory::commit() {
  std::lock_guard lock(mutex_);
  cache_.forget({forgotten_.begin(), forgotten_.end()});
  std::vector<VerdictRecord> records;
  if (kept_.empty() || tree_stamps(tree_) == state_.stamps) {
    for (auto& [key, text] : kept_) records.push_back({key, std::move(text)});
  }
  kept_.clear();
  cache_.keep(records);  // also where there is none: what was found has been used
}

}  // namespace suture
