/* Documents are written with integers only, so that no C library's formatting of fractions can change a byte. */
#include "payload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/random.h"
#include "sha256.h"

#define FILE_MOST ((size_t)64 << 20)
#define FILES_TOTAL_MOST ((size_t)1 << 30)
#define ALIGNMENT 16u /* as malloc gives it to those who serialise */

/* ---- a set that grows ------------------------------------------------------------------------------------------- */

/* While the block may still move, an item's place is an offset into it. */
struct growing {
    struct payload_set set;
    size_t *offsets;
    size_t item_room, used, room;
};

static bool reserve(struct growing *growing, size_t bytes)
{
    if (growing->set.count == growing->item_room) {
        size_t room = growing->item_room == 0 ? 64 : 2 * growing->item_room;
        struct payload *items = realloc(growing->set.items, room * sizeof *items);
        if (!items)
            return false;
        growing->set.items = items;
        size_t *offsets = realloc(growing->offsets, room * sizeof *offsets);
        if (!offsets)
            return false;
        growing->offsets = offsets;
        growing->item_room = room;
    }
    size_t need = growing->used + bytes;
    if (need > growing->room) {
        size_t room = need + need / 2;
        unsigned char *block = realloc(growing->set.block, room);
        if (!block)
            return false;
        growing->set.block = block;
        growing->room = room;
    }
    return true;
}

/* The `size` bytes behind growing->used are an item. */
static void add_item(struct growing *growing, size_t size)
{
    struct payload_set *set = &growing->set;
    growing->offsets[set->count] = growing->used;
    set->items[set->count++].size = size;
    set->total += size;
    set->least = set->count == 1 || size < set->least ? size : set->least;
    set->most = size > set->most ? size : set->most;
    growing->used += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* In a fixed shuffled order: in the order of memory the processor would fetch the next payload ahead of the call. */
static void shuffle(struct payload_set *set, uint64_t seed)
{
    struct cc_random random;
    cc_random_start(&random, seed, 0, "payload.order", 0);
    for (size_t i = set->count; i > 1; i--) {
        size_t j = (size_t)cc_random_below(&random, i);
        struct payload keep = set->items[i - 1];
        set->items[i - 1] = set->items[j];
        set->items[j] = keep;
    }
}

static void finish(struct growing *growing, struct payload_set *set)
{
    for (size_t i = 0; i < growing->set.count; i++)
        growing->set.items[i].bytes = growing->set.block + growing->offsets[i];
    free(growing->offsets);
    *set = growing->set;
}

static void give_up(struct growing *growing)
{
    free(growing->offsets);
    payload_set_free(&growing->set);
}

void payload_set_free(struct payload_set *set)
{
    free(set->items);
    free(set->block);
    *set = (struct payload_set){0};
}

/* ---- recommendation contexts ------------------------------------------------------------------------------------ */

#define ITEM_MOST 640u /* more than any item takes */

/* Common ones first: low numbers are drawn more often. */
static const char *const words[] = {
    "classic", "black",   "set",      "wireless", "compact", "lamp",     "cotton",   "kitchen",  "travel",   "premium",
    "steel",   "organic", "garden",   "speaker",  "leather", "portable", "backpack", "running",  "ceramic",  "vintage",
    "outdoor", "charger", "notebook", "blanket",  "silver",  "jacket",   "shelf",    "mountain", "espresso", "walnut",
    "linen",   "hiking",  "studio",   "bamboo",   "velvet",  "lantern",  "trekking", "quartz",   "marble",   "copper"};
static const char *const categories[] = {"home", "electronics", "fashion", "sports", "books", "toys", "garden", "food"};
static const char *const tags[] = {"new", "sale", "eco", "gift", "bestseller", "limited", "local", "refurbished"};
static const char *const reasons[] = {"also_bought", "viewed_together", "trending", "same_brand", "price_drop"};
static const char *const colors[] = {"black", "white", "blue", "grey", "red", "green", "natural"};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

struct writer {
    unsigned char *out; /* ITEM_MOST bytes of room for a piece */
    size_t used;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf((char *)writer->out + writer->used, ITEM_MOST - writer->used, format, arguments);
    va_end(arguments);
    writer->used += length > 0 ? (size_t)length : 0;
}

/* At most one draw among the arguments of a call: in which order a compiler evaluates them is its own business. */
static unsigned below(struct cc_random *random, size_t n) { return (unsigned)cc_random_below(random, n); }

static const char *skewed(struct cc_random *random, const char *const *list, size_t count)
{
    return list[below(random, below(random, count) + 1u)];
}

static void say_title(struct writer *writer, struct cc_random *random, unsigned count)
{
    say(writer, "\"title\":\"");
    for (unsigned i = 0; i < count; i++)
        say(writer, "%s%s", i > 0 ? " " : "", skewed(random, words, LENGTH(words)));
    say(writer, "\"");
}

static size_t short_item(unsigned char *out, struct cc_random *random)
{
    struct writer writer = {out, 0};
    say(&writer, "{\"id\":%u,", 10000000 + below(random, 90000000));
    say(&writer, "\"score\":0.%04u,", below(random, 10000));
    say_title(&writer, random, 2);
    say(&writer, "}");
    return writer.used;
}

static size_t full_item(unsigned char *out, struct cc_random *random)
{
    struct writer writer = {out, 0};
    unsigned id = 10000000 + below(random, 90000000);
    say(&writer, "{\"id\":%u,\"score\":0.%04u,", id, below(random, 10000));
    say_title(&writer, random, 3 + below(random, 4));
    say(&writer, ",\"category\":\"%s\",\"tags\":[", skewed(random, categories, LENGTH(categories)));
    for (unsigned i = 0, count = 1 + below(random, 3); i < count; i++)
        say(&writer, "%s\"%s\"", i > 0 ? "," : "", skewed(random, tags, LENGTH(tags)));
    say(&writer, "],\"price\":{\"amount\":%u.", 1 + below(random, below(random, 1000) + 1u));
    say(&writer, "%02u,", below(random, 4) > 0 ? 99 : below(random, 100));
    say(&writer, "\"currency\":\"%s\"}", below(random, 10) > 0 ? "EUR" : "USD");
    say(&writer, ",\"updated\":\"2025-%02u-", 1 + below(random, 12));
    say(&writer, "%02uT", 1 + below(random, 28));
    say(&writer, "%02u:", below(random, 24));
    say(&writer, "%02u:", below(random, 60));
    say(&writer, "%02uZ\"", below(random, 60));
    say(&writer, ",\"reason\":\"%s\"", skewed(random, reasons, LENGTH(reasons)));
    if (below(random, 3) == 0) {
        say(&writer, ",\"features\":{\"color\":\"%s\"", skewed(random, colors, LENGTH(colors)));
        say(&writer, ",\"weight_g\":%u,", 10 * (1 + below(random, 400)));
        say(&writer, "\"in_stock\":%s}", below(random, 8) > 0 ? "true" : "false");
    }
    if (below(random, 2) == 0)
        say(&writer, ",\"image\":\"https://img.shop.example/p/%u/%u.jpg\"", id % 1000, id);
    say(&writer, "}");
    return writer.used;
}

/* Items until the next would be one too many; where a full one is, short ones may still fit. */
static size_t write_document(unsigned char *out, size_t bytes, uint32_t request, struct cc_random *random)
{
    unsigned char item[ITEM_MOST];
    struct writer writer = {out, 0};
    size_t user = 1000000 + below(random, 9000000);
    say(&writer, "{\"request\":\"%08x\",\"user\":\"u%zu\",\"items\":[", (unsigned)request, user);
    size_t used = writer.used, items = 0;
    for (bool full = true;;) {
        size_t size = full ? full_item(item, random) : short_item(item, random);
        if (used + (items > 0) + size + 2 > bytes) {
            if (!full)
                break;
            full = false;
            continue;
        }
        if (items++ > 0)
            out[used++] = ',';
        memcpy(out + used, item, size);
        used += size;
    }
    out[used++] = ']';
    out[used++] = '}';
    return used;
}

bool payload_set_make(struct payload_set *set, size_t bytes, size_t count, size_t total, uint64_t seed)
{
    struct growing growing = {0};
    struct cc_random random;
    *set = (struct payload_set){0};
    cc_random_start(&random, seed, 0, "payload", bytes);
    uint32_t first = (uint32_t)cc_random_next(&random);
    while (growing.set.count < count || growing.set.total < total) {
        if (!reserve(&growing, bytes + ITEM_MOST)) {
            give_up(&growing);
            return false;
        }
        /* An odd factor is a bijection: no two documents have the same request, so that all are distinct. */
        uint32_t request = first + (uint32_t)growing.set.count * UINT32_C(0x9e3779b1);
        add_item(&growing, write_document(growing.set.block + growing.used, bytes, request, &random));
    }
    finish(&growing, set);
    shuffle(set, seed);
    return true;
}

/* ---- the user's files ------------------------------------------------------------------------------------------- */

struct names {
    char **list;
    size_t count;
};

static void names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

static int by_name(const void *left, const void *right) { return strcmp(*(char *const *)left, *(char *const *)right); }

/* In order of name, whatever order the file system has. 0 or an errno. */
static int list_directory(DIR *directory, struct names *names)
{
    size_t room = 0;
    errno = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL; errno = 0) {
        if (entry->d_name[0] == '.')
            continue;
        if (names->count == room) {
            room = room == 0 ? 64 : 2 * room;
            char **list = realloc(names->list, room * sizeof *list);
            if (!list)
                return ENOMEM;
            names->list = list;
        }
        if ((names->list[names->count] = strdup(entry->d_name)) == NULL)
            return ENOMEM;
        names->count++;
    }
    if (errno == 0 && names->count > 1)
        qsort(names->list, names->count, sizeof *names->list, by_name);
    return errno;
}

/* Adds the file unless it is of a kind that is left out. 0 or an errno. */
static int read_into(struct growing *growing, int directory, const char *name)
{
    struct stat status;
    int error = 0, file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return errno;
    if (fstat(file, &status) != 0)
        error = errno;
    size_t size = error == 0 && S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size : 0;
    if (error == 0 && size > 0 && size <= FILE_MOST) {
        if (growing->set.total + size > FILES_TOTAL_MOST)
            error = EFBIG;
        else if (!reserve(growing, size + ALIGNMENT))
            error = ENOMEM;
        size_t got = 0;
        while (error == 0 && got < size) {
            ssize_t step = read(file, growing->set.block + growing->used + got, size - got);
            if (step < 0 && errno != EINTR)
                error = errno;
            if (step == 0) /* shorter than it was: what there is counts */
                break;
            got += step > 0 ? (size_t)step : 0;
        }
        if (error == 0 && got > 0)
            add_item(growing, got);
    }
    close(file);
    return error;
}

bool payload_set_read(struct payload_set *set, const char *directory, char *problem, size_t problem_size)
{
    struct growing growing = {0};
    struct names names = {0};
    *set = (struct payload_set){0};
    DIR *open_directory = opendir(directory);
    if (!open_directory) {
        snprintf(problem, problem_size, "%s: %s", directory, strerror(errno));
        return false;
    }
    const char *culprit = NULL;
    int error = list_directory(open_directory, &names);
    for (size_t i = 0; error == 0 && i < names.count; i++) {
        culprit = names.list[i];
        error = read_into(&growing, dirfd(open_directory), culprit);
    }
    closedir(open_directory);
    if (error == EFBIG)
        snprintf(problem, problem_size, "%s: more than 1 GiB of payloads", directory);
    else if (error != 0)
        snprintf(problem, problem_size, "%s%s%s: %s", directory, culprit ? "/" : "", culprit ? culprit : "",
                 strerror(error));
    else if (growing.set.count == 0)
        snprintf(problem, problem_size, "%s: no payloads: no regular file from 1 byte to 64 MiB", directory);
    names_free(&names);
    if (error != 0 || growing.set.count == 0) {
        give_up(&growing);
        return false;
    }
    finish(&growing, set);
    return true;
}

/* ---- classes of size -------------------------------------------------------------------------------------------- */

/* Twice the binary logarithm, rounded down: the half octave of a size. Integers only, so that all machines agree. */
static unsigned half_octave(size_t size)
{
    unsigned octave = 0;
    while (size >> octave > 1)
        octave++;
    return 2 * octave + (octave > 0 ? (unsigned)(size >> (octave - 1)) & 1u : 0);
}

#define HALF_OCTAVES 128u

size_t payload_set_classes(const struct payload_set *set, struct payload_set *classes, size_t most)
{
    size_t members[HALF_OCTAVES], found = 0;
    unsigned coarse = 0;
    for (;; coarse++) { /* half octaves, else octaves, else two octaves ... until there are few enough */
        memset(members, 0, sizeof members);
        found = 0;
        for (size_t i = 0; i < set->count; i++)
            found += members[half_octave(set->items[i].size) >> coarse]++ == 0;
        if (found <= most)
            break;
    }
    size_t at = 0;
    for (unsigned number = 0; number < HALF_OCTAVES; number++) {
        if (members[number] == 0)
            continue;
        struct growing growing = {0};
        for (size_t i = 0; i < set->count; i++) {
            if (half_octave(set->items[i].size) >> coarse != number)
                continue;
            if (!reserve(&growing, 0)) {
                give_up(&growing);
                while (at > 0)
                    payload_set_free(&classes[--at]);
                return 0;
            }
            add_item(&growing, set->items[i].size);
            growing.set.items[growing.set.count - 1] = set->items[i];
        }
        free(growing.offsets);
        classes[at] = growing.set;
        shuffle(&classes[at++], 1);
    }
    return at;
}

void payload_set_digest(const struct payload_set *set, char hex[65])
{
    struct sha256 hash;
    sha256_start(&hash);
    for (size_t i = 0; i < set->count; i++) {
        unsigned char size[8];
        for (size_t j = 0; j < sizeof size; j++)
            size[j] = (unsigned char)((uint64_t)set->items[i].size >> 8 * j);
        sha256_add(&hash, size, sizeof size);
        sha256_add(&hash, set->items[i].bytes, set->items[i].size);
    }
    sha256_end(&hash, hex);
}
