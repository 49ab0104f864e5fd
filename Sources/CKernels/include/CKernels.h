// The loops over rows and blocks that take most of the time of a development, each compiled once for
// every set of instructions that is worth it and chosen when the program runs: no build flag is
// needed to be fast, and the bits are the same on every CPU. Swift owns settings, memory and tiles
// and calls them a row at a time; Docs/decisions says which loops are here and why.
//
// Contract of rows as in ImageCore/Rows: kernels work in whole vectors of eight, so up to seven
// samples behind `count` are read and written like the others. A kernel that accesses other samples
// around its rows says so by CK_MARGIN (CKernelsRows.h); Docs/kernels.md has all of them.
#pragma once
#include <stdint.h>

#include "CKernelsDecode.h"
#include "CKernelsEncode.h"
#include "CKernelsLossless.h"
#include "CKernelsRender.h"
#include "CKernelsSensor.h"
