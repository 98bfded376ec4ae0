#include "repair/rank/token_model.h"

#include <algorithm>

namespace suture {
namespace {

/// So many sightings of a context weigh as much as what stands behind it.
constexpr double kTrust = 2;

std::uint64_t key_of(std::uint64_t word) { return mixed(1, word); }
std::uint64_t key_of(std::uint64_t first, std::uint64_t word) {
  return mixed(mixed(2, first), word);
}
std::uint64_t key_of(const TokenModel::Place& place) {
  return mixed(mixed(mixed(3, place.second), place.first), place.word);
}

}  // namespace

void TokenModel::add(std::span<const Token> text) {
  for (const Place& place : places_in(text)) add(place);
}

void TokenModel::add(const Place& place) {
  ++counts_[key_of(place.word)];
  ++counts_[key_of(place.first, place.word)];
  ++counts_[key_of(place)];
  ++words_;
}

double TokenModel::count(std::uint64_t key) const {
  auto found = counts_.find(key);
  return found == counts_.end() ? 0 : found->second;
}

double TokenModel::probability(const Place& place, const TokenModel& without) const {
  auto seen = [&](std::uint64_t key) { return std::max(0.0, count(key) - without.count(key)); };
  double chance = kUnseen;
  auto refine = [&](std::uint64_t context_and_word, double context) {
    chance = (seen(context_and_word) + kTrust * chance) / (context + kTrust);
  };
  refine(key_of(place.word), double(words_ - without.words_));
  refine(key_of(place.first, place.word), seen(key_of(place.first)));
  refine(key_of(place), seen(key_of(place.second, place.first)));
  return std::min(chance, 1.0);
}

std::vector<TokenModel::Place> places_in(std::span<const Token> text) {
  std::vector<TokenModel::Place> places;
  places.reserve(text.size());
  std::uint64_t second = line_end_word(), first = line_end_word();
  for (const Token& token : text) {
    places.push_back({second, first, token.word});
    second = first;
    first = token.word;
  }
  return places;
}

}  // namespace suture
