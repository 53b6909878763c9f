#include "decoders.h"

#include <errno.h>
#include <malloc.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long status_kib(const char *field) {
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    long value = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (!strncmp(line, field, strlen(field))) sscanf(line + strlen(field), "%ld", &value);
    }
    if (file) fclose(file);
    return value;
}

long resident_kib(void) { return status_kib("VmRSS:"); }

// Not ru_maxrss, which begins with what the process had that started this one.
long peak_resident_kib(void) { return status_kib("VmHWM:"); }

void keep_freed_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

uint64_t thread_cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

bool run_program(const char *path, const char *argument) {
    char *arguments[] = {(char *)path, (char *)argument, NULL};
    pid_t process;
    if (posix_spawn(&process, path, NULL, NULL, arguments, environ)) return false;
    int status;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return false;
    }
    return status == 0;
}
