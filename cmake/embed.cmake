# Writes the JSON files INPUTS, without what readers skip (machine, measured), into the C file OUTPUT.
set(text "#include <cachecast.h>\n\nstatic const char *const profiles[][2] = {\n")
foreach(input IN LISTS INPUTS)
    file(READ ${input} json)
    foreach(key machine measured $schema)
        string(JSON type ERROR_VARIABLE none TYPE "${json}" ${key})
        if(NOT none)
            string(JSON json REMOVE "${json}" ${key})
        endif()
    endforeach()
    cmake_path(GET input STEM name)
    string(REGEX REPLACE "[ \t]*\n[ \t]*" "" json "${json}")
    string(REPLACE "\\" "\\\\" json "${json}")
    string(REPLACE "\"" "\\\"" json "${json}")
    # Compilers need not take string literals beyond 4,095 characters in one piece.
    string(REGEX REPLACE "(....................................................................................................)" "\\1\"\n     \"" json "${json}")
    string(APPEND text "    {\"${name}\",\n     \"${json}\"},\n")
endforeach()
string(APPEND text "    {NULL, NULL},\n};\n
static size_t place(size_t index)
{
    size_t last = sizeof profiles / sizeof *profiles - 1;
    return index < last ? index : last;
}

const char *cc_profile_name(size_t index) { return profiles[place(index)][0]; }
const char *cc_profile_text(size_t index) { return profiles[place(index)][1]; }
")
file(WRITE ${OUTPUT} "${text}")
