# Helpers that every CMakeLists.txt of the project uses. Flags live on targets, never in CMAKE_CXX_FLAGS.

# What all our own code is compiled with: C++20, warnings, and arithmetic that is the same on every machine
# (a fused multiply-add would round once instead of twice).
function(xuanka_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  xuanka_sanitize(${target})
  xuanka_web_options(${target})
endfunction()

# Headers that most sources of a target include. They are parsed once; every source still names what it uses (tests/tools).
function(xuanka_precompile target)
  if(XUANKA_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cmath> <functional> <map> <optional> <span> <string> <string_view> <tuple> <utility> <variant>
      <vector> <tl/expected.hpp> ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # What comes from there is no longer a system header to GCC, and some of what it then says of std::string is untrue.
      target_compile_options(${target} PRIVATE -fpch-preprocess
        -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-restrict)
    endif()
  endif()
endfunction()

# Warnings: on for our code, never for third-party or generated sources.
function(xuanka_target_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion)
  # Clang counts the C++17 deprecations inside libstdc++ 12's own std::stable_sort against the caller.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
  # GCC 14 believes that an inlined std::variant destroys the alternative it does not hold.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(XUANKA_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

function(xuanka_sanitize target)
  if(XUANKA_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${XUANKA_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${XUANKA_SANITIZE})
  endif()
  if(XUANKA_BUILD_FUZZERS)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# Compile flags of everything that ends in a wasm module. Small first: the page is downloaded.
function(xuanka_web_options target)
  if(NOT EMSCRIPTEN)
    return()
  endif()
  # Instructions that every browser with WebGL2 knows (Chrome 75, Firefox 79, Safari 15): smaller code.
  target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti -fno-threadsafe-statics
    -mbulk-memory -mnontrapping-fptoint -Xclang -fno-c++-static-destructors)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${target} PRIVATE -O1 -g)
  else()
    target_compile_options(${target} PRIVATE ${XUANKA_WEB_OPTIMIZE} -flto -DNDEBUG)
  endif()
endfunction()
set(XUANKA_WEB_OPTIMIZE "-Oz" CACHE STRING "Optimisation level of the wasm modules")

# Link flags of a wasm module: an ES module factory that runs in pages, workers and node under a strict CSP.
function(xuanka_web_module target)
  set_target_properties(${target} PROPERTIES SUFFIX ".js")
  target_link_options(${target} PRIVATE
    -fno-exceptions -fno-rtti
    -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker,node
    -sDYNAMIC_EXECUTION=0 -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH -sMALLOC=emmalloc
    -sSTACK_SIZE=1MB -sINCOMING_MODULE_JS_API=[wasmBinary,locateFile,instantiateWasm,canvas,print,printErr,onAbort])
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_link_options(${target} PRIVATE -O1 -g -sASSERTIONS=2 -sSAFE_HEAP=1)
  else()
    target_link_options(${target} PRIVATE ${XUANKA_WEB_OPTIMIZE} -flto)
  endif()
endfunction()

# Header-only libraries. Under Emscripten the host's /usr/include must never be on the include path, so only the
# wanted folders are linked into one of our own.
function(xuanka_header_library target probe)
  if(TARGET ${target})
    return()
  endif()
  string(MAKE_C_IDENTIFIER "XUANKA_INCLUDE_${probe}" variable)
  find_path(${variable} "${probe}" NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include)
  mark_as_advanced(${variable})
  if(NOT ${variable})
    message(FATAL_ERROR "Header ${probe} not found: ./dev build installs it, or set -D${variable}=FOLDER")
  endif()
  set(folder "${${variable}}")
  if(EMSCRIPTEN)
    set(folder "${PROJECT_BINARY_DIR}/third_party/include")
    file(MAKE_DIRECTORY "${folder}")
    get_filename_component(library "${probe}" DIRECTORY)
    file(CREATE_LINK "${${variable}}/${library}" "${folder}/${library}" SYMBOLIC)
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  if(NOT folder STREQUAL "/usr/include")
    target_include_directories(${target} SYSTEM INTERFACE "${folder}")
  endif()
endfunction()
