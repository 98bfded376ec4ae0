#include "repair/report/finding.h"

#include <utility>

#include "repair/report/classify.h"

namespace suture::report {
namespace {

Weight weight_of(const ExceptionRecord& last) {
  switch (hearsay_of(last.type, last.message)) {
    case Hearsay::kAftermath:
      return Weight::kAftermath;
    case Hearsay::kWrapper:
      return Weight::kWrapper;
    case Hearsay::kNone:
      break;
  }
  return last.frames.empty() ? Weight::kBare : Weight::kRoot;
}

}  // namespace

Finding finding_of_chain(std::vector<ExceptionRecord> chain, std::size_t line) {
  Finding finding;
  finding.line = line;
  ExceptionRecord last = std::move(chain.back());
  chain.pop_back();
  finding.weight = weight_of(last);
  Failure& failure = finding.failure;
  failure.kind = kind_of_exception(last.type, last.message);
  // A traceback whose last line is lost is still an exception's.
  if (last.type.empty() && !last.frames.empty()) failure.kind = FailureKind::kException;
  failure.type = std::move(last.type);
  failure.message = std::move(last.message);
  failure.frames = std::move(last.frames);
  failure.causes = std::move(chain);
  return finding;
}

}  // namespace suture::report
