# Warnings every first-party target is built with, and the sanitizers of the chosen preset.
add_library(fairlead_warnings INTERFACE)
target_compile_options(
  fairlead_warnings
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
            -Wextra-semi -Wmissing-declarations
            $<$<CXX_COMPILER_ID:GNU>:-Wcatch-value -Wsuggest-override>
            $<$<BOOL:${FAIRLEAD_WERROR}>:-Werror>)

# Paths in debug info are relative to the tree, so a clone in another folder hits the same ccache.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")

if(FAIRLEAD_SANITIZE)
  add_compile_options(-fsanitize=${FAIRLEAD_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FAIRLEAD_SANITIZE})
endif()

find_program(FAIRLEAD_LLD ld.lld)
if(FAIRLEAD_LLD)
  add_link_options(-fuse-ld=lld)
endif()

find_program(FAIRLEAD_CCACHE ccache)
if(FAIRLEAD_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${FAIRLEAD_CCACHE})
endif()
