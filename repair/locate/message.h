#pragma once

#include <set>
#include <string>
#include <string_view>

namespace suture {

/// What the message of a Python exception names. Fields are empty when it names no such thing.
struct MessageFacts {
  std::string owner_type;  ///< T of "'T' object has no attribute 'a'"
  std::string
      owner_module;  ///< m of "module 'm' has no attribute 'a'", "from 'm'", "No module named 'm'"
  std::string attribute;    ///< a of the same
  std::string import_name;  ///< X of "cannot import name 'X' from 'm'"
  std::string name;         ///< of NameError and UnboundLocalError
  bool unbound_local = false;
  std::string callable;          ///< "C.f" of "C.f() got an unexpected keyword argument 'k'"
  std::string argument;          ///< k of the same, or the missing parameter
  std::string abstract_class;    ///< of "Can't instantiate abstract class C"
  std::string returned_wrongly;  ///< __m__ of "__m__ returned non-string", "__m__() should return"
  std::set<std::string> quoted;  ///< all that stands in quotes and is short
  bool about_arguments() const { return !callable.empty(); }
};

/// Reads a message of an exception of class `type` (without its module).
MessageFacts read_message(std::string_view type, std::string_view message);

}  // namespace suture
