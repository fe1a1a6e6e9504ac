// Tells Emscripten's linker which functions sim.mjs gives the module; it asks for them as a library of JavaScript.
// biome-ignore lint/correctness/noUndeclaredVariables: the linker's
mergeInto(LibraryManager.library, { format_print() {}, format_number() {}, profile_name() {}, profile_text() {} });
