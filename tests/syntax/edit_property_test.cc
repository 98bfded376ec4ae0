#include <gtest/gtest.h>

#include <random>

#include "repair/base/text.h"
#include "repair/syntax/edit.h"
#include "tests/syntax/parse.h"

// What must hold for every edit, tried at every node of sources that hold what real ones do, in all
// the ways they are written down.

namespace suture {
namespace {

using testing::apply_all;
using testing::parse;

constexpr std::string_view kSources[] = {
    // Headers, clauses and one-line suites.
    R"PY(#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Module docstring.

    indented line
"""
from __future__ import annotations

import os, sys; import re  # two on a line
from a.b import (
    c,
    d as e,  # why
)

if os.name == 'nt': import winreg; x = 1  # one line
elif sys.platform: pass
else: x = 2

try:
    import fast
except ImportError as error:  # none
    # explained
    fast = None
except (ValueError,
        TypeError): raise
else:
    fast.init()
finally:
    done()


@decorator
@other(a=1,
       b=2)
async def run(self, a, /, b: int = 1, *args, c, **kwargs) -> "str":
    '''Doc.'''
    async with self.lock as l, open(a) as f:
        async for item in l:
            await item
    return [i async for i in b if i]  # tail
    # comment at the end of the function

class A(Base, metaclass=Meta):

    field: int = 3

    def method(self):
        if self.x: return 1
        while True:
            break
        else:
            pass
        for i, (j, *k) in self.y: print(i); continue
        return 0
)PY",
    // Strings, brackets and continued lines.
    R"PY(def f(x):
    text = """first
  second \
    third
"""
    long = call(x,
                y=[1,
                   2],  # aligned
                **z)
    other = call(
        x,  # one a line
        y,
    ); more = 1
    total = x + \
        y + \
  z
    fmt = f"""{x!r:>{width}}
      {call(x,
  y)} and {'nested "quotes"'}
    """ + 'it''s' + "it's # not a comment"
    match x:
        case [a, *rest] if a: return a
        case {"k": v}:
            return v
        case Point(x=0) | None as p: pass
        case _:
            # nothing
            raise ValueError(f"no {x}"
                             f"way")
    g = lambda a, *b: (a, b)
    with (open(a) as b,
          open(c) as d):
        assert b, "message"; del d
    return (yield)


def g(
    a,
    b=1,
    # commented
    *,
    c: int = 2,
): return call(i for i in a)
)PY",
    // Two blanks a level, comments at odd places, and statements over semicolons.
    R"PY(if a:
  if b:
      # deeper than its block
    c(d)

# at the left
    e = 1; f = 2; g(h);  # trailing
  else: i()
# between
elif j: k(); l()
else:
  pass  # only this
x = (1,
)
global_name = [
  one,
  two
]
def only():
  """Docstring only."""
class Empty: pass
)PY",
};

std::string with_crlf(std::string text) { return replace_all(std::move(text), "\n", "\r\n"); }

/// A source as it may be written down.
std::vector<std::string> variants() {
  std::vector<std::string> texts;
  for (std::string_view source : kSources) {
    std::string text(source);
    std::string tabs;
    for (std::string_view line : split_lines(text)) {
      std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      bool even = indent % 4 == 0;
      tabs += even ? std::string(indent / 4, '\t') : std::string(line.substr(0, indent));
      tabs += std::string(line.substr(indent)) + "\n";
    }
    std::string latin1 = replace_all(text, "comment", "comm\xE9nt");
    texts.insert(texts.end(),
                 {text, with_crlf(text), "\xEF\xBB\xBF" + text, latin1,
                  text.substr(0, text.size() - 1), with_crlf(text.substr(0, text.size() - 1))});
    if (parse(tabs)->error_count() == 0) texts.insert(texts.end(), {tabs, with_crlf(tabs)});
  }
  return texts;
}

/// The tree without comments and punctuation, with the text of its leaves.
std::string shape(Node node) {
  std::vector<Node> children = node.named_children();
  std::string text = "(" + std::string(node.kind());
  for (Node child : children) text += " " + shape(child);
  if (children.empty()) text += ":" + std::string(node.text());
  return text + ")";
}

/// The edits that undo edits.
std::vector<Edit> inverse(std::string_view text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.range < b.range; });
  std::vector<Edit> undo;
  std::uint32_t shifted = 0;  // modulo 2^32, as are the differences
  for (const Edit& edit : edits) {
    std::uint32_t start = edit.range.start + shifted;
    auto size = static_cast<std::uint32_t>(edit.text.size());
    undo.push_back(
        {{start, start + size}, std::string(text.substr(edit.range.start, edit.range.size()))});
    shifted += size - edit.range.size();
  }
  return undo;
}

/// Applies edits and checks what holds for all of them; the new text.
std::string check_edit(const SourceFile& file, const std::vector<Edit>& edits,
                       std::string_view what) {
  std::string result = apply_all(file, edits);
  auto status = check_syntax(file, result);
  EXPECT_TRUE(status) << what << ": " << status.error().display() << "\n" << result;
  auto again = parse(result);
  EXPECT_EQ(again->error_count(), 0u) << what << "\n" << result;
  EXPECT_EQ(apply_all(*again, inverse(file.text(), edits)), file.text()) << what;
  if (file.newline() == "\r\n") {
    EXPECT_EQ(replace_all(result, "\r\n", "").find('\n'), std::string::npos) << what << result;
  }
  bool mark = file.text().starts_with("\xEF\xBB\xBF");
  EXPECT_EQ(result.starts_with("\xEF\xBB\xBF"), mark) << what;
  return result;
}

std::vector<Node> statements_of(const SourceFile& file) {
  std::vector<Node> statements;
  walk(file.root(), [&](Node node) {
    if (enclosing_statement(node) == node) statements.push_back(node);
    return true;
  });
  return statements;
}

Node find_mark(const SourceFile& file) {
  auto at = static_cast<std::uint32_t>(file.text().find("MARK"));
  return enclosing_statement(file.node_at({at, at + 4}));
}

class EditProperty : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    file_ = parse(GetParam());
    ASSERT_EQ(file_->error_count(), 0u) << GetParam();
  }
  std::unique_ptr<SourceFile> file_;
};

TEST_P(EditProperty, InsertedStatementsCanBeRemovedAgain) {
  std::string before = shape(file_->root());
  for (Node statement : statements_of(*file_)) {
    for (std::string_view block : {"MARK = 1", "if MARK:\n    x = '''\n a'''"}) {
      for (auto insert : {insert_before, insert_after}) {
        std::string text = check_edit(*file_, {insert(statement, block)}, statement.text());
        auto with_mark = parse(text);
        ASSERT_TRUE(find_mark(*with_mark)) << text;
        std::string removed =
            check_edit(*with_mark, {remove_statement(find_mark(*with_mark))}, "remove");
        ASSERT_EQ(shape(parse(removed)->root()), before) << text << "\n----\n" << removed;
      }
    }
  }
}

TEST_P(EditProperty, WrappedStatementsCanBeUnwrappedAgain) {
  std::string before = shape(file_->root());
  for (Node statement : statements_of(*file_)) {
    std::string text = check_edit(*file_, wrap_statement(statement, "if MARK:"), statement.text());
    auto wrapped = parse(text);
    auto edits = unwrap_statement(find_mark(*wrapped));
    ASSERT_FALSE(edits.empty()) << text;
    std::string unwrapped = check_edit(*wrapped, edits, "unwrap");
    ASSERT_EQ(shape(parse(unwrapped)->root()), before) << text << "\n----\n" << unwrapped;
  }
}

TEST_P(EditProperty, ReplacingAndRemovingTouchesNothingElse) {
  for (Node statement : statements_of(*file_)) {
    std::string before = shape(file_->root());
    for (std::string_view block : {"MARK", "for MARK in a:\n    pass"}) {
      std::string text = check_edit(*file_, {replace_statement(statement, block)}, block);
      auto replaced = parse(text);
      std::string mark = shape(find_mark(*replaced));
      std::string expected = before;
      std::string old = shape(statement);
      // The first one whose replacement gives the new tree: equal statements have equal shapes.
      bool found = false;
      for (std::size_t at = expected.find(old); at != std::string::npos && !found;
           at = expected.find(old, at + 1)) {
        std::string tried = expected;
        found = tried.replace(at, old.size(), mark) == shape(replaced->root());
      }
      ASSERT_TRUE(found) << text;
    }
    check_edit(*file_, {remove_statement(statement)}, statement.text());
  }
}

TEST_P(EditProperty, ArgumentsAndParametersAreAddedAndRemoved) {
  std::string before = shape(file_->root());
  walk(file_->root(), [&](Node node) {
    if (node.is({"call"}) && !node.field("arguments").is({"generator_expression"})) {
      for (auto edit :
           {add_positional_argument(node, "MARK"), add_keyword_argument(node, "MARK=1")}) {
        std::string text = check_edit(*file_, {edit}, node.text());
        auto added = parse(text);
        auto at = static_cast<std::uint32_t>(text.find("MARK"));
        Node argument = added->node_at({at, at + 4});
        if (argument.parent().is({"keyword_argument"})) argument = argument.parent();
        std::string removed = check_edit(*added, {remove_argument(argument)}, text);
        EXPECT_EQ(shape(parse(removed)->root()), before) << text << "\n----\n" << removed;
      }
    }
    for (std::string_view parameter : {"MARK", "MARK=1", "MARK: int = 2", "*MARK", "**MARK"}) {
      if (auto edit = add_parameter(node, parameter)) check_edit(*file_, {*edit}, parameter);
    }
    return true;
  });
}

TEST_P(EditProperty, ImportsAreAddedOnce) {
  for (std::string_view import :
       {"import MARK", "import os", "import re.x as MARK", "from a.b import MARK, other",
        "from a.b import d as e", "from .q import r as s", "from __future__ import division"}) {
    auto edit = ensure_import(*file_, import);
    if (!edit) continue;
    std::string text = check_edit(*file_, {*edit}, import);
    EXPECT_FALSE(ensure_import(*parse(text), import)) << text;
  }
}

TEST_P(EditProperty, ReparsingGivesTheTreeOfAParse) {
  std::mt19937 random(7);
  std::string text(file_->text());
  for (int i = 0; i < 60; ++i) {
    // Any bytes, also such as break the file.
    std::size_t start = random() % (text.size() + 1);
    std::size_t size = std::min<std::size_t>(random() % 12, text.size() - start);
    std::string edited = text;
    edited.replace(start, size, random() % 2 == 0 ? "" : text.substr(random() % text.size(), 9));
    auto again = file_->reparse(edited);
    ASSERT_TRUE(again);
    auto scratch = parse(edited);
    if (scratch->error_count() == 0) {
      EXPECT_EQ(shape((*again)->root()), shape(scratch->root())) << edited;
    }
    EXPECT_EQ(check_syntax(*file_, edited).has_value(),
              check_syntax(*parse(text), edited).has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(Sources, EditProperty, ::testing::ValuesIn(variants()),
                         [](const auto& info) { return std::to_string(info.index); });

}  // namespace
}  // namespace suture
