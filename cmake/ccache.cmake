# Compiler cache, when there is one and nobody chose a launcher. CCACHE_BASEDIR makes a fresh clone in
# another folder (CI) hit what this one compiled.
find_program(CCACHE ccache)
if(CCACHE)
  foreach(lang C CXX)
    if(NOT DEFINED CMAKE_${lang}_COMPILER_LAUNCHER)
      set(CMAKE_${lang}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
          CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
    endif()
  endforeach()
endif()
