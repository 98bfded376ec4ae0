#include "repair/process/capped_output.h"

#include <fmt/format.h>

#include <algorithm>

namespace suture {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The text without a UTF-8 sequence that its end cuts (at most three bytes go).
std::string_view without_cut_end(std::string_view text) {
  std::size_t lead = text.size();
  for (int back = 0; back < 4 && lead > 0; ++back) {
    --lead;
    if (!continues_character(text[lead])) break;
  }
  if (text.empty()) return text;
  auto byte = static_cast<unsigned char>(text[lead]);
  std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
  return lead + length > text.size() ? text.substr(0, lead) : text;
}

std::string_view without_cut_start(std::string_view text) {
  for (int count = 0; count < 3 && !text.empty() && continues_character(text.front()); ++count) {
    text.remove_prefix(1);
  }
  return text;
}

}  // namespace

void CappedOutput::append(std::string_view text) {
  std::size_t to_head = std::min(text.size(), head_limit() - head_.size());
  head_.append(text.substr(0, to_head));
  text.remove_prefix(to_head);
  tail_.append(text);
  if (tail_.size() <= 2 * tail_limit()) return;
  std::size_t excess = tail_.size() - tail_limit();
  tail_.erase(0, excess);
  dropped_ += excess;
}

std::string CappedOutput::text() const {
  if (!truncated()) return head_ + tail_;
  std::size_t excess = tail_.size() > tail_limit() ? tail_.size() - tail_limit() : 0;
  std::string_view tail = without_cut_start(std::string_view(tail_).substr(excess));
  std::string_view head = without_cut_end(head_);
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", head, dropped_ + excess, tail);
}

}  // namespace suture
