#include "report.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static const char *contender_name = "?";

void set_contender(const char *name) {
    contender_name = name;
}

void report(const char *workload, const char *variant, const char *unit, double value) {
    printf("%s\t%s\t%s\t%s\t%.6g\n", workload, contender_name, variant, unit, value);
    // What came out so far shall be seen even if the rest crashes.
    fflush(stdout);
}

bool is_quick(void) {
    return getenv("BENCH_QUICK") != NULL;
}

void die(const char *what) {
    perror(what);
    exit(2);
}

void samples_open(struct samples *samples, int capacity) {
    samples->values = malloc((size_t)capacity * sizeof *samples->values);
    if (!samples->values) die("malloc");
    samples->count = 0;
    samples->capacity = capacity;
}

void samples_close(struct samples *samples) {
    free(samples->values);
}

void samples_add(struct samples *samples, double value) {
    if (samples->count < samples->capacity) samples->values[samples->count++] = value;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double samples_percentile(struct samples *samples, double share) {
    if (!samples->count) return 0;
    qsort(samples->values, (size_t)samples->count, sizeof *samples->values, compare);
    return samples->values[(int)(share * (samples->count - 1) + 0.5)];
}

double samples_mean(const struct samples *samples) {
    if (!samples->count) return 0;
    double sum = 0;
    for (int i = 0; i < samples->count; i++) sum += samples->values[i];
    return sum / samples->count;
}

size_t allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
