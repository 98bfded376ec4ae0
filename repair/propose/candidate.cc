#include "repair/propose/candidate.h"

namespace suture {

std::string_view to_string(Silencing silencing) {
  switch (silencing) {
    case Silencing::kNo:
      return "no";
    case Silencing::kDeletes:
      return "deletes";
    case Silencing::kSkips:
      return "skips";
    case Silencing::kSwallows:
      return "swallows";
    case Silencing::kEchoesCheck:
      return "echoes_check";
  }
  return "no";
}

}  // namespace suture
