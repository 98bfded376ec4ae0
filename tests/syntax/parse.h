#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "repair/syntax/edit.h"
#include "repair/syntax/source_file.h"

namespace suture::testing {

inline std::unique_ptr<SourceFile> parse(std::string text, Language language = Language::kPython) {
  auto file = SourceFile::parse("test", std::move(text), language);
  EXPECT_TRUE(file) << file.error().display();
  return file ? std::move(*file) : nullptr;
}

/// The smallest named node over the first occurrence of `snippet` (the n-th, counted from 0).
inline Node find(const SourceFile& file, std::string_view snippet, int n = 0) {
  std::size_t at = file.text().find(snippet);
  while (n-- > 0 && at != std::string_view::npos) at = file.text().find(snippet, at + 1);
  EXPECT_NE(at, std::string_view::npos) << snippet;
  if (at == std::string_view::npos) return {};
  auto start = static_cast<std::uint32_t>(at);
  return file.node_at({start, start + static_cast<std::uint32_t>(snippet.size())});
}

inline std::string apply_all(const SourceFile& file, std::vector<Edit> edits) {
  auto text = apply_edits(file.text(), std::move(edits));
  EXPECT_TRUE(text) << text.error().display();
  return text.value_or("");
}

}  // namespace suture::testing
