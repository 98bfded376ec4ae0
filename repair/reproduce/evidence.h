#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "repair/base/result.h"
#include "repair/report/failure.h"

namespace suture {

/// What the probe saw of one value without touching it more than its exact type allows. A mock, a
/// proxy or any other object whose type is not known to be harmless has `type` alone, or nothing.
struct Value {
  std::string type;    ///< class name, "NoneType" for None, "?" when looking was not safe (mocks)
  std::string module;  ///< module of the class
  std::string repr;    ///< short, for numbers, strings, bools, None, small containers of these
  std::optional<std::int64_t> length;    ///< of builtin containers and strings
  std::vector<std::int64_t> shape;       ///< of tensors and arrays
  std::string dtype, device;             ///< of tensors and arrays
  std::vector<std::string> keys;         ///< of a dict with string keys, at most 50
  std::map<std::string, Value> entries;  ///< of a dict, by repr of the key ("'k'", "3"), at most 16
  std::map<std::string, Value> attributes;  ///< instance __dict__, one level below a local
  std::vector<std::string>
      members;               ///< names on the class and its bases and in __dict__, at most 300
  bool dynamic = false;      ///< the class answers for more names than these (__getattr__)
  std::vector<Value> items;  ///< first items of a list or tuple, at most 4
  std::string callable;      ///< for functions and classes: "module:qualified.name"
  std::string signature;     ///< for callables whose signature could be had: "(a, b=None, **kw)"

  bool known() const { return !type.empty() && type != "?"; }
  bool none() const { return type == "NoneType"; }
};

using Values = std::map<std::string, Value>;

/// A half-open range in a source line or over lines; lines 1-based, columns are 0-based UTF-8
/// bytes.
struct SourceRange {
  int line = 0, end_line = 0, column = -1, end_column = -1;
  bool has_columns() const { return column >= 0 && end_column >= 0; }
};

/// A frame at the failure.
struct LiveFrame {
  std::string file;  ///< relative to the tree when in_tree, else absolute
  bool in_tree =
      false;  ///< a file of the tree under repair, not of the check or of an installed package
  bool in_check = false;  ///< the check script, a test file, or a helper beside it
  std::string function;   ///< co_name
  std::string qualname;   ///< co_qualname where known, else function
  int first_line = 0;     ///< of the function's code
  SourceRange at;         ///< the instruction that was running (columns need Python 3.11)
  Values locals;
};

/// One operand of the comparison that failed, or of the asserted expression.
struct Operand {
  std::string expression;  ///< source text
  Value value;
};

/// A function of the tree that the check called; one entry per code object.
struct CalledFunction {
  std::string file;  ///< relative to the tree
  std::string qualname;
  int first_line = 0;
  int last_line = 0;  ///< last line with code, nested functions included; 0 when not known
  std::int64_t calls = 0;
  std::int64_t order = 0;  ///< number of the first call among all first calls
  bool during_import =
      false;            ///< every call happened while a module of the tree was being imported
  std::set<int> lines;  ///< executed
  Values arguments;     ///< at the first call
  Values locals;        ///< at the end of the last call
  std::optional<Value> returned;  ///< by the last call
  std::string raised;             ///< type of the exception that left the last call
  std::string caller_file;        ///< of the first call; relative when in the tree
  int caller_line = 0;
};

/// A test that pytest ran, and how it ended.
struct RanTest {
  std::string id;  ///< pytest's node id, relative to pytest's own root folder
  enum class How {
    kPassed,
    kFailed,  ///< in its set-up or clean-up as well
    kSkipped,
  } how = How::kPassed;
};

/// A package involved in the check.
struct Package {
  std::string name, version;
};

/// An exception as the probe saw it. A check that ran into its time limit has one of type "Hang"
/// (module "suture_probe") for each thread: where it was, the most telling one last. A failing exit
/// is a "SystemExit".
struct LiveException {
  std::string type, module, message;
  std::vector<LiveFrame> frames;  ///< outermost first
  bool escaped = false;           ///< of `swallowed`: a library caught it, not tree or check
};

/// What one traced run of the check at the base revision showed. All of it comes from code that is
/// not trusted: sizes are capped at load and nothing is executed from it.
struct Evidence {
  std::string python_version;             ///< "3.11.7"; empty when the probe did not run
  std::string tree;                       ///< absolute: where the run saw the tree
  std::vector<LiveException> exceptions;  ///< the one that ended the check last; causes before it
  std::vector<Operand> operands;          ///< of the failing comparison or assert
  std::vector<CalledFunction> called;     ///< by order of first call
  std::map<std::string, std::set<int>>
      executed;                     ///< file of the tree -> lines, module level included
  std::vector<std::string> opened;  ///< files of the tree that were opened but not run, in order
  std::vector<RanTest> tests;       ///< that pytest ran, in the order of the run
  std::vector<std::string> check_files;       ///< the check's own scripts and test files, absolute
  std::vector<Package> packages;              ///< distributions of the modules imported
  std::map<std::string, std::string> mocked;  ///< module name -> why it is not the real one
  std::map<std::string, std::string>
      modules;  ///< module name of the tree -> file relative to the tree
  /// Exceptions that were raised and caught inside the tree, newest last, at most 20.
  std::vector<LiveException> swallowed;

  bool empty() const { return python_version.empty(); }
  /// The exception that ended the check; null when there was none or the probe did not run.
  const LiveException* failure() const { return exceptions.empty() ? nullptr : &exceptions.back(); }
  /// The innermost frame of the failure that lies in the tree; null when there is none.
  const LiveFrame* deepest_tree_frame() const;
  /// The entry of `called` whose code spans the line; null when there is none.
  const CalledFunction* function_at(std::string_view file, int line) const;
  bool was_executed(std::string_view file, int line) const;
};

/// The value of a dotted expression (`x`, `self.a.b`, `x[0]`, `x['k']`) among named values;
/// null when it is not known.
const Value* lookup(const Values& values, std::string_view expression);

/// Reads the probe's JSON (probe/suture_probe/session.py writes it). Sizes are capped; what has the
/// wrong type or names a file outside the tree is left out. Errors: kInfra when it is not what the
/// probe writes (a check may have overwritten it); the caller then goes on without evidence.
Result<Evidence> parse_evidence(std::string_view json);

}  // namespace suture
