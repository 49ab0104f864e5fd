#pragma once
#include <x265.h>
