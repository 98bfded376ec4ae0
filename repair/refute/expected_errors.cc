#include "repair/refute/expected_errors.h"

#include "repair/base/text.h"

namespace suture {
namespace {

bool handles(Node clause, std::string_view type) {
  Node block = clause.named_child(clause.named_child_count() - 1);
  std::string_view text = clause.text();
  std::string_view head = text.substr(0, block.range().start - clause.range().start);
  std::size_t colon = head.rfind(':');
  head = trim(head.substr(0, colon));
  return head == "except" || mentions_word(head, type) || mentions_word(head, "Exception") ||
         mentions_word(head, "BaseException") || !is_identifier(trim(head.substr(6)));
}

}  // namespace

bool is_error_expected(Node node, std::string_view type) {
  for (Node child = node, at = node.parent(); at; child = at, at = at.parent()) {
    if (at.is({"try_statement"}) && at.field("body") == child) {
      for (Node clause : at.named_children()) {
        if (clause.is({"except_clause", "except_group_clause"}) && handles(clause, type))
          return true;
      }
    } else if (at.is({"with_statement"}) && at.field("body") == child) {
      std::string_view head = at.text().substr(0, child.range().start - at.range().start);
      if (head.find("aises") != std::string_view::npos ||
          head.find("suppress") != std::string_view::npos)
        return true;
    }
  }
  return false;
}

}  // namespace suture
