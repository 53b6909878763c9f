// Only names GTK for pkg-config: what includes its headers is written in C.
#ifndef LULL_CGTK4_SHIM_H
#define LULL_CGTK4_SHIM_H
#endif
