// Coding of intra pictures, a row of blocks a call, for HEVC and AV1. Swift owns settings and memory:
// HEVCIntraEncoder.swift and AV1IntraEncoder.swift in Writers.
#pragma once
#include "AV1Coding.h"
#include "HEVCCoding.h"
