#include <fmt/format.h>

#include "repair/propose/pattern.h"

namespace suture {

Result<NodeQuery> NodeQuery::compile(std::string_view text, Language language) {
  std::uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  TSQuery* query =
      ts_query_new(grammar(language), text.data(), std::uint32_t(text.size()), &offset, &error);
  if (query == nullptr) {
    return fail(ErrorKind::kBadInput,
                fmt::format("the query is wrong near `{}`", text.substr(offset, 20)),
                "tree-sitter query syntax; node kinds and fields must exist in the grammar");
  }
  NodeQuery result;
  result.query_ = {query, ts_query_delete};
  for (std::uint32_t i = 0; i < ts_query_capture_count(query); ++i) {
    std::uint32_t length = 0;
    const char* name = ts_query_capture_name_for_id(query, i, &length);
    result.captures_.emplace_back(name, length);
  }
  return result;
}

bool NodeQuery::match(Node node, Bindings& bindings) const {
  // A cursor keeps its buffers between nodes.
  thread_local std::unique_ptr<TSQueryCursor, decltype(&ts_query_cursor_delete)> cursor(
      ts_query_cursor_new(), ts_query_cursor_delete);
  ts_query_cursor_set_max_start_depth(cursor.get(), 0);
  ts_query_cursor_exec(cursor.get(), query_.get(), node.raw());
  TSQueryMatch found;
  if (!ts_query_cursor_next_match(cursor.get(), &found)) return false;
  for (std::uint16_t i = 0; i < found.capture_count; ++i) {
    Node captured(found.captures[i].node, node.file());
    bindings[captures_[found.captures[i].index]] = {std::string(captured.text()), captured};
  }
  return true;
}

}  // namespace suture
