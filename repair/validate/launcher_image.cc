#include "repair/validate/launcher_image.h"

// SUTURE_LAUNCHER_FILE is set by CMakeLists.txt, which also makes this file depend on its content.
// clang-format off
asm(".section .rodata\n"
    ".balign 16\n"
    "suture_launcher_begin: .incbin \"" SUTURE_LAUNCHER_FILE "\"\n"
    "suture_launcher_end: .byte 0\n"
    ".globl suture_launcher_begin\n"
    ".globl suture_launcher_end\n"
    ".text\n");
// clang-format on

extern "C" {
extern const char suture_launcher_begin[];
extern const char suture_launcher_end[];
}

namespace suture {

std::string_view launcher_image() {
  return {suture_launcher_begin,
          static_cast<std::size_t>(suture_launcher_end - suture_launcher_begin)};
}

}  // namespace suture
