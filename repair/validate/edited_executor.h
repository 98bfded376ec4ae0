#pragma once

#include <utility>

#include "repair/validate/executor.h"

namespace suture {

/// Runs checks on a tree that has some edits already: what another executor has, with `files` laid
/// over it. The request's own files win.
class EditedExecutor final : public Executor {
 public:
  EditedExecutor(Executor& inner, FileContents files) : inner_(inner), files_(std::move(files)) {}
  Status ready() override { return inner_.ready(); }
  CheckRun run(const RunRequest& request, const CancelToken& cancel) override {
    RunRequest edited = request;
    edited.files.insert(files_.begin(), files_.end());
    return inner_.run(edited, cancel);
  }

 private:
  Executor& inner_;
  FileContents files_;
};

}  // namespace suture
