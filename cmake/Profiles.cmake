# JSON files of sims/ as C text: the profiles, so that scenarios can name one wherever the library runs, and for the
# command the experiments, so that links can name one.

# Makes the C file `output` of the files in the list `inputs`; see embed.cmake.
function(cachecast_embed output prefix header roots inputs)
    set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DPREFIX=${prefix} -DHEADER=${header} "-DROOTS=${roots}"
                "-DINPUTS=${inputs}" -P ${script}
        DEPENDS ${inputs} ${script}
        VERBATIM)
endfunction()

file(GLOB profiles CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sims/profiles/*.json)
list(SORT profiles)
set(CACHECAST_PROFILES_C ${PROJECT_BINARY_DIR}/profiles.c)
cachecast_embed(${CACHECAST_PROFILES_C} cc_profile cachecast.h "" "${profiles}")

set(preset_roots ${PROJECT_SOURCE_DIR}/sims/published ${PROJECT_SOURCE_DIR}/sims/start)
list(TRANSFORM preset_roots APPEND /*.json OUTPUT_VARIABLE preset_globs)
file(GLOB_RECURSE presets CONFIGURE_DEPENDS ${preset_globs})
list(SORT presets)
set(CACHECAST_PRESETS_C ${PROJECT_BINARY_DIR}/presets.c)
cachecast_embed(${CACHECAST_PRESETS_C} preset presets.h "${preset_roots}" "${presets}")
