#include "repair/locate/location.h"

namespace suture {

std::string_view to_string(Role role) {
  switch (role) {
    case Role::kFailing:
      return "failing";
    case Role::kCaller:
      return "caller";
    case Role::kCallee:
      return "callee";
    case Role::kOrigin:
      return "origin";
    case Role::kDefinition:
      return "definition";
    case Role::kExecuted:
      return "executed";
    case Role::kReturned:
      return "returned";
    case Role::kImport:
      return "import";
    case Role::kModule:
      return "module";
    case Role::kMentioned:
      return "mentioned";
    case Role::kSwallowed:
      return "swallowed";
  }
  return "executed";
}

}  // namespace suture
