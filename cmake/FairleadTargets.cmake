# fairlead_library(name SOURCES a.cc b.cc [PUBLIC deps...] [PRIVATE deps...])
# A static library `fairlead_<name>` with the alias `fairlead::<name>`. A library without sources
# is an INTERFACE library whose PUBLIC deps are handed on.
function(fairlead_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(target fairlead_${name})
  if(ARG_SOURCES)
    add_library(${target} STATIC ${ARG_SOURCES})
    target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} fairlead_warnings)
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${ARG_PUBLIC})
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR})
  endif()
  add_library(fairlead::${name} ALIAS ${target})
endfunction()

# fairlead_program(name SOURCES main.cc PRIVATE deps...)
# An executable `fairlead-<name>`; it holds the wiring only.
function(fairlead_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PRIVATE" ${ARGN})
  add_executable(fairlead-${name} ${ARG_SOURCES})
  target_link_libraries(fairlead-${name} PRIVATE ${ARG_PRIVATE} fairlead_warnings)
  target_include_directories(fairlead-${name} PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(fairlead-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                     ${CMAKE_BINARY_DIR}/bin)
endfunction()

# Sets out to whether the tests in this folder are of a core, by the list that layering is checked with.
function(fairlead_tests_a_core out)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests
             OUTPUT_VARIABLE folder)
  set(list "${PROJECT_SOURCE_DIR}/tests/layering_rules.json")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(READ ${list} rules)
  string(JSON cores GET "${rules}" pure)
  string(FIND "${cores}" "\"${folder}\"" at)
  if(at EQUAL -1)
    set(${out} FALSE PARENT_SCOPE)
  else()
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# fairlead_test(name SOURCES a_test.cc ... PRIVATE deps... [LABEL unit])
# One GoogleTest binary, its cases registered with ctest under LABEL (default `unit`) and run in the
# root of the tree, so that test data has a path that is the same in every clone. ThreadSanitizer gets none of a
# core: no thread is in them, and those that walk every interleaving would take it hours.
function(fairlead_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;PRIVATE" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  fairlead_tests_a_core(of_core)
  if(of_core AND FAIRLEAD_SANITIZE STREQUAL "thread")
    return()
  endif()
  set(timeout_s 600)
  if(FAIRLEAD_SANITIZE)
    set(timeout_s 3600)  # simulations of weeks and mutations of large bodies take ten times as long
  endif()
  add_executable(${name}_test ${ARG_SOURCES})
  target_link_libraries(${name}_test PRIVATE ${ARG_PRIVATE} GTest::gmock_main fairlead_warnings)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR})
  # Cases keep the names that GoogleTest gives them: a value without a printer is bytes and addresses.
  gtest_discover_tests(${name}_test DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES
                       WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${timeout_s})
endfunction()
