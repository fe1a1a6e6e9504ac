# Writes the JSON files INPUTS, without what readers skip (machine, measured), into the C file OUTPUT: as bytes, since
# compilers need not take string literals beyond 4,095 characters. PREFIX_name(index) and PREFIX_text(index), which HEADER
# declares, give them, NULL behind the last. With ROOTS, names are paths below one of them, with dots for slashes.
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
    foreach(root IN LISTS ROOTS)
        cmake_path(IS_PREFIX root ${input} inside)
        if(inside)
            cmake_path(RELATIVE_PATH input BASE_DIRECTORY ${root} OUTPUT_VARIABLE name)
            string(REGEX REPLACE "\\.json$" "" name ${name})
            string(REPLACE "/" "." name ${name})
        endif()
    endforeach()
    string(REGEX REPLACE "[ \t]*\n[ \t]*" "" json "${json}")
    file(WRITE ${OUTPUT}.json "${json}")
    file(READ ${OUTPUT}.json bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REPEAT "....," 20 line)
    string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
    string(MAKE_C_IDENTIFIER "text_${name}" array)
    string(APPEND arrays "static const char ${array}[] = {\n    ${bytes}0};\n\n")
    string(APPEND table "    {\"${name}\", ${array}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include <${HEADER}>

${arrays}static const struct {
    const char *name, *text;
} all[] = {
${table}    {NULL, NULL},
};

static size_t place(size_t index)
{
    size_t last = sizeof all / sizeof *all - 1;
    return index < last ? index : last;
}

const char *${PREFIX}_name(size_t index) { return all[place(index)].name; }
const char *${PREFIX}_text(size_t index) { return all[place(index)].text; }
")
