// The codecs of HEVC and AV1 behind CLullHEIF.h, which finds them in a program that links this.

#ifndef C_HEIF_CODECS_H
#define C_HEIF_CODECS_H

#include <CLullHEIF.h>

#endif
