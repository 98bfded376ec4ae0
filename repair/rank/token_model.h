#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "repair/rank/tokens.h"

namespace suture {

/// How often words follow each other: a trigram model (Hindle et al., "On the naturalness of
/// software", ICSE 2012) whose levels back off to each other: what a context of two words does not
/// settle is told by one word, then by none, then by chance (the hierarchical Dirichlet model of
/// MacKay and Peto).
class TokenModel {
 public:
  /// A word and the two before it, the nearest last.
  struct Place {
    std::uint64_t second = 0, first = 0, word = 0;
  };

  /// The chance of a word of which nothing is known: one of twenty thousand.
  static constexpr double kUnseen = 1.0 / 20'000;

  void add(std::span<const Token> text);
  void add(const Place& place);

  /// The chance of a word at its place in the text that was added, `without` a part of it: what is
  /// asked about must not vouch for itself.
  double probability(const Place& place, const TokenModel& without) const;

 private:
  struct Hash {
    std::size_t operator()(std::uint64_t key) const { return key; }
  };

  double count(std::uint64_t key) const;

  std::unordered_map<std::uint64_t, std::uint32_t, Hash> counts_;  ///< of one, two, three words
  std::size_t words_ = 0;
};

/// The place of each word in a text that begins a line.
std::vector<TokenModel::Place> places_in(std::span<const Token> text);

}  // namespace suture
