#include "client/cli/version.h"

namespace suture {

std::string version() { return SUTURE_VERSION; }

}  // namespace suture
