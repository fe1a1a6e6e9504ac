# The profiles of sims/profiles as C text, so that scenarios can name one wherever the library runs.

file(GLOB profiles CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sims/profiles/*.json)
list(SORT profiles)
set(CACHECAST_PROFILES_C ${PROJECT_BINARY_DIR}/profiles.c)
set(CACHECAST_PROFILES_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
add_custom_command(
    OUTPUT ${CACHECAST_PROFILES_C}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${CACHECAST_PROFILES_C} "-DINPUTS=${profiles}" -P ${CACHECAST_PROFILES_SCRIPT}
    DEPENDS ${profiles} ${CACHECAST_PROFILES_SCRIPT}
    VERBATIM)
