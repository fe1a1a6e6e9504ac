# Language level, warnings and the floating-point rules on which equal results rest.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(CACHECAST_WERROR "Treat compiler warnings as errors" ON)
set(CACHECAST_SANITIZE "" CACHE STRING "Sanitizers to build everything with, for example address,undefined")
set(CACHECAST_UNITY AUTO CACHE STRING "Compile the core as one translation unit: AUTO (in Release), ON or OFF")
if(CACHECAST_UNITY STREQUAL "AUTO")
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
        set(CACHECAST_UNITY ON)
    else()
        set(CACHECAST_UNITY OFF)
    endif()
endif()

# Fast-math lets the compiler reorder sums: the same scenario would then give other bytes with another compiler.
get_cmake_property(variables VARIABLES)
list(FILTER variables INCLUDE REGEX "^CMAKE_C_FLAGS")
foreach(variable IN LISTS variables)
    if("${${variable}}" MATCHES "-Ofast|-ffast-math|-funsafe-math|-fassociative-math|-freciprocal-math|-fp-model[= ]fast")
        message(FATAL_ERROR "${variable} contains ${CMAKE_MATCH_0}. Results must not depend on the compiler: take it out.")
    endif()
endforeach()

# A compiler may otherwise fuse a*b+c into one rounding where the processor can: other bits on AArch64 than on x86-64.
# For every target, those of the dependencies included.
add_compile_options(-ffp-contract=off)

# Instructions that every browser has that can run the page's JavaScript (es2022): shorter code, and faster.
if(EMSCRIPTEN)
    add_compile_options(-mbulk-memory -mnontrapping-fptoint -msign-ext)
endif()

if(CACHECAST_SANITIZE)
    add_compile_options(-fsanitize=${CACHECAST_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CACHECAST_SANITIZE})
endif()

function(cachecast_compile target)
    target_compile_definitions(${target} PRIVATE CC_VERSION="${PROJECT_VERSION}")
    # sqrt need not set errno; without the promise each one costs a branch and a call.
    target_compile_options(
        ${target}
        PRIVATE -fno-math-errno
                -Wall
                -Wextra
                -Wpedantic
                -Wshadow
                -Wconversion
                -Wsign-conversion
                -Wstrict-prototypes
                -Wmissing-prototypes
                -Wvla
                $<$<BOOL:${CACHECAST_WERROR}>:-Werror>)
    if(CACHECAST_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # The checks that gcc inserts confuse its own analysis of uninitialised variables.
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
endfunction()

# Programs that talk to the system. The core does not: it is plain C.
function(cachecast_posix target)
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L $<$<PLATFORM_ID:Darwin>:_DARWIN_C_SOURCE>)
endfunction()

# Programs that ask the system what POSIX does not tell: which processors, which thread's time.
function(cachecast_system target)
    target_compile_definitions(
        ${target} PRIVATE $<$<PLATFORM_ID:Linux>:_GNU_SOURCE> $<$<PLATFORM_ID:Darwin>:_DARWIN_C_SOURCE>)
endfunction()
