#ifndef BENCH_PICTURES_RANDOM_H
#define BENCH_PICTURES_RANDOM_H

#include <stdint.h>

/// Numbers that are the same in every run (SplitMix64: Steele, Lea, Flood, 2014).
struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *random) {
    random->state += 0x9E3779B97F4A7C15;
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/// Uniform in 0..<1.
static inline float random_share(struct random *random) {
    return (float)(random_next(random) >> 40) * 0x1p-24f;
}

/// About normal, with mean 0 and deviation 1: the sum of four uniform numbers.
static inline float random_normal(struct random *random) {
    uint64_t z = random_next(random);
    int sum = (int)(z & 0xFFFF) + (int)(z >> 16 & 0xFFFF) + (int)(z >> 32 & 0xFFFF)
        + (int)(z >> 48);
    return ((float)sum - 131070) / 37837;
}

#endif
