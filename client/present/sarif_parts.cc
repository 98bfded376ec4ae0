#include "client/present/sarif_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace suture::sarif {
namespace {

constexpr std::string_view kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

/// A path as a relative URI reference (RFC 3986): whatever is not plain is percent-encoded.
std::string uri(std::string_view path) {
  std::string text;
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool plain =
        std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

}  // namespace

std::string document(Json run) {
  Json log{{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json artifact(const std::string& path) {
  if (path.starts_with('/')) return {{"uri", "file://" + uri(path)}};
  return {{"uri", uri(path)}, {"uriBaseId", "%SRCROOT%"}};
}

std::string pascal_case(std::string_view id) {
  std::string name;
  bool start = true;
  for (char c : id) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      start = true;
    } else {
      name += start ? char(std::toupper(static_cast<unsigned char>(c))) : c;
      start = false;
    }
  }
  return name;
}

std::string sentence(std::string text) {
  if (!text.empty() && !text.ends_with('.')) text += '.';
  return text;
}

std::size_t code_points(std::string_view line) {
  return std::size_t(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace suture::sarif
