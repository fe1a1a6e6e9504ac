# Writes the JSON files INPUTS, without what readers skip (machine, measured), into the C file OUTPUT: as bytes, since
# compilers need not take string literals beyond 4,095 characters.
set(arrays "")
set(table "")
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
    file(WRITE ${OUTPUT}.json "${json}")
    file(READ ${OUTPUT}.json bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REPEAT "....," 20 line)
    string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
    string(MAKE_C_IDENTIFIER "profile_${name}" array)
    string(APPEND arrays "static const char ${array}[] = {\n    ${bytes}0};\n\n")
    string(APPEND table "    {\"${name}\", ${array}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include <cachecast.h>

${arrays}static const struct {
    const char *name, *text;
} profiles[] = {
${table}    {NULL, NULL},
};

static size_t place(size_t index)
{
    size_t last = sizeof profiles / sizeof *profiles - 1;
    return index < last ? index : last;
}

const char *cc_profile_name(size_t index) { return profiles[place(index)].name; }
const char *cc_profile_text(size_t index) { return profiles[place(index)].text; }
")
