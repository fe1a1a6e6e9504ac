# Each dependency is one target, dep::NAME, whatever it comes from:
#
#   system         the packages of the machine, through pkg-config (the default of a native build)
#   debian-source  the source packages of the Debian release that the machine runs, fetched and verified by apt
#                  (the default of cross builds and of fuzzing, where apt and dpkg-source exist)
#   release        the upstream release archive, pinned by hash in pins.cmake (their default elsewhere)
#
# From source, the lists of files and the configuration headers are ours: upstream's own configuration runs a minute of
# feature tests under Emscripten to find out what is fixed anyway.

find_program(CACHECAST_APT_GET apt-get NO_CMAKE_FIND_ROOT_PATH)
find_program(CACHECAST_DPKG_SOURCE dpkg-source NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(CACHECAST_APT_GET CACHECAST_DPKG_SOURCE)
if(NOT CMAKE_CROSSCOMPILING AND NOT CACHECAST_FUZZ)
    set(default_from system)
elseif(CACHECAST_APT_GET AND CACHECAST_DPKG_SOURCE)
    set(default_from debian-source)
else()
    set(default_from release)
endif()
set(CACHECAST_DEPS_FROM ${default_from} CACHE STRING "Where dependencies come from: system, debian-source or release")
set_property(CACHE CACHECAST_DEPS_FROM PROPERTY STRINGS system debian-source release)
if(NOT CACHECAST_DEPS_FROM MATCHES "^(system|debian-source|release)$")
    message(FATAL_ERROR "CACHECAST_DEPS_FROM is \"${CACHECAST_DEPS_FROM}\"; it must be system, debian-source or release")
endif()
set(CACHECAST_DEPS_DIR ${PROJECT_SOURCE_DIR}/build/_deps
    CACHE PATH "Where Debian's sources of dependencies are kept; shared by all build trees")

# Sets ${variable} to the directory with the sources of a package. The Debian package is named like the dependency.
function(cachecast_dependency_source name variable)
    if(CACHECAST_DEPS_FROM STREQUAL "debian-source")
        execute_process(
            COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/debian-source.sh ${CACHECAST_DEPS_DIR} ${name}
            RESULT_VARIABLE result
            OUTPUT_VARIABLE output
            ERROR_VARIABLE output)
        if(result)
            message(FATAL_ERROR "The Debian source of ${name} could not be fetched:\n${output}")
        endif()
        set(${variable} ${CACHECAST_DEPS_DIR}/${name} PARENT_SCOPE)
    else()
        include(FetchContent)
        include(${PROJECT_SOURCE_DIR}/cmake/pins.cmake)
        FetchContent_Declare(
            ${name}
            URL ${pin_${name}_url}
            URL_HASH SHA256=${pin_${name}_sha256}
            DOWNLOAD_EXTRACT_TIMESTAMP OFF
            SOURCE_SUBDIR no-such-directory) # unpack only; do not run upstream's CMake
        FetchContent_MakeAvailable(${name})
        set(${variable} ${${name}_SOURCE_DIR} PARENT_SCOPE)
    endif()
endfunction()

# ---- jansson: reads scenario files ----------------------------------------------------------------------------------

if(CACHECAST_DEPS_FROM STREQUAL "system")
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(CACHECAST_JANSSON IMPORTED_TARGET jansson>=2.10)
    if(NOT CACHECAST_JANSSON_FOUND)
        message(FATAL_ERROR "jansson is missing. Debian: apt-get install libjansson-dev; macOS: brew install jansson; "
                            "or let CMake fetch its source: -DCACHECAST_DEPS_FROM=release")
    endif()
    add_library(dep::jansson INTERFACE IMPORTED)
    target_link_libraries(dep::jansson INTERFACE PkgConfig::CACHECAST_JANSSON)
else()
    cachecast_dependency_source(jansson jansson_source)
    set(jansson_config ${PROJECT_BINARY_DIR}/jansson-config)
    file(CONFIGURE OUTPUT ${jansson_config}/jansson_config.h CONTENT [[
/* Fixed for gcc, clang and Emscripten on 32-bit and 64-bit targets. */
#ifndef JANSSON_CONFIG_H
#define JANSSON_CONFIG_H
#define JSON_INLINE inline
#define JSON_INTEGER_IS_LONG_LONG 1
#define JSON_HAVE_LOCALECONV 1
#define JSON_HAVE_ATOMIC_BUILTINS 1
#define JSON_HAVE_SYNC_BUILTINS 1
#define JSON_PARSER_MAX_DEPTH 2048
#endif
]] @ONLY)
    # No random device and no process number: what the library computes must not depend on them.
    file(CONFIGURE OUTPUT ${jansson_config}/jansson_private_config.h CONTENT [[
#define HAVE_STDINT_H 1
#define HAVE_ATOMIC_BUILTINS 1
#define INITIAL_HASHTABLE_ORDER 3
]] @ONLY)
    set(jansson_files dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value version)
    list(TRANSFORM jansson_files PREPEND ${jansson_source}/src/)
    list(TRANSFORM jansson_files APPEND .c)
    add_library(cachecast_jansson STATIC ${jansson_files})
    target_include_directories(cachecast_jansson SYSTEM PUBLIC ${jansson_config} ${jansson_source}/src)
    target_compile_definitions(cachecast_jansson PRIVATE HAVE_CONFIG_H)
    target_compile_options(cachecast_jansson PRIVATE -w)
    add_library(dep::jansson ALIAS cachecast_jansson)
endif()

# ---- cmocka: unit tests only ----------------------------------------------------------------------------------------

# Makes dep::cmocka, or leaves it out when `required` is OFF and it is not there.
macro(cachecast_cmocka required)
    if(CACHECAST_DEPS_FROM STREQUAL "system")
        pkg_check_modules(CACHECAST_CMOCKA IMPORTED_TARGET cmocka)
        if(CACHECAST_CMOCKA_FOUND)
            add_library(dep::cmocka INTERFACE IMPORTED)
            target_link_libraries(dep::cmocka INTERFACE PkgConfig::CACHECAST_CMOCKA)
        elseif(${required})
            message(FATAL_ERROR "cmocka is missing. Debian: apt-get install libcmocka-dev; macOS: brew install cmocka")
        endif()
    elseif(CACHECAST_DEPS_FROM STREQUAL "debian-source" OR ${required})
        cachecast_dependency_source(cmocka cmocka_source)
        file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cmocka-config/config.h CONTENT [[
#define HAVE_INTTYPES_H 1
#define HAVE_STRINGS_H 1
#define HAVE_SIGNAL_H 1
#define HAVE_STRUCT_TIMESPEC 1
#define HAVE_CLOCK_REALTIME 1
]] @ONLY)
        add_library(cachecast_cmocka STATIC ${cmocka_source}/src/cmocka.c)
        target_include_directories(cachecast_cmocka SYSTEM PUBLIC ${cmocka_source}/include)
        target_include_directories(cachecast_cmocka PRIVATE ${PROJECT_BINARY_DIR}/cmocka-config)
        target_compile_definitions(cachecast_cmocka PRIVATE HAVE_CONFIG_H _POSIX_C_SOURCE=200809L)
        target_compile_options(cachecast_cmocka PRIVATE -w)
        # The header would define uintptr_t itself unless it knows the C library's mark of having done so.
        target_compile_definitions(cachecast_cmocka PUBLIC _UINTPTR_T _UINTPTR_T_DEFINED)
        add_library(dep::cmocka ALIAS cachecast_cmocka)
    endif()
endmacro()

# ---- codecs and a Redis client: the measuring commands only ---------------------------------------------------------

# Makes dep::codecs and dep::hiredis from the system's packages. Leaves dep::codecs out, and says in `bench_missing` what
# lacks, where they are not all there; zstd alone may be absent.
macro(cachecast_bench_dependencies)
    find_package(PkgConfig)
    set(bench_missing)
    foreach(library liblz4 snappy hiredis)
        pkg_check_modules(CACHECAST_${library} IMPORTED_TARGET ${library})
        if(NOT CACHECAST_${library}_FOUND)
            list(APPEND bench_missing ${library})
        endif()
    endforeach()
    pkg_check_modules(CACHECAST_libzstd IMPORTED_TARGET libzstd)
    if(NOT bench_missing)
        add_library(dep::codecs INTERFACE IMPORTED)
        target_link_libraries(dep::codecs INTERFACE PkgConfig::CACHECAST_liblz4 PkgConfig::CACHECAST_snappy)
        if(CACHECAST_libzstd_FOUND)
            target_link_libraries(dep::codecs INTERFACE PkgConfig::CACHECAST_libzstd)
            target_compile_definitions(dep::codecs INTERFACE CACHECAST_ZSTD="${CACHECAST_libzstd_VERSION}")
        endif()
        # snappy-c.h tells no version.
        target_compile_definitions(dep::codecs INTERFACE CACHECAST_SNAPPY="${CACHECAST_snappy_VERSION}")
        add_library(dep::hiredis INTERFACE IMPORTED)
        target_link_libraries(dep::hiredis INTERFACE PkgConfig::CACHECAST_hiredis)
    endif()
endmacro()
