# The simulator as one WebAssembly module without JavaScript of Emscripten's: the loader is ours (web/sim/sim.mjs), and
# the same file runs in browsers, in workers and under node.

target_compile_options(cachecast_jansson PRIVATE -Oz)

file(GLOB web CONFIGURE_DEPENDS web/sim/*.c)
if(web)
    # Not of the library, which the unit tests use: what the page's files and JavaScript have is left out. The page has a
    # budget of bytes: what runs once is built for size, what runs per event (engine, model) for speed.
    set(often ${core_sources})
    list(FILTER often EXCLUDE REGEX "/core/(io/.*|model/metrics|engine/ziggurat)\\.c$")
    file(GLOB once CONFIGURE_DEPENDS core/io/*.c)
    list(FILTER once EXCLUDE REGEX "/schema\\.c$")
    add_library(sim_once OBJECT ${once} core/model/metrics.c ${web})
    target_compile_options(sim_once PRIVATE -Oz)
    add_executable(sim ${often})
    set_target_properties(sim PROPERTIES SUFFIX .wasm UNITY_BUILD ${CACHECAST_UNITY} UNITY_BUILD_BATCH_SIZE 0)
    # A fifth of the usual inlining: 4 kB less to load (of 63), for an eighth of the speed.
    target_compile_options(sim PRIVATE -O2 -fno-unroll-loops "SHELL:-mllvm -inline-threshold=40")
    foreach(target sim_once sim)
        target_include_directories(${target} PRIVATE core/include core)
        target_link_libraries(${target} PRIVATE dep::jansson)
        cachecast_compile(${target})
        target_compile_definitions(${target} PRIVATE CC_WITHOUT_HELP)
        target_compile_options(${target} PRIVATE -Wno-string-conversion) # without help, its texts become a bool
    endforeach()
    target_link_libraries(sim PRIVATE sim_once)
    set_property(TARGET sim PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/web/sim/imports.js)
    # What is exported, shim.c says itself with export_name. The stack is small because nothing deep runs on it; memory
    # beyond the first pages is taken only by runs that need it.
    target_link_options(
        sim
        PRIVATE
        -Oz
        --no-entry
        -sSTANDALONE_WASM
        -sALLOW_MEMORY_GROWTH
        -sTOTAL_STACK=262144
        -sINITIAL_MEMORY=2097152
        -sFILESYSTEM=0
        --js-library
        ${PROJECT_SOURCE_DIR}/web/sim/imports.js
        -sMALLOC=emmalloc)
endif()

# For test programs under node. One file each: the loader of older versions of Emscripten fails under newer ones of
# node. Not minified: node prints the line at which a program failed.
function(cachecast_node_program target)
    target_link_options(
        ${target} PRIVATE -O2 --minify 0 -sENVIRONMENT=node -sSINGLE_FILE -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sNODERAWFS)
    # Debian keeps the JavaScript that Emscripten's linker uses where only Debian's own node looks.
    if(IS_DIRECTORY /usr/share/nodejs)
        set_property(TARGET ${target} PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
    endif()
endfunction()
# Emscripten writes CommonJS, while the project's own JavaScript is modules.
file(WRITE ${PROJECT_BINARY_DIR}/package.json "{\"type\": \"commonjs\"}\n")
