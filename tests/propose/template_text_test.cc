#include <gtest/gtest.h>

#include "repair/propose/template.h"

namespace suture {
namespace {

std::string fill(std::string_view text, const Bindings& bindings) {
  return fill_template(text, bindings, Language::kPython);
}

TEST(TemplateText, HolesInsideStringsAreFilled) {
  EXPECT_EQ(fill("log(\"no $KIND\\n\")", {{"KIND", {"lamp", {}}}}), "log(\"no lamp\\n\")");
}

TEST(TemplateText, ValuesKeepTheirOwnDollarsAndMicroSigns) {
  Bindings bindings{{"A", {"run('$PATH', '5 \xC2\xB5s')", {}}}, {"PATH", {"other", {}}}};
  EXPECT_EQ(fill("f($A, $PATH)", bindings), "f(run('$PATH', '5 \xC2\xB5s'), other)");
}

TEST(TemplateText, NamesThatNothingBindsStay) { EXPECT_EQ(fill("f($A)", {}), "f($A)"); }

}  // namespace
}  // namespace suture
