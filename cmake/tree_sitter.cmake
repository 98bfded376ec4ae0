# tree-sitter core and grammars as static libraries, from the sources that deploy/setup.sh unpacked.
# Generated C of others: always -O2 (a 20 MB parse table at -O0 parses five times slower), no warnings.
set(SUTURE_THIRD_PARTY ${PROJECT_SOURCE_DIR}/build/third_party
    CACHE PATH "Where deploy/setup.sh unpacks tree-sitter")

function(suture_c_library name)
  foreach(source IN LISTS ARGN)
    if(NOT EXISTS ${source})
      message(FATAL_ERROR "${source} is missing: run `make setup` first")
    endif()
  endforeach()
  add_library(${name} STATIC ${ARGN})
  set_target_properties(${name} PROPERTIES COMPILE_WARNING_AS_ERROR OFF C_CLANG_TIDY "")
  target_compile_options(${name} PRIVATE -O2 -g0 -w)
endfunction()

set(core ${SUTURE_THIRD_PARTY}/tree-sitter/vendor/tree-sitter/lib)
suture_c_library(tree_sitter ${core}/src/lib.c)
target_include_directories(tree_sitter SYSTEM PUBLIC ${core}/include)
target_include_directories(tree_sitter PRIVATE ${core}/src)
target_compile_definitions(tree_sitter PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200112L NDEBUG)
if(SUTURE_SANITIZE)
  target_compile_options(tree_sitter PRIVATE -fsanitize=${SUTURE_SANITIZE})
endif()

# tree_sitter_<language> exports `const TSLanguage *tree_sitter_<language>(void)`; no header declares it.
foreach(language python cpp cuda)
  set(src ${SUTURE_THIRD_PARTY}/tree-sitter-${language}/src)
  suture_c_library(tree_sitter_${language} ${src}/parser.c ${src}/scanner.c)
  target_include_directories(tree_sitter_${language} PRIVATE ${src})
endforeach()
