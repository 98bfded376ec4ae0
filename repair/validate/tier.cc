#include "repair/validate/tier.h"

namespace suture {

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::kSplit:
      return "split";
    case Tier::kPreload:
      return "preload";
    case Tier::kFresh:
      return "fresh";
  }
  return "fresh";
}

}  // namespace suture
