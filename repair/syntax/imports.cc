#include "repair/syntax/imports.h"

#include <algorithm>

#include "repair/base/text.h"
#include "repair/syntax/edit.h"
#include "repair/syntax/layout.h"
#include "repair/syntax/list_edit.h"

namespace suture {

std::string ImportedName::bound() const {
  if (!alias.empty()) return alias;
  return module.empty() ? name.substr(0, name.find('.')) : name;
}

bool is_import(Node statement) { return statement.is(kImportKinds); }

std::vector<ImportedName> imported_names(Node statement) {
  std::vector<ImportedName> names;
  if (!is_import(statement)) return names;
  std::string module = statement.is({"future_import_statement"})
                           ? "__future__"
                           : without_blanks(statement.field("module_name").text());
  for (Node node : statement.fields("name")) {
    bool aliased = node.is({"aliased_import"});
    names.push_back({module, without_blanks((aliased ? node.field("name") : node).text()),
                     std::string(aliased ? node.field("alias").text() : ""), node});
  }
  for (Node child : statement.named_children()) {
    if (child.is({"wildcard_import"})) names.push_back({module, "*", "", child});
  }
  return names;
}

namespace {

bool is_docstring(Node statement) {
  return statement.is({"expression_statement"}) && statement.named_child(0).is({"string"});
}

/// The statements at the head of a file among which its imports stand: up to the first that is
/// neither an import nor an `if` or `try` around some.
std::vector<Node> head_of(const SourceFile& file) {
  std::vector<Node> statements = file.root().named_children();
  auto end = std::find_if(statements.begin(), statements.end(), [&](Node statement) {
    bool docstring = statement == statements.front() && is_docstring(statement);
    return !docstring && !is_import(statement) && !statement.is({"if_statement", "try_statement"});
  });
  statements.erase(end, statements.end());
  return statements;
}

/// Names bound whenever the module was loaded: at its top level, or in a `try` there.
std::vector<ImportedName> names_always_imported(const SourceFile& file) {
  std::vector<ImportedName> names;
  walk(file.root(), [&](Node node) {
    std::vector<ImportedName> more = imported_names(node);
    names.insert(names.end(), more.begin(), more.end());
    return node.is({"module", "try_statement", "block", "else_clause", "finally_clause"});
  });
  return names;
}

bool provides(const ImportedName& there, const ImportedName& wanted) {
  if (there.same_as(wanted)) return true;
  // `import a.b.c` also binds a and loads a.b.
  return wanted.module.empty() && wanted.alias.empty() && there.module.empty() &&
         there.alias.empty() && there.name.starts_with(wanted.name + ".");
}

/// Where a name goes in a `from m import ...`: in order when the others are, else at the end.
std::size_t sorted_index(const std::vector<ImportedName>& names, const std::string& name) {
  auto less = [](const ImportedName& a, const ImportedName& b) { return a.name < b.name; };
  if (!std::is_sorted(names.begin(), names.end(), less)) return names.size();
  ImportedName wanted{"", name, "", {}};
  auto behind = std::upper_bound(names.begin(), names.end(), wanted, less);
  return static_cast<std::size_t>(behind - names.begin());
}

/// Adds names to an existing import; nothing when the statement is none that can take them.
std::optional<Edit> join_import(Node statement, const std::vector<ImportedName>& wanted) {
  std::vector<ImportedName> there = imported_names(statement);
  const std::string& module = wanted.front().module;
  bool wildcard = there.empty() || there.front().name == "*" || wanted.front().name == "*";
  if (module.empty() || wildcard || there.front().module != module) return std::nullopt;
  std::vector<std::string> texts;
  for (const ImportedName& name : wanted) {
    texts.push_back(name.alias.empty() ? name.name : name.name + " as " + name.alias);
  }
  std::vector<Node> items;
  for (const ImportedName& name : there) items.push_back(name.node);
  return insert_item(statement, items, sorted_index(there, wanted.front().name), join(texts, ", "));
}

/// A new import statement as a line of its own. The first import of all gets an empty line around
/// it.
Edit new_import(const SourceFile& file, const std::vector<Node>& head, std::string_view text,
                bool future) {
  std::string newline(file.newline());
  auto takes_behind = [&](Node statement) {
    return future ? statement.is({"future_import_statement"}) : is_import(statement);
  };
  auto last = std::find_if(head.rbegin(), head.rend(), takes_behind);
  if (last != head.rend()) {
    bool other_group = !future && last->is({"future_import_statement"});
    return insert_after(*last, (other_group ? "\n" : "") + std::string(text));
  }
  if (!head.empty() && is_docstring(head.front())) {
    return insert_after(head.front(), "\n" + std::string(text));
  }
  if (Node first =
          file.root().named_children().empty() ? Node() : file.root().named_children().front()) {
    bool joins_block = future || is_import(first);
    return insert_before(first, std::string(text) + (joins_block ? "" : "\n"));
  }
  auto end = static_cast<std::uint32_t>(file.text().size());
  bool on_new_line = file.line_start(file.line_of(end)) == end;
  return {{end, end}, on_new_line ? std::string(text) + newline : newline + std::string(text)};
}

}  // namespace

std::optional<Edit> ensure_import(const SourceFile& file, std::string_view statement) {
  auto parsed = SourceFile::parse("", std::string(trim(statement)), Language::kPython);
  if (!parsed || (*parsed)->error_count() > 0) return std::nullopt;
  std::vector<ImportedName> wanted = imported_names((*parsed)->root().named_child(0));
  bool future = !wanted.empty() && wanted.front().module == "__future__";
  std::size_t asked = wanted.size();
  std::vector<ImportedName> there = names_always_imported(file);
  std::erase_if(wanted, [&](const ImportedName& name) {
    return std::any_of(there.begin(), there.end(),
                       [&](const ImportedName& other) { return provides(other, name); });
  });
  if (wanted.empty()) return std::nullopt;

  std::vector<Node> head = head_of(file);
  for (Node candidate : head) {
    if (auto edit = join_import(candidate, wanted)) return edit;
  }
  std::string text(trim(statement));
  if (wanted.size() < asked) {
    std::vector<std::string> texts;
    for (const ImportedName& name : wanted) texts.emplace_back(name.node.text());
    std::string from = wanted.front().module.empty() ? "" : "from " + wanted.front().module + " ";
    text = from + "import " + join(texts, ", ");
  }
  return new_import(file, head, text, future);
}

}  // namespace suture
