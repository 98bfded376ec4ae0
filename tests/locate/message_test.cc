#include "repair/locate/message.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

TEST(Message, MissingAttributeOfAnObject) {
  const auto facts = read_message(
      "AttributeError", "'Tensor' object has no attribute 'scale'. Did you mean: 'q_scale'?");
  EXPECT_EQ(facts.owner_type, "Tensor");
  EXPECT_EQ(facts.attribute, "scale");
  EXPECT_TRUE(facts.quoted.contains("q_scale"));
}

TEST(Message, MissingAttributeOfATypeAndAModule) {
  EXPECT_EQ(read_message("AttributeError", "type object 'Mode' has no attribute 'X'").owner_type,
            "Mode");
  const auto facts =
      read_message("AttributeError", "partially initialized module 'a.b' has no attribute 'c'");
  EXPECT_EQ(facts.owner_module, "a.b");
  EXPECT_EQ(facts.attribute, "c");
}

TEST(Message, Imports) {
  const auto name = read_message("ImportError", "cannot import name 'X' from 'a.b' (/x/a/b.py)");
  EXPECT_EQ(name.import_name, "X");
  EXPECT_EQ(name.owner_module, "a.b");
  EXPECT_EQ(read_message("ModuleNotFoundError", "No module named 'a.c'").owner_module, "a.c");
}

TEST(Message, Names) {
  const auto global = read_message("NameError", "name 'math' is not defined");
  EXPECT_EQ(global.name, "math");
  EXPECT_FALSE(global.unbound_local);
  const auto local =
      read_message("UnboundLocalError",
                   "cannot access local variable 'n' where it is not associated with a value");
  EXPECT_EQ(local.name, "n");
  EXPECT_TRUE(local.unbound_local);
  EXPECT_TRUE(read_message("UnboundLocalError", "local variable 'n' referenced before assignment")
                  .unbound_local);
}

TEST(Message, FailingCalls) {
  const auto keyword = read_message("TypeError", "C.f() got an unexpected keyword argument 'bias'");
  EXPECT_EQ(keyword.callable, "C.f");
  EXPECT_EQ(keyword.argument, "bias");
  const auto missing =
      read_message("TypeError", "g() missing 1 required positional argument: 'ids'");
  EXPECT_EQ(missing.callable, "g");
  EXPECT_EQ(missing.argument, "ids");
  EXPECT_EQ(read_message("TypeError", "C.__init__() takes 2 positional arguments but 3 were given")
                .callable,
            "C.__init__");
  EXPECT_EQ(
      read_message("TypeError", "Can't instantiate abstract class Base with abstract method f")
          .abstract_class,
      "Base");
}

TEST(Message, SpecialMethodsThatReturnWrongly) {
  for (const auto& [message, method] : std::vector<std::pair<std::string, std::string>>{
           {"__repr__ returned non-string (type list)", "__repr__"},
           {"__bool__ should return bool, returned int", "__bool__"},
           {"__hash__ method should return an integer", "__hash__"},
           {"expected Path.__fspath__() to return str or bytes, not int", "__fspath__"},
           {"__init__() should return None, not 'bool'", "__init__"},
           {"iter() returned non-iterator of type 'list'", "__iter__"},
           {"f() returned nothing", ""}}) {
    EXPECT_EQ(read_message("TypeError", message).returned_wrongly, method) << message;
  }
}

TEST(Message, OnlyATypeErrorSpeaksOfArguments) {
  EXPECT_FALSE(
      read_message("ValueError", "f() got an unexpected keyword argument 'x'").about_arguments());
}

TEST(Message, LongMessagesAreCut) {
  const std::string dump(1 << 20, 'x');
  EXPECT_TRUE(read_message("ValueError", dump + "'quoted'").quoted.empty());
}

}  // namespace
}  // namespace suture
