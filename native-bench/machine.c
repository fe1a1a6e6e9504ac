/* Asks the system what it is. What cannot be found out stays "" or 0; nothing here fails. */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <pthread.h>
#include <sys/sysctl.h>
#else
#include <sched.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#endif

#ifdef __APPLE__

static void system_words(const char *name, char *words, size_t size)
{
    if (sysctlbyname(name, words, &size, NULL, 0) != 0)
        words[0] = '\0';
}

static unsigned system_number(const char *name)
{
    int number = 0;
    size_t size = sizeof number;
    return sysctlbyname(name, &number, &size, NULL, 0) == 0 && number > 0 ? (unsigned)number : 0;
}

static void read_system(struct machine *machine)
{
    char version[64];
    system_words("machdep.cpu.brand_string", machine->cpu, sizeof machine->cpu);
    machine->cores = system_number("hw.logicalcpu");
    /* Performance level 0 is the fastest kind. Without levels all cores are alike. */
    if (system_number("hw.nperflevels") > 1) {
        machine->performance = system_number("hw.perflevel0.logicalcpu");
        machine->efficiency = system_number("hw.perflevel1.logicalcpu");
    }
    system_words("kern.osproductversion", version, sizeof version);
    snprintf(machine->os, sizeof machine->os, "macOS %s", version);
    if (system_number("kern.hv_vmm_present") > 0)
        snprintf(machine->virtualisation, sizeof machine->virtualisation, "virtual machine");
}

bool machine_prefer_fast_cores(void) { return pthread_set_qos_class_self_np(QOS_CLASS_USER_INTERACTIVE, 0) == 0; }

#else

/* The value of the first line that starts with `key` and has `separator` behind it, without quotes. */
static void file_value(const char *path, const char *key, char separator, char *value, size_t size)
{
    char line[4096];
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    while (value[0] == '\0' && fgets(line, sizeof line, file)) {
        char *at = line + strlen(key);
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        at += strspn(at, " \t");
        if (*at != separator)
            continue;
        at += 1 + strspn(at + 1, " \t\"");
        snprintf(value, size, "%.*s", (int)strcspn(at, "\"\n"), at);
    }
    fclose(file);
}

static void first_line(const char *path, char *value, size_t size)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (fgets(value, (int)size, file))
        value[strcspn(value, "\n")] = '\0';
    else
        value[0] = '\0';
    fclose(file);
}

static void read_hypervisor(char *name, size_t size)
{
#if defined(__x86_64__) || defined(__i386__)
    static const struct {
        const char *signature, *name;
    } known[] = {{"KVMKVMKVM", "KVM"},    {"VMwareVMware", "VMware"},     {"Microsoft Hv", "Hyper-V"},
                 {"XenVMMXenVMM", "Xen"}, {"VBoxVBoxVBox", "VirtualBox"}, {"bhyve bhyve ", "bhyve"}};
    unsigned a, b, c, d, signature[3];
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 31)) /* the bit that hypervisors set */
        return;
    __cpuid(0x40000000u, a, signature[0], signature[1], signature[2]);
    char words[13] = "";
    memcpy(words, signature, 12);
    snprintf(name, size, "%s", words[0] != '\0' ? words : "hypervisor");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(words, known[i].signature) == 0)
            snprintf(name, size, "%s", known[i].name);
#else
    first_line("/sys/hypervisor/type", name, size);
#endif
}

static void read_system(struct machine *machine)
{
    file_value("/proc/cpuinfo", "model name", ':', machine->cpu, sizeof machine->cpu);
    if (machine->cpu[0] == '\0') /* boards and AArch64 have no such line */
        first_line("/proc/device-tree/model", machine->cpu, sizeof machine->cpu);
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        machine->cores = (unsigned)CPU_COUNT(&allowed);
    file_value("/etc/os-release", "PRETTY_NAME", '=', machine->os, sizeof machine->os);
    first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", machine->governor, sizeof machine->governor);
    read_hypervisor(machine->virtualisation, sizeof machine->virtualisation);
}

bool machine_prefer_fast_cores(void) { return true; }

#endif

void machine_read(struct machine *machine)
{
    struct utsname name;
    *machine = (struct machine){0};
    read_system(machine);
    if (machine->cores == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        machine->cores = online > 0 ? (unsigned)online : 1;
    }
    if (uname(&name) == 0) {
        /* The pieces may be longer together than the place; the end of the release is what matters least. */
        snprintf(machine->kernel, sizeof machine->kernel, "%.24s %.64s %.32s", name.sysname, name.release,
                 name.machine);
        if (machine->os[0] == '\0')
            snprintf(machine->os, sizeof machine->os, "%.64s", name.sysname);
        if (machine->cpu[0] == '\0')
            snprintf(machine->cpu, sizeof machine->cpu, "%.64s", name.machine);
    }
    snprintf(machine->compiler, sizeof machine->compiler, "%s", CC_COMPILER);
    snprintf(machine->flags, sizeof machine->flags, "%s", &CC_FLAGS[strspn(CC_FLAGS, " ")]);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(machine->date, sizeof machine->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
