#include "md5.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t value, int count) {
    return value << count | value >> (32 - count);
}

static void add_block(uint32_t state[4], const uint8_t *block) {
    static const int shifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], words[16];
    for (int i = 0; i < 16; i++) {
        const uint8_t *p = block + 4 * i;
        words[i] = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
    for (int i = 0; i < 64; i++) {
        uint32_t mixed = i < 16   ? (b & c) | (~b & d)
                         : i < 32 ? (d & b) | (~d & c)
                         : i < 48 ? b ^ c ^ d
                                  : c ^ (b | ~d);
        int word = i < 16 ? i : i < 32 ? (5 * i + 1) % 16 : i < 48 ? (3 * i + 5) % 16 : 7 * i % 16;
        uint32_t constant = (uint32_t)(int64_t)(fabs(sin(i + 1)) * 4294967296.0);
        uint32_t sum = a + mixed + constant + words[word];
        a = d;
        d = c;
        c = b;
        b += rotate(sum, shifts[i / 16][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void md5_hex(const void *bytes, size_t size, char hex[33]) {
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const uint8_t *rest = bytes;
    size_t left = size;
    for (; left >= 64; rest += 64, left -= 64) add_block(state, rest);
    // The rest, a one, zeros, and the number of bits.
    uint8_t last[128] = {0};
    size_t end = left < 56 ? 64 : 128;
    memcpy(last, rest, left);
    last[left] = 0x80;
    for (int i = 0; i < 8; i++) last[end - 8 + (size_t)i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    add_block(state, last);
    if (end == 128) add_block(state, last + 64);
    for (int i = 0; i < 16; i++) {
        snprintf(hex + 2 * i, 3, "%02x", (unsigned)(state[i / 4] >> 8 * (i % 4) & 0xff));
    }
}
