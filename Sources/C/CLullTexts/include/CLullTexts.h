// The texts and versions of lull.h, which are those of liblull.so alone: libraries on top call it.

#ifndef LULL_TEXTS_H
#define LULL_TEXTS_H

#include <lull.h>

#endif
