// MD5 (RFC 1321), by which the names of thumbnails are made.

#ifndef MD5_H
#define MD5_H

#include <stddef.h>

/// Writes the digest of `size` bytes as 32 hexadecimal digits and a 0.
void md5_hex(const void *bytes, size_t size, char hex[33]);

#endif
