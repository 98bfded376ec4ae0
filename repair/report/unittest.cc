#include "repair/report/unittest.h"

#include <re2/re2.h>

namespace suture::report {

std::optional<std::string> parse_unittest_header(std::string_view text) {
  static const RE2 kHeader(R"((?:FAIL|ERROR): (\w+) \(([\w.]+)\)(?: .*)?)");
  if (!text.starts_with("FAIL: ") && !text.starts_with("ERROR: ")) return std::nullopt;
  std::string name, owner;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kHeader, &name, &owner)) {
    return std::nullopt;
  }
  if (owner.find("_FailedTest") != std::string::npos) return name;  // a module that does not load
  if (name == "setUpClass" || name == "tearDownClass" || name == "setUpModule") return owner;
  return owner.ends_with("." + name) ? owner : owner + "." + name;
}

}  // namespace suture::report
