#ifndef CWORKLOADS_REPORT_H
#define CWORKLOADS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whose name stands in the lines.
void set_contender(const char *name);

/// Prints one line.
void report(const char *workload, const char *variant, const char *unit, double value);

/// Whether a rough answer is wanted soon: BENCH_QUICK is set.
bool is_quick(void);

/// Says what failed, with errno, and exits with 2.
_Noreturn void die(const char *what);

/// Numbers of which percentiles are wanted.
struct samples {
    double *values;
    int count;
    int capacity;
};

void samples_open(struct samples *samples, int capacity);
void samples_close(struct samples *samples);

/// Adds one, or drops it when there is no more room.
void samples_add(struct samples *samples, double value);

/// The value below which the given share of all lies; 0.5 is the median, 1 the maximum.
double samples_percentile(struct samples *samples, double share);
double samples_mean(const struct samples *samples);

/// The bytes that are allocated now.
size_t allocated_bytes(void);

#endif
