#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "repair/locate/check_clues.h"
#include "repair/locate/frames.h"
#include "repair/locate/locate.h"
#include "repair/locate/message.h"
#include "repair/locate/statements.h"
#include "repair/locate/suspects.h"
#include "repair/locate/weights.h"

namespace suture {

/// A definition of the tree with the statements of its file.
struct FoundDefinition {
  const StatementIndex* index = nullptr;
  int statement = -1;  ///< of the `def` or `class` line
  explicit operator bool() const { return index != nullptr && statement >= 0; }
};

struct WeighedFunction;

/// All that the sources of clues share: the input, what was read from it once, and the collector.
class Scene {
 public:
  Scene(const LocateInput& input, const Weights& weights);
  ~Scene();

  const Failure& failure() const { return input_.failure; }
  const Evidence& evidence() const { return input_.evidence; }
  const Report* report() const { return input_.report; }
  SourceTree& tree() { return input_.tree; }
  const Weights& weights() const { return weights_; }
  Suspects& suspects() { return suspects_; }

  /// Tree frames of the failure, innermost first.
  const std::vector<TreeFrame>& frames() const { return frames_; }
  const MessageFacts& message() const { return message_; }
  /// Class of the exception, without its module.
  const std::string& exception() const { return exception_; }
  const CheckClues& check() const { return check_; }

  /// The statements of a file of the tree; null when it cannot be parsed.
  const StatementIndex* statements(std::string_view path);
  /// The statement and file of a definition.
  FoundDefinition find(const Definition& definition);
  /// Whether a statement's header has a line that ran; true when the run was not traced.
  bool ran(const StatementIndex& index, int statement) const;
  /// What the run saw of a function; null when it was not called.
  const CalledFunction* call_of(const FoundDefinition& function) const;
  /// Functions of the tree that the check ran, heaviest first.
  const std::vector<WeighedFunction>& called();
  /// Functions and classes of that name in the files that the run loaded; no other file is read.
  const std::vector<FoundDefinition>& loaded(std::string_view name);
  /// The function or class that a name means in a file: defined there, loaded by the run (when only
  /// one is), or found through imports.
  FoundDefinition resolve(const std::string& file, std::string_view name);
  /// The definitions of the callable that a call node names, as far as it can be told.
  std::vector<FoundDefinition> callees(Node call, const TreeFrame* frame);
  /// Definitions in the tree of a dotted name ("C.f", "f"), those that ran in the check first.
  std::vector<FoundDefinition> named(std::string_view dotted);

 private:
  LocateInput input_;
  const Weights& weights_;
  Suspects suspects_;
  std::vector<TreeFrame> frames_;
  std::string exception_;
  MessageFacts message_;
  CheckClues check_;
  std::map<std::string, std::unique_ptr<StatementIndex>, std::less<>> indexes_;
  std::map<std::string, std::vector<FoundDefinition>, std::less<>> loaded_;
  std::map<std::pair<std::string, int>, const CalledFunction*> calls_;  ///< by file and first line
  std::unique_ptr<std::vector<WeighedFunction>> called_;
};

// The sources of clues, in the order in which locate() asks them.
void suspect_frames(Scene& scene);        ///< frames, and the statements around them
void suspect_failing_call(Scene& scene);  ///< the definition that a call did not fit
void suspect_origins(Scene& scene);       ///< where the offending values were made
void suspect_definitions(Scene& scene);   ///< what the message says is missing
void suspect_executed(Scene& scene);      ///< functions that the check called
void suspect_module_level(Scene& scene);  ///< constants, tables and imports
void suspect_swallowed(Scene& scene);     ///< exceptions caught inside the tree
void suspect_mentioned(Scene& scene);     ///< names in the report's text

}  // namespace suture
