extension CameraTable {
  /// Cameras of 2019 and later, sorted by maker and model. Made by Scripts/camera-table from
  /// published tables, of which Docs/camera-table.md says where they differ; not edited by hand.
  ///
  /// A camera begins at the left: maker | model | year | files | storages that not every decoder
  /// reads (Scripts/camera_roster.txt). Its facts follow, each with its origin behind the bar; an
  /// origin in brackets says the same.
  ///
  ///     also     other names, separated by semicolons
  ///     D65, A   color matrix: XYZ under that light to camera values, times 10,000, row by row
  ///     black    ISO speed from which on it holds, colon, level; four levels: R G B G2
  ///     white    likewise: the level at which samples saturate
  ///     crop     left, top, width, height of the picture; 0 and less: from the far side; "of"
  ///              the stored size that it holds for
  static let data = """
    Apple | iPhone 12 Pro | 2020 | DNG
    Apple | iPhone 12 Pro Max | 2020 | DNG
    Apple | iPhone 13 | 2021 | DNG
    Apple | iPhone 13 Pro | 2021 | DNG
    Apple | iPhone 13 Pro Max | 2021 | DNG
    Apple | iPhone 14 | 2022 | DNG
    Apple | iPhone 14 Plus | 2022 | DNG
    Apple | iPhone 14 Pro | 2022 | DNG
    Apple | iPhone 14 Pro Max | 2022 | DNG
    Apple | iPhone 15 | 2023 | DNG
    Apple | iPhone 15 Plus | 2023 | DNG
    Apple | iPhone 15 Pro | 2023 | DNG
    Apple | iPhone 15 Pro Max | 2023 | DNG
    Apple | iPhone 16 | 2024 | DNG
    Apple | iPhone 16 Plus | 2024 | DNG
    Apple | iPhone 16 Pro | 2024 | DNG
    Apple | iPhone 16 Pro Max | 2024 | DNG
    Apple | iPhone 17 | 2025 | DNG
    Apple | iPhone 17 Pro | 2025 | DNG
    Apple | iPhone 17 Pro Max | 2025 | DNG
    Apple | iPhone Air | 2025 | DNG
    AutelRobotics | EVO II | 2020 | DNG
      also XT705
    AutelRobotics | EVO Lite+ | 2022 | DNG
      also XL720
    AutelRobotics | XB015 | 2017 | DNG
    Canon | EOS 90D | 2019 | CR3
      D65 11498 -3759 -1516 -5073 12954 2349 -892 1867 6118 | LibRaw 0.22 [RawTherapee dcraw,
        LibRaw 0.21, LibRaw 0.20]
      crop 144 72 6984 4660 | RawTherapee
    Canon | EOS 250D | 2019 | CR3
      also EOS 200D II; EOS 200D Mark II; EOS Rebel SL3; EOS Kiss X10
      D65 9079 -1923 -1236 -4677 12454 2492 -922 2319 5565 | LibRaw 0.22 [RawTherapee dcraw,
        RawTherapee, LibRaw 0.21, LibRaw 0.20]
    Canon | EOS 850D | 2020 | CR3
      also EOS Rebel T8i; EOS Kiss X10i
      D65 9079 -1923 -1236 -4677 12454 2492 -922 2319 5565 | LibRaw 0.22 [RawTherapee dcraw,
        LibRaw 0.21, LibRaw 0.20]
    Canon | EOS C50 | 2025 | CR3 | crx2
      D65 8309 -1786 -1095 -4851 12736 2353 -956 1911 5534 | dnglab
      A 10273 -4611 139 -3922 11425 2856 -231 839 6645 | dnglab
    Canon | EOS M6 Mark II | 2019 | CR3
      D65 11498 -3759 -1516 -5073 12954 2349 -892 1867 6118 | LibRaw 0.22 [RawTherapee dcraw,
        LibRaw 0.21, LibRaw 0.20]
      crop 144 72 6984 4660 | RawTherapee
    Canon | EOS M50 Mark II | 2020 | CR3
      also EOS M50m2; EOS Kiss M2
      D65 10463 -2173 -1437 -4856 12635 2482 -1216 2915 7237 | LibRaw 0.22 [RawTherapee dcraw,
        LibRaw 0.21]
    Canon | EOS M200 | 2019 | CR3
      D65 10463 -2173 -1437 -4856 12635 2482 -1216 2915 7237 | LibRaw 0.22 [RawTherapee dcraw,
        LibRaw 0.21]
    Canon | EOS R1 | 2024 | CR3 | crx2
      D65 9020 -2275 -1209 -4916 12856 2284 -923 1953 5928 | LibRaw 0.22
    Canon | EOS R3 | 2021 | CR3 | crx2
      D65 9423 -2839 -1195 -4532 12377 2415 -483 1374 5276 | LibRaw 0.22 [dnglab, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21]
      A 11029 -5523 88 -4110 11671 2778 -165 658 6438 | dnglab
      crop 160 120 6024 4024 | RawTherapee
    Canon | EOS R5 | 2020 | CR3 | crx2
      D65 9766 -2953 -1254 -4276 12116 2433 -437 1336 5131 | LibRaw 0.22 [dnglab, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21]
      A 11600 -6048 405 -3331 10643 3113 -7 513 6109 | dnglab
      white 0:16300 | RawTherapee
      crop 128 96 8224 5490 of 8352 5586 | RawTherapee
      crop 128 96 5120 3382 of 5248 3510 | RawTherapee
    Canon | EOS R5 C | 2022 | CR3 | crx2
      D65 9766 -2953 -1254 -4276 12116 2433 -437 1336 5131 | LibRaw 0.22, row of EOS R5
      A 11600 -6048 405 -3331 10643 3113 -7 513 6109 | dnglab, row of EOS R5
    Canon | EOS R5 Mark II | 2024 | CR3 | crx2
      also EOS R5m2
      D65 9396 -2598 -1207 -4408 12296 2369 -505 1575 6077 | LibRaw 0.22 [dnglab]
      A 11261 -5701 384 -3524 10833 3110 -24 612 7273 | dnglab
    Canon | EOS R6 | 2020 | CR3 | crx2
      D65 8293 -1611 -1132 -4759 12711 2275 -1013 2415 5509 | LibRaw 0.22 [dnglab, RawTherapee
        dcraw, LibRaw 0.21]
      A 10492 -4810 274 -3519 10911 3009 -143 1025 6822 | dnglab
      white 0:16382 | RawTherapee
      crop 72 38 5496 3670 of 5568 3708 | RawTherapee
      crop 156 108 3404 2270 of 3584 2386 | RawTherapee
    Canon | EOS R6 Mark II | 2022 | CR3 | crx2
      also EOS R6m2
      D65 9539 -2795 -1224 -4175 11998 2458 -465 1755 6048 | LibRaw 0.22 [dnglab, RawTherapee
        dcraw, RawTherapee]
      A 11292 -5791 292 -3230 10487 3185 -83 959 7099 | dnglab
      crop 154 96 6024 4024 of 6188 4120 | RawTherapee
      crop 156 96 3780 2516 of 3936 2612 | RawTherapee
    Canon | EOS R6 Mark III | 2025 | CR3 | crx2
      also EOS R6m3
      D65 8309 -1786 -1095 -4851 12736 2353 -956 1911 5534 | dnglab
      A 10273 -4611 139 -3922 11425 2856 -231 839 6645 | dnglab, row of EOS C50
    Canon | EOS R7 | 2022 | CR3 | crx2
      D65 10424 -3138 -1300 -4221 11938 2584 -547 1658 6183 | LibRaw 0.22 [dnglab, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21]
      A 12649 -6460 -13 -3506 10855 3061 -100 741 7311 | dnglab
      crop 144 72 6984 4660 | RawTherapee
    Canon | EOS R8 | 2023 | CR3 | crx2
      D65 9539 -2795 -1224 -4175 11998 2458 -465 1755 6048 | LibRaw 0.22 [dnglab, RawTherapee
        dcraw, RawTherapee]
      A 11292 -5791 292 -3230 10487 3185 -83 959 7099 | dnglab, row of EOS R6 Mark II
      crop 154 96 6024 4024 of 6188 4120 | RawTherapee
      crop 156 96 3780 2516 of 3936 2612 | RawTherapee
    Canon | EOS R10 | 2022 | CR3 | crx2
      D65 9269 -2012 -1107 -3990 11762 2527 -569 2093 4913 | LibRaw 0.22 [dnglab, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21]
      A 11329 -4571 -594 -3571 11254 2655 -244 1447 5672 | dnglab
      crop 144 40 6048 4020 | RawTherapee
    Canon | EOS R50 | 2023 | CR3 | crx2
      D65 9269 -2012 -1107 -3990 11762 2527 -569 2093 4913 | LibRaw 0.22 [RawTherapee dcraw]
      A 11329 -4571 -594 -3571 11254 2655 -244 1447 5672 | dnglab, row of EOS R10
    Canon | EOS R50 V | 2025 | CR3 | crx2
      D65 9269 -2012 -1107 -3990 11762 2527 -569 2093 4913 | dnglab
      A 11329 -4571 -594 -3571 11254 2655 -244 1447 5672 | dnglab, row of EOS R10
    Canon | EOS R100 | 2023 | CR3 | crx2
      D65 8230 -1515 -1032 -4179 12005 2454 -649 2076 4711 | LibRaw 0.22 [RawTherapee dcraw]
    Canon | EOS Ra | 2019 | CR3
      D65 22880 -11531 -2223 -2034 10469 1809 316 1401 5769 | LibRaw 0.22 [RawTherapee dcraw]
    Canon | EOS RP | 2019 | CR3
      D65 8608 -2097 -1178 -5425 13265 2383 -1149 2238 5680 | LibRaw 0.22 [RawTherapee dcraw,
        RawTherapee, LibRaw 0.21, LibRaw 0.20]
      white 0:16300 160:13000 200:16300 320:13250 400:16300 640:13250 800:16300 1250:13250
        1600:16300 2500:13250 3200:16300 4000:16200 5000:13100 6400:16200 10000:13100 12800:16200
        16000:16100 20000:12900 25600:16100 40000:12900 51200:15900 | RawTherapee
    Canon | EOS-1D X Mark III | 2020 | CR3 | crx2
      D65 8971 -2022 -1242 -5405 13249 2380 -1280 2483 6072 | LibRaw 0.22 [RawTherapee dcraw,
        LibRaw 0.21, LibRaw 0.20]
      white 0:16382 | RawTherapee
      crop 72 38 5496 3670 | RawTherapee
    Canon | PowerShot G5 X Mark II | 2019 | CR3
      D65 11629 -5713 -914 -2706 11090 1842 -206 1225 5515 | LibRaw 0.22 [RawTherapee dcraw,
        LibRaw 0.21, LibRaw 0.20]
    Canon | PowerShot G7 X Mark III | 2019 | CR3
      D65 11629 -5713 -914 -2706 11090 1842 -206 1225 5515 | LibRaw 0.22 [RawTherapee dcraw,
        LibRaw 0.21, LibRaw 0.20]
    Canon | PowerShot V1 | 2025 | CR3 | crx2
      D65 12600 -4747 -2027 -6110 15868 -29 110 479 6011 | dnglab
      A 18238 -10779 -1870 -4784 14469 174 305 58 9442 | dnglab
    DJI | Inspire 3 | 2023 | DNG
    DJI | Mavic 2 Pro | 2018 | DNG
    DJI | Mavic 3 | 2021 | DNG
    DJI | Mavic 3 Classic | 2022 | DNG
    DJI | Mavic 3 Pro | 2023 | DNG
    DJI | Mavic Air 2 | 2020 | DNG
      also FC3170
    DJI | Mavic Air 2S | 2021 | DNG
      also FC3411
    DJI | Mavic Air 3 | 2023 | DNG
    DJI | Mavic Mini 2 | 2020 | DNG
    DJI | Mavic Mini 3 | 2022 | DNG
    DJI | Mavic Mini 3 Pro | 2022 | DNG
    DJI | Pocket | 2020 | DNG
    Fujifilm | GFX 50S II | 2021 | RAF | lossy
      also GFX50S II
      D65 11756 -4754 -874 -3056 11045 2305 -381 1457 6006 | rawspeed [LibRaw 0.22, RawTherapee,
        LibRaw 0.21]
      black 0:64 | rawspeed
      white 0:16000 | RawTherapee
      crop 0 0 8280 6208 | RawTherapee
    Fujifilm | GFX 100 | 2019 | RAF
      also GFX100
      D65 16212 -8423 -1583 -4336 12583 1937 -195 726 6199 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      crop 0 2 11664 8734 of 11808 8754 | RawTherapee
      crop 0 4 23328 17468 of 23616 17508 | RawTherapee
    Fujifilm | GFX 100 II | 2023 | RAF | lossy
      also GFX100 II
      D65 12806 -5779 -1110 -3546 11507 2318 -177 996 5715 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee]
      A 15656 -10088 1263 -2871 10498 2752 65 436 6714 | dnglab, row of GFX 100RF
      crop 0 0 11664 8750 of 11808 8754 | RawTherapee
      crop 0 4 23328 17468 of 23616 17508 | RawTherapee
    Fujifilm | GFX 100RF | 2025 | RAF | lossy
      also GFX100RF
      D65 12806 -5779 -1110 -3546 11507 2318 -177 996 5715 | rawspeed [dnglab]
      A 15656 -10088 1263 -2871 10498 2752 65 436 6714 | dnglab
    Fujifilm | GFX 100S | 2021 | RAF | lossy
      also GFX100S
      D65 16212 -8423 -1583 -4336 12583 1937 -195 726 6199 | rawspeed [LibRaw 0.22, RawTherapee,
        LibRaw 0.21]
      white 0:16383 | dnglab
      crop 0 2 11664 8734 of 11808 8754 | RawTherapee
      crop 0 4 23328 17468 of 23616 17508 | RawTherapee
    Fujifilm | GFX 100S II | 2024 | RAF | lossy
      also GFX100S II
      D65 12806 -5779 -1110 -3546 11507 2318 -177 996 5715 | LibRaw 0.22 [rawspeed]
      A 15656 -10088 1263 -2871 10498 2752 65 436 6714 | dnglab, row of GFX 100RF
    Fujifilm | X100V | 2020 | RAF
      D65 13717 -6490 -1154 -4348 12266 2335 -690 1286 6134 | LibRaw 0.22
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
      crop 624 0 5004 3347 of 6384 3348 | RawTherapee
      crop 0 5 6252 4176 | RawTherapee
    Fujifilm | X100VI | 2024 | RAF | lossy
      D65 11809 -5358 -1141 -4248 12164 2343 -514 1097 5848 | LibRaw 0.22 [rawspeed, dnglab]
      A 13240 -8203 1401 -2281 9572 3184 329 141 6790 | dnglab, row of X-T5
      black 0:1023 | rawspeed
      white 0:16383 | rawspeed
    Fujifilm | X-A7 | 2019 | RAF
      D65 15055 -7391 -1274 -4062 12071 2238 -610 1217 6147 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:1024 | rawspeed
      white 0:16382 | RawTherapee
    Fujifilm | X-E4 | 2021 | RAF | lossy
      D65 13426 -6334 -1177 -4244 12136 2371 -580 1303 5980 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21]
      A 16064 -9942 1120 -3760 12096 1853 -7 545 6654 | dnglab, row of X-S10
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
      crop 0 5 6252 4126 | RawTherapee
    Fujifilm | X-E5 | 2025 | RAF | lossy
      D65 11809 -5358 -1141 -4248 12164 2343 -514 1097 5848 | rawspeed
      A 13240 -8203 1401 -2281 9572 3184 329 141 6790 | dnglab, row of X-T5
      black 0:1023 | rawspeed
      white 0:16383 | rawspeed
    Fujifilm | X-H2 | 2022 | RAF | lossy
      D65 11809 -5358 -1141 -4248 12164 2343 -514 1097 5848 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee]
      A 13240 -8203 1401 -2281 9572 3184 329 141 6790 | dnglab, row of X-T5
      black 0:1020 | rawspeed
      white 0:16383 | rawspeed
      crop 0 5 7752 5184 | RawTherapee
    Fujifilm | X-H2S | 2022 | RAF | lossy
      D65 12836 -5909 -1032 -3087 11132 2236 -35 872 5330 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, LibRaw 0.21]
      A 16344 -10648 1184 -2749 10771 2278 152 417 6427 | dnglab, row of X-E5
      black 0:1024 | rawspeed
      white 0:16383 | rawspeed
      crop 0 5 6264 4176 | RawTherapee
    Fujifilm | X-M5 | 2024 | RAF | lossy
      D65 12836 -5909 -1032 -3087 11132 2236 -35 872 5330 | LibRaw 0.22 [rawspeed]
      A 16344 -10648 1184 -2749 10771 2278 152 417 6427 | dnglab, row of X-E5
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
    Fujifilm | X-Pro3 | 2019 | RAF
      D65 13426 -6334 -1177 -4244 12136 2371 -580 1303 5980 | LibRaw 0.22 [rawspeed, RawTherapee]
      A 16064 -9942 1120 -3760 12096 1853 -7 545 6654 | dnglab, row of X-S10
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
      crop 0 5 6252 4176 of 6384 4182 | RawTherapee
      crop 624 0 5004 3348 of 6384 3348 | RawTherapee
    Fujifilm | X-S10 | 2020 | RAF | lossy
      D65 13426 -6334 -1177 -4244 12136 2371 -580 1303 5980 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, RawTherapee, LibRaw 0.21]
      A 16064 -9942 1120 -3760 12096 1853 -7 545 6654 | dnglab
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
      crop 624 0 5004 3347 of 6384 3348 | RawTherapee
      crop 0 5 6252 4176 | RawTherapee
    Fujifilm | X-S20 | 2023 | RAF | lossy
      D65 12836 -5909 -1032 -3087 11132 2236 -35 872 5330 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw]
      A 16344 -10648 1184 -2749 10771 2278 152 417 6427 | dnglab, row of X-E5
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
    Fujifilm | X-T4 | 2020 | RAF | lossy
      D65 13426 -6334 -1177 -4244 12136 2371 -580 1303 5980 | LibRaw 0.22 [rawspeed, RawTherapee]
      A 16064 -9942 1120 -3760 12096 1853 -7 545 6654 | dnglab, row of X-S10
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
      crop 624 0 5004 3347 of 6384 3348 | RawTherapee
      crop 0 5 6252 4176 | RawTherapee
    Fujifilm | X-T5 | 2022 | RAF | lossy
      D65 11809 -5358 -1141 -4248 12164 2343 -514 1097 5848 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, RawTherapee]
      A 13240 -8203 1401 -2281 9572 3184 329 141 6790 | dnglab
      black 0:1020 | rawspeed
      white 0:16383 | rawspeed
      crop 0 5 7752 5184 | RawTherapee
    Fujifilm | X-T30 | 2019 | RAF
      D65 13426 -6334 -1177 -4244 12136 2371 -580 1303 5980 | rawspeed [LibRaw 0.22, RawTherapee]
      A 16064 -9942 1120 -3760 12096 1853 -7 545 6654 | dnglab, row of X-S10
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
      crop 624 0 5004 3347 of 6384 3348 | RawTherapee
      crop 0 5 6252 4176 | RawTherapee
    Fujifilm | X-T30 II | 2021 | RAF | lossy
      D65 13426 -6334 -1177 -4244 12136 2371 -580 1303 5980 | rawspeed [LibRaw 0.22, RawTherapee]
      A 16064 -9942 1120 -3760 12096 1853 -7 545 6654 | dnglab, row of X-S10
      black 0:1022 | rawspeed
      white 0:16383 | rawspeed
      crop 624 0 5004 3347 of 6384 3348 | RawTherapee
      crop 0 5 6252 4176 | RawTherapee
    Fujifilm | X-T30 III | 2025 | RAF | lossy
      D65 13426 -6334 -1177 -4244 12136 2371 -580 1303 5980 | dnglab
      A 16064 -9942 1120 -3760 12096 1853 -7 545 6654 | dnglab, row of X-S10
      white 0:16383 | dnglab
    Fujifilm | X-T50 | 2024 | RAF | lossy
      D65 11809 -5358 -1141 -4248 12164 2343 -514 1097 5848 | rawspeed [LibRaw 0.22]
      A 13240 -8203 1401 -2281 9572 3184 329 141 6790 | dnglab, row of X-T5
      black 0:1023 | rawspeed
      white 0:16383 | rawspeed
    Fujifilm | X-T200 | 2020 | RAF
      D65 15055 -7391 -1274 -4062 12071 2238 -610 1217 6147 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:1024 | rawspeed
      white 0:16383 | rawspeed
    Google | Pixel 3a | 2019 | DNG
    Google | Pixel 4 | 2019 | DNG
    Google | Pixel 4 XL | 2019 | DNG
    Google | Pixel 4a | 2020 | DNG
    Google | Pixel 4a (5G) | 2020 | DNG
    Google | Pixel 5 | 2020 | DNG
    Google | Pixel 5a | 2021 | DNG
    Google | Pixel 6 | 2021 | DNG
    Google | Pixel 6 Pro | 2021 | DNG
    Google | Pixel 6a | 2022 | DNG
    Google | Pixel 7 | 2022 | DNG
    Google | Pixel 7 Pro | 2022 | DNG
    Google | Pixel 7a | 2023 | DNG
    Google | Pixel 8 | 2023 | DNG
    Google | Pixel 8 Pro | 2023 | DNG
    Google | Pixel 8a | 2024 | DNG
    Google | Pixel 9 | 2024 | DNG
    Google | Pixel 9 Pro | 2024 | DNG
    Google | Pixel 9 Pro Fold | 2024 | DNG
    Google | Pixel 9 Pro XL | 2024 | DNG
    Google | Pixel 10 | 2025 | DNG
    Google | Pixel 10 Pro | 2025 | DNG
    Google | Pixel 10 Pro XL | 2025 | DNG
    Google | Pixel Fold | 2023 | DNG
    GoPro | HERO8 | 2019 | GPR
      also HERO8 Black
    GoPro | HERO9 | 2020 | GPR
      also HERO9 Black
    GoPro | HERO10 | 2021 | GPR
      also HERO10 Black
    GoPro | HERO11 | 2022 | GPR
      also HERO11 Black
    GoPro | HERO12 | 2023 | GPR
      also HERO12 Black
    GoPro | HERO13 | 2024 | GPR
      also HERO13 Black
    Hasselblad | 907X | 2019 | 3FR
      also 907X & CFV II 50C
    Hasselblad | CFV II 50C | 2020 | 3FR
      D65 5002 -878 111 -4856 11929 3338 -1183 2041 7022 | rawspeed
      black 0:256 | rawspeed
      white 0:62914 | rawspeed
      crop 56 104 -60 0 | rawspeed
    Hasselblad | CFV-50c | 2014 | 3FR
      D65 4932 -835 141 -4878 11868 3437 -1138 1961 7067 | rawspeed [RawTherapee]
      black 0:256 | rawspeed
      white 0:62914 | rawspeed
      crop 56 104 -56 0 | rawspeed
    Hasselblad | CFV-100c | 2024 | 3FR
      also CFV 100C
      D65 6468 -1899 -545 -4526 12267 2542 -388 1276 6096 | rawspeed
      black 0:4267 | rawspeed
      white 0:65535 | rawspeed
      crop 136 106 -118 0 | rawspeed
    Hasselblad | X1D II 50C | 2019 | 3FR
      D65 5002 -878 111 -4856 11929 3338 -1183 2041 7022 | rawspeed
      black 0:256 | rawspeed
      white 0:62914 | rawspeed
      crop 56 104 -60 0 | rawspeed
    Hasselblad | X2D 100C | 2022 | 3FR
      D65 6468 -1899 -545 -4526 12267 2542 -388 1276 6096 | rawspeed
      black 0:4267 | rawspeed
      white 0:65535 | rawspeed
      crop 136 106 -118 0 | rawspeed
    Hasselblad | X2D II 100C | 2025 | 3FR
    Huawei | Honor20 | 2019 | DNG
    Huawei | Honor 20 Pro | 2019 | DNG
      also YAL-L41
    Huawei | Honor View 20 | 2019 | DNG
      also PCT-L29
    Huawei | Mate20 Lite | 2018 | DNG
      also SNE-LX1
    Huawei | P20 Lite | 2018 | DNG
      also ANE-LX1
    Huawei | P30 Pro | 2019 | DNG
      also VOG-L29
    Kandao | QooCam 8K | 2019 | DNG
    Leica | D-Lux 8 | 2024 | DNG
    Leica | M10 Monochrom | 2020 | DNG | mono
    Leica | M10-R | 2020 | DNG
    Leica | M11 | 2022 | DNG
    Leica | M11 Monochrom | 2023 | DNG | mono
    Leica | M11-D | 2024 | DNG
    Leica | M11-P | 2023 | DNG
    Leica | M EV1 | 2025 | DNG
    Leica | Q2 | 2019 | DNG
    Leica | Q2 Monochrom | 2020 | DNG | mono
      also Q2 MONO
    Leica | Q3 | 2023 | DNG
    Leica | Q3 43 | 2024 | DNG
    Leica | Q3 Monochrom | 2025 | DNG | mono
      also Q3 MONO
    Leica | S3 | 2020 | DNG
    Leica | SL2 | 2019 | DNG
    Leica | SL2-S | 2020 | DNG
    Leica | SL3 | 2024 | DNG
    Leica | SL3-S | 2025 | DNG
    Leica | V-Lux 5 | 2019 | RWL
      D65 9803 -4185 -992 -4066 12578 1628 -838 1824 5288 | rawspeed [RawTherapee]
      black 0:143 | rawspeed
      white 0:4095 | rawspeed
    LG | G5 | 2016 | DNG
      also H850
    Nikon | Coolpix A1000 | 2019 | NEF
      D65 10601 -3487 -1127 -2931 11443 1676 -587 1740 5278 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:0 | rawspeed
      white 0:3890 | rawspeed
    Nikon | Coolpix P950 | 2020 | NEF
      D65 13307 -5641 -1290 -2048 10581 1689 -64 1222 5176 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:200 | rawspeed
      white 0:3994/4093/3963 200:3993/4092/3962 400:3992/4091/3961 800:3996/4095/3965 | RawTherapee
    Nikon | Coolpix P1100 | 2025 | NEF
      D65 14294 -6116 -1333 -1628 10219 1637 -14 1158 5022 | rawspeed
      black 0:200 | rawspeed
      white 0:4095 | rawspeed
    Nikon | D6 | 2020 | NEF
      D65 9028 -3423 -1035 -6321 14265 2217 -1013 1683 6928 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      black 0:1008 | rawspeed
      white 0:15520 | rawspeed
    Nikon | D780 | 2020 | NEF
      D65 9943 -3269 -839 -5323 13269 2259 -1198 2083 7557 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      A 11395 -5115 263 -4486 12207 2568 -450 1207 8802 | dnglab, row of Z 6 II
      black 0:251 | rawspeed
      white 0:3880 | rawspeed
    Nikon | Z 5 | 2020 | NEF
      D65 8695 -2558 -648 -5015 12711 2575 -1279 2215 7514 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, LibRaw 0.21]
      A 10236 -4532 397 -3403 10623 3223 -242 968 8530 | dnglab
      black 0:1008 | rawspeed
      white 0:15520 | rawspeed
    Nikon | Z 5 II | 2025 | NEF | he
      also Z5_2; Z 5_2
      D65 13133 -5542 -1280 -4325 12543 1972 34 792 7662 | rawspeed [dnglab]
      A 12583 -6925 1406 -3319 10489 3286 -88 801 8495 | dnglab
      black 0:1008 | rawspeed
      white 0:15892 | rawspeed
    Nikon | Z 6 II | 2020 | NEF
      also Z 6_2; Z6_2
      D65 9943 -3269 -839 -5323 13269 2259 -1198 2083 7557 | rawspeed [LibRaw 0.22, dnglab, LibRaw
        0.21]
      A 11395 -5115 263 -4486 12207 2568 -450 1207 8802 | dnglab
      black 0:1008 | rawspeed
      white 0:15520 | rawspeed
    Nikon | Z 6 III | 2024 | NEF | he
      also Z6_3; Z 6_3
      D65 11206 -4286 -941 -4879 12847 2251 -745 1654 7374 | LibRaw 0.22 [rawspeed, dnglab]
      A 13528 -7602 739 -4587 12543 2280 -273 880 8666 | dnglab
      black 0:1008 | rawspeed
      white 0:15892 | rawspeed
    Nikon | Z 7 II | 2020 | NEF
      also Z 7_2; Z7_2
      D65 13705 -6004 -1400 -5464 13568 2062 -940 1706 7618 | rawspeed [LibRaw 0.22, LibRaw 0.21]
      black 0:1008 | rawspeed
      white 0:15520 | rawspeed
    Nikon | Z 8 | 2023 | NEF | he
      D65 11423 -4564 -1123 -4816 12895 2119 -210 1061 7282 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw]
      A 13998 -8092 284 -4723 12772 2159 -164 624 8674 | dnglab
      black 0:1008 | rawspeed
      white 0:15892 | rawspeed
    Nikon | Z 9 | 2021 | NEF | he
      D65 13389 -6049 -1441 -4544 12757 1969 229 498 7390 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, RawTherapee, LibRaw 0.21]
      A 14555 -8995 329 -3898 11249 3042 18 402 8473 | dnglab
      black 0:1008 | rawspeed
      white 0:15892 | rawspeed
      crop 0 0 -12 0 | rawspeed
    Nikon | Z 30 | 2022 | NEF
      D65 10339 -3822 -890 -4183 12023 2436 -671 1638 7049 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw]
      black 0:251 | rawspeed
      white 0:3972 | rawspeed
    Nikon | Z 50 | 2019 | NEF
      D65 11640 -4829 -1079 -5107 13006 2325 -972 1711 7380 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      A 13247 -7357 658 -4296 12270 2269 -237 800 7992 | dnglab, row of Z 50 II
      black 0:251 | rawspeed
      white 0:16374 126:16371 159:16367 251:16364 318:16360 400:16366 503:16364 636:16362
        800:16358 1006:16349 1273:16345 1600:16337 2011:16327 2546:16313 3200:16298 4022:16278
        5091:16253 6400:16223 8045:16186 10183:16139 12800:16082 16090:16013 20366:15924
        25600:15818 32180:15687 40731:15521 51200:15321 102400:14388 204800:12633 | RawTherapee
    Nikon | Z 50 II | 2024 | NEF | he
      also Z50_2; Z 50_2
      D65 11640 -4829 -1079 -5107 13006 2325 -972 1711 7380 | rawspeed [dnglab]
      A 13247 -7357 658 -4296 12270 2269 -237 800 7992 | dnglab
      black 0:1008 | rawspeed
      white 0:15892 | rawspeed
    Nikon | Z f | 2023 | NEF | he
      D65 11607 -4491 -977 -4522 12460 2304 -458 1519 7616 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee]
      A 13904 -7947 654 -4320 12105 2497 -235 830 9243 | dnglab
      black 0:1008 | rawspeed
      white 0:15892 | rawspeed
    Nikon | Z fc | 2021 | NEF
      D65 11640 -4829 -1079 -5107 13006 2325 -972 1711 7380 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, RawTherapee, LibRaw 0.21]
      A 13247 -7357 658 -4296 12270 2269 -237 800 7992 | dnglab, row of Z 50 II
      black 0:1008 | rawspeed
      white 0:16374 126:16371 159:16367 251:16364 318:16360 400:16366 503:16364 636:16362
        800:16358 1006:16349 1273:16345 1600:16337 2011:16327 2546:16313 3200:16298 4022:16278
        5091:16253 6400:16223 8045:16186 10183:16139 12800:16082 16090:16013 20366:15924
        25600:15818 32180:15687 40731:15521 51200:15321 102400:14388 204800:12633 | RawTherapee
    Nikon | ZR | 2025 | NEF | he
      also Z R
      D65 11206 -4286 -941 -4879 12847 2251 -745 1654 7374 | dnglab
      A 13528 -7602 739 -4587 12543 2280 -273 880 8666 | dnglab, row of Z 6 III
      white 0:15892 | dnglab
    Nokia | 8.3 5G | 2020 | DNG
    Nokia | 9 | 2019 | DNG
    Olympus | E-M1 Mark III | 2020 | ORF
      also E-M1MarkIII
      D65 11896 -5110 -1076 -3181 11378 2048 -519 1224 5166 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:256 | rawspeed
      white 0:4000 | rawspeed
      crop 0 0 -32 0 | rawspeed
    Olympus | E-M1X | 2019 | ORF
      D65 11896 -5110 -1076 -3181 11378 2048 -519 1224 5166 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:252 | rawspeed
      white 0:4000 | rawspeed
      crop 0 0 10388 0 | RawTherapee
    Olympus | E-M5 Mark III | 2019 | ORF
      also E-M5MarkIII
      D65 11896 -5110 -1076 -3181 11378 2048 -519 1224 5166 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:257 | rawspeed
      white 0:4000 | rawspeed
    Olympus | E-M10 Mark IV | 2020 | ORF
      also E-M10MarkIV; E-M10 Mark IIII
      D65 9476 -3182 -765 -2613 10958 1893 -449 1315 5268 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21]
      black 0:254 | rawspeed
      white 0:4000 | RawTherapee
    Olympus | E-P7 | 2021 | ORF
      D65 9476 -3182 -765 -2613 10958 1893 -449 1315 5268 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21]
      black 0:255 | rawspeed
      white 0:4000 | rawspeed
    Olympus | E-PL10 | 2019 | ORF
      D65 9197 -3190 -659 -2606 10830 2039 -458 1250 5458 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:253 | rawspeed
      white 0:4000 | rawspeed
      crop 8 8 -24 -8 | rawspeed
    Olympus | TG-6 | 2019 | ORF
      D65 10899 -3833 -1082 -2112 10736 1575 -267 1452 5269 | rawspeed [LibRaw 0.22, RawTherapee,
        LibRaw 0.21, LibRaw 0.20]
      black 0:257 | rawspeed
      white 0:4000 | rawspeed
      crop 0 0 -24 0 | RawTherapee
    Olympus | TG-7 | 2023 | ORF
      D65 10899 -3833 -1082 -2112 10736 1575 -267 1452 5269 | rawspeed [LibRaw 0.22, RawTherapee]
      black 0:257 | rawspeed
      white 0:4000 | rawspeed
      crop 0 0 -24 0 | RawTherapee
    OM Digital Solutions | OM-1 | 2022 | ORF | orf14
      D65 9488 -3984 -714 -2887 10945 2229 -137 960 5786 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21]
      black 0:254 | rawspeed
      white 0:4095 | RawTherapee
      crop 0 0 10390 7792 of 10400 7792 | RawTherapee
      crop 0 0 8172 6132 of 8180 6132 | RawTherapee
      crop 0 0 5220 3912 of 5220 3912 | RawTherapee
    OM Digital Solutions | OM-1 Mark II | 2024 | ORF | orf14
      also OM-1MarkII
      D65 9090 -3591 -756 -3252 11396 2109 -318 1059 5606 | rawspeed
      black 0:254 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -12 0 | rawspeed
    OM Digital Solutions | OM-3 | 2025 | ORF | orf14
      D65 9090 -3591 -756 -3252 11396 2109 -318 1059 5606 | rawspeed
      black 0:254 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -12 0 | rawspeed
    OM Digital Solutions | OM-5 | 2022 | ORF
      D65 11896 -5110 -1076 -3181 11378 2048 -519 1224 5166 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee]
      black 0:256 | rawspeed
      white 0:3825 | RawTherapee
      crop 0 0 8172 6132 of 8200 6132 | RawTherapee
      crop 0 0 5240 3912 of 5240 3912 | RawTherapee
      crop 0 0 10390 7792 of 10400 7792 | RawTherapee
    OM Digital Solutions | OM-5 Mark II | 2025 | ORF
      also OM-5MarkII
      D65 12008 -5230 -1123 -2265 10496 2046 69 734 4938 | rawspeed
      black 0:254 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -30 0 | rawspeed
    OnePlus | 6 | 2018 | DNG
      also A6003
    OnePlus | 7 Pro | 2019 | DNG
      also GM1913
    OnePlus | 8 Pro | 2020 | DNG
      also IN2023
    Panasonic | DC-FZ80D | 2024 | RW2
      also DC-FZ82D; DC-FZ83D; DC-FZ85D
      D65 8550 -2908 -842 -3195 11529 1881 -338 1603 4631 | rawspeed
      black 0:143 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -128 0 | rawspeed
    Panasonic | DC-FZ1000M2 | 2019 | RW2
      also DC-FZ1000 II; DC-FZ10002
      D65 9803 -4185 -992 -4066 12578 1628 -838 1824 5288 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      black 0:143 | rawspeed
      white 0:4095 | rawspeed
    Panasonic | DC-G9M2 | 2023 | RW2
      also DC-G9 II; DC-G9 Mark II
      D65 8325 -3456 -623 -4330 12089 2528 -860 2646 5984 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw]
      A 9611 -5821 792 -3241 10382 3325 -220 1513 7211 | dnglab
      black 0:2048 | rawspeed
      white 0:65535 | rawspeed
    Panasonic | DC-G95 | 2019 | RW2
      also DC-G90; DC-G91; DC-G99
      D65 9657 -3963 -748 -3361 11378 2258 -568 1415 5158 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:144 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -66 0 | rawspeed
    Panasonic | DC-G97 | 2025 | RW2
      also DC-G99M2
      D65 9657 -3963 -748 -3361 11378 2258 -568 1415 5158 | rawspeed
      black 0:144 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -66 0 | rawspeed
    Panasonic | DC-G100 | 2020 | RW2
      also DC-G110
      D65 8370 -2869 -710 -3389 11372 2298 -640 1599 4887 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21]
      black 0:144 | rawspeed
      white 0:4095 1600:4050 2000:4040 2500:4025 3200:4010 4000:4000 5000:4095 | RawTherapee
      crop 0 0 -64 0 | rawspeed
    Panasonic | DC-G100D | 2024 | RW2
      also DC-G110D
      D65 8370 -2869 -710 -3389 11372 2298 -640 1599 4887 | rawspeed
      black 0:144 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -64 0 | rawspeed
    Panasonic | DC-GH5M2 | 2021 | RW2
      also DC-GH5 II; DC-GH5 Mark II
      D65 9300 -3659 -755 -2981 10988 2287 -190 1077 5016 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21]
      black 0:129 | rawspeed
      white 0:4088 | rawspeed
      crop 0 0 -56 0 | rawspeed
    Panasonic | DC-GH6 | 2022 | RW2
      D65 7949 -3491 -710 -3435 11681 1977 -503 1622 5065 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw]
      A 9619 -6021 569 -2909 10935 2266 -149 883 6246 | dnglab
      black 0:2048 | rawspeed
      white 0:65535 | rawspeed
    Panasonic | DC-GH7 | 2024 | RW2
      D65 8573 -3575 -678 -4252 12079 2451 -808 2524 5936 | LibRaw 0.22 [rawspeed]
      black 0:2048 | rawspeed
      white 0:65535 | rawspeed
    Panasonic | DC-GX880 | 2019 | RW2
      also DC-GF10; DC-GF90
      D65 7610 -2780 -576 -4614 12195 2733 -1375 2393 6490 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:143 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 4600 0 | RawTherapee
    Panasonic | DC-S1 | 2019 | RW2
      D65 9744 -3905 -779 -4899 12807 2324 -798 1630 5827 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      A 11598 -6406 627 -4876 13241 1770 -306 922 6741 | dnglab, row of DC-S5
      black 0:511 | rawspeed
      white 0:8400 64:10450 80:13050 100:16320 | RawTherapee
      crop 0 0 -50 0 | rawspeed
    Panasonic | DC-S1H | 2019 | RW2
      D65 9397 -3719 -805 -5425 13326 2309 -972 1715 6034 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      black 0:510 | rawspeed
      white 0:16380 | rawspeed
      crop 0 0 -50 0 | rawspeed
    Panasonic | DC-S1M2 | 2025 | RW2
      also DC-S1 II
      D65 10730 -4442 -922 -4478 12504 2199 -380 1198 6039 | rawspeed [dnglab]
      A 12797 -7594 829 -4643 12619 2252 -237 684 7487 | dnglab
      black 0:512 | rawspeed
      white 0:16380 | rawspeed
    Panasonic | DC-S1M2ES | 2025 | RW2
      also DC-S1 IIE
      D65 11333 -4794 -1062 -3912 12027 2115 42 784 5904 | rawspeed
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
    Panasonic | DC-S1R | 2019 | RW2
      D65 11822 -5321 -1249 -5958 15114 766 -614 1264 7043 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      black 0:510 | rawspeed
      white 0:9500 64:11600 100:16336 | RawTherapee
      crop 0 0 -58 0 | rawspeed
    Panasonic | DC-S1RM2 | 2025 | RW2
      also DC-S1R II
      D65 9941 -4056 -871 -3745 11604 2433 -254 1132 5526 | rawspeed [dnglab]
      A 11913 -6990 497 -3422 11123 2638 -144 722 6537 | dnglab
      black 0:512 | rawspeed
      white 0:16380 | rawspeed
    Panasonic | DC-S5 | 2020 | RW2
      D65 9744 -3905 -779 -4899 12807 2324 -798 1630 5827 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, RawTherapee, LibRaw 0.21]
      A 11598 -6406 627 -4876 13241 1770 -306 922 6741 | dnglab
      black 0:509 | rawspeed
      white 0:16380 | rawspeed
      crop 0 0 -50 0 | rawspeed
    Panasonic | DC-S5M2 | 2023 | RW2
      also DC-S5 II; DC-S5 MkII
      D65 10308 -4206 -783 -4088 12102 2229 -125 1051 5912 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw]
      A 13022 -8170 1348 -3478 10901 2974 31 471 7057 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
    Panasonic | DC-S5M2X | 2023 | RW2
      also DC-S5 IIX
      D65 10308 -4206 -783 -4088 12102 2229 -125 1051 5912 | rawspeed
      A 13022 -8170 1348 -3478 10901 2974 31 471 7057 | dnglab, row of DC-S5M2
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
    Panasonic | DC-S9 | 2024 | RW2
      D65 9983 -3890 -841 -4180 12164 2263 -249 1139 5766 | LibRaw 0.22 [rawspeed]
      black 0:128 | rawspeed
      white 0:4095 | rawspeed
    Panasonic | DC-TZ99 | 2025 | RW2
      also DC-ZS99
      D65 12194 -5340 -1329 -3035 11394 1858 -50 1418 5219 | rawspeed
      black 0:142 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -66 0 | rawspeed
    Panasonic | DC-ZS80 | 2019 | RW2
      also DC-TZ95; DC-TZ96; DC-TZ97
      D65 12194 -5340 -1329 -3035 11394 1858 -50 1418 5219 | LibRaw 0.22 [rawspeed, RawTherapee,
        LibRaw 0.21, LibRaw 0.20]
      black 0:142 | rawspeed
      white 0:4095 | rawspeed
      crop 0 0 -66 0 | rawspeed
    Panasonic | DC-ZS200D | 2024 | RW2
      also DC-ZS220D; DC-TZ200D; DC-TZ202D; DC-TZ220D; DC-TX2D
      D65 7790 -2736 -755 -3452 11870 1769 -628 1647 4898 | rawspeed [LibRaw 0.22]
      black 0:142 | rawspeed
      white 0:4095 | rawspeed
    Pentax | K-3 Mark III | 2021 | PEF
      also K-3 III
      D65 9251 -3817 -1069 -4627 12667 2175 -798 1660 5633 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21]
      black 0:64 | rawspeed
      white 0:16315 | rawspeed
      crop 24 34 -28 -14 | RawTherapee
    Pentax | K-3 Mark III Monochrome | 2023 | PEF | mono
      black 0:64 | rawspeed
      white 0:16315 | rawspeed
      crop 26 34 -28 -14 | rawspeed
    Pentax | KF | 2022 | PEF
      D65 8766 -3149 -747 -3976 11943 2292 -517 1259 5552 | LibRaw 0.22
      black 0:64 | rawspeed
      white 0:16319 | rawspeed
      crop 62 30 0 -14 | rawspeed
    Phase One | IQ4 150MP | 2019 | IIQ
      D65 6644 -2257 -804 -6459 14562 2019 -1221 1876 6411 | LibRaw 0.22 [LibRaw 0.21, LibRaw 0.20]
    Phase One | IQ4 150MP Achromatic | 2019 | IIQ | mono
    RaspberryPi | HQ Camera | 2020 | DNG
    Ricoh | GR III | 2019 | DNG
    Ricoh | GR III HDF | 2024 | DNG
    Ricoh | GR IIIx | 2021 | DNG
    Ricoh | GR IIIx HDF | 2024 | DNG
    Ricoh | GR IV | 2025 | DNG
    Samsung | Galaxy S10 | 2019 | DNG
      also SM-G973F
    Samsung | Galaxy S10+ | 2019 | DNG
      also SM-G975U
    Samsung | Galaxy S22 Ultra | 2022 | DNG
      also SM-S908B
    Samsung | Galaxy S23 Ultra | 2023 | DNG
      also SM-S918B
    Samsung | Galaxy S23+ | 2023 | DNG
      also SM-S916B
    Samsung | Galaxy S24 Ultra | 2024 | DNG
      also SM-S928B
    Samsung | Galaxy S25 Ultra | 2025 | DNG
      also SM-S938B
    Sigma | BF | 2025 | DNG
    Sigma | fp | 2019 | DNG
    Sigma | fp L | 2021 | DNG
    Skydio | 2+ | 2022 | DNG
    Sony | DSC-RX0M2 | 2019 | ARW
      also RX0 II
      D65 9396 -3507 -843 -2497 11111 1572 -343 1355 5089 | rawspeed [LibRaw 0.22, RawTherapee,
        LibRaw 0.21, LibRaw 0.20]
      black 0:800 | rawspeed
      white 0:16300 | rawspeed
      crop 0 0 -8 0 | RawTherapee
    Sony | DSC-RX1RM3 | 2025 | ARW | ljpeg
      also RX1R III
      D65 9034 -3490 -777 -4004 11841 2448 -484 1352 5552 | rawspeed
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -32 0 | rawspeed
    Sony | DSC-RX100M7 | 2019 | ARW
      also RX100 VII; DSC-RX100 VII
      D65 10315 -4390 -937 -4859 12734 2365 -734 1537 5997 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21, LibRaw 0.20]
      black 0:800 | rawspeed
      white 0:16300 | RawTherapee
      crop 0 0 -12 0 | rawspeed
    Sony | ILCE-1 | 2021 | ARW | ljpeg
      also A1
      D65 8161 -2947 -739 -4811 12668 2389 -437 1229 6524 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, RawTherapee, LibRaw 0.21]
      A 8933 -4409 200 -4637 12364 2554 -304 803 7616 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -8 0 | rawspeed
    Sony | ILCE-1M2 | 2024 | ARW | ljpeg
      also A1 II
      D65 10058 -4074 -932 -4777 12731 2274 -544 1282 6102 | rawspeed [dnglab]
      A 12010 -6965 665 -4276 12077 2480 -167 625 7188 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -8 0 | rawspeed
    Sony | ILCE-7C | 2020 | ARW
      also A7C
      D65 7374 -2389 -551 -5435 13162 2519 -1006 1795 6552 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, RawTherapee, LibRaw 0.21]
      A 8664 -4056 403 -4565 12378 2453 -301 889 7157 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
    Sony | ILCE-7CM2 | 2023 | ARW | ljpeg
      also A7C II
      D65 7460 -2365 -588 -5687 13442 2474 -624 1156 6584 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw]
      A 8784 -4791 1177 -3468 10693 3213 9 507 7395 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -8 0 | rawspeed
    Sony | ILCE-7CR | 2023 | ARW | ljpeg
      also A7CR
      D65 8200 -2976 -719 -4296 12053 2532 -429 1282 5774 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee]
      A 9185 -4857 505 -3651 11061 2982 -161 698 6769 | dnglab, row of ILCE-7RM5
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 4 3 19128 12749 of 19200 12752 | RawTherapee
      crop 0 0 9564 6374 | RawTherapee
    Sony | ILCE-7M4 | 2021 | ARW | ljpeg
      also A7 IV
      D65 7460 -2365 -588 -5687 13442 2474 -624 1156 6584 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21]
      A 8784 -4791 1177 -3468 10693 3213 9 507 7395 | dnglab, row of ILCE-7CM2
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -10 0 | RawTherapee
    Sony | ILCE-7M5 | 2025 | ARW | arw6, ljpeg
      also A7 V
      D65 9089 -3577 -787 -3563 11326 2557 -114 928 5904 | dnglab
      A 11168 -6826 991 -3276 10617 3080 -50 460 7113 | dnglab
    Sony | ILCE-7RM3A | 2021 | ARW
      also A7R IIIA
      D65 6640 -1847 -503 -5238 13010 2474 -993 1673 6527 | rawspeed [LibRaw 0.22, LibRaw 0.21]
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -20 0 | rawspeed
    Sony | ILCE-7RM4 | 2019 | ARW
      also A7R IV
      D65 7662 -2686 -660 -5240 12965 2530 -796 1508 6167 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -32 0 | RawTherapee
    Sony | ILCE-7RM4A | 2021 | ARW
      also A7R IVA
      D65 7662 -2686 -660 -5240 12965 2530 -796 1508 6167 | rawspeed [LibRaw 0.22, LibRaw 0.21]
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -32 0 | rawspeed
    Sony | ILCE-7RM5 | 2022 | ARW | ljpeg
      also A7R V
      D65 8200 -2976 -719 -4296 12053 2532 -429 1282 5774 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, RawTherapee]
      A 9185 -4857 505 -3651 11061 2982 -161 698 6769 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 4 3 19128 12749 of 19200 12752 | RawTherapee
      crop 0 0 9564 6374 | RawTherapee
    Sony | ILCE-7RM6 | 2026 | ARW | arw6, ljpeg
      also A7R VI
      D65 11765 -5595 -1192 -3689 11507 2485 51 681 5731 | dnglab
      A 11263 -7003 1490 -2636 9664 3487 148 267 6591 | dnglab
    Sony | ILCE-7SM3 | 2020 | ARW | ljpeg
      also A7S III
      D65 6912 -2127 -469 -4470 12175 2587 -398 1478 6492 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, LibRaw 0.21]
      A 7785 -3873 752 -3670 10738 3395 -209 881 7520 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -24 0 | rawspeed
    Sony | ILCE-9M2 | 2019 | ARW
      also A9 II
      D65 6389 -1703 -378 -4562 12265 2587 -670 1489 6550 | rawspeed [LibRaw 0.22, RawTherapee,
        LibRaw 0.21, LibRaw 0.20]
      A 6886 -2314 -94 -5285 12967 2580 -681 1290 7468 | dnglab, row of ILCE-9M3
      black 0:512 | rawspeed
      white 0:16300 | RawTherapee
      crop 8 8 6008 4008 | RawTherapee
    Sony | ILCE-9M3 | 2023 | ARW | ljpeg
      also A9 III
      D65 9811 -3908 -752 -3704 11577 2417 -73 950 5980 | LibRaw 0.22 [rawspeed]
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 8 8 6008 4008 | RawTherapee
    Sony | ILCE-6100 | 2019 | ARW
      also A6100
      D65 7657 -2847 -607 -4083 11966 2389 -684 1418 5844 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      black 0:512 | rawspeed
      white 0:16300 | RawTherapee
      crop 0 0 6024 4024 | RawTherapee
    Sony | ILCE-6400 | 2019 | ARW
      also A6400
      D65 7657 -2847 -607 -4083 11966 2389 -684 1418 5844 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      black 0:512 | rawspeed
      white 0:16300 | RawTherapee
      crop 0 0 6024 4024 | RawTherapee
    Sony | ILCE-6600 | 2019 | ARW
      also A6600
      D65 7657 -2847 -607 -4083 11966 2389 -684 1418 5844 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21, LibRaw 0.20]
      black 0:512 | rawspeed
      white 0:16300 | RawTherapee
      crop 0 0 6024 4024 | RawTherapee
    Sony | ILCE-6700 | 2023 | ARW | ljpeg
      also A6700
      D65 6972 -2408 -600 -4330 12101 2515 -388 1277 5847 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw]
      A 7930 -4060 417 -3740 11119 3015 -202 741 6896 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 6244 4168 | RawTherapee
    Sony | ILME-FX2 | 2025 | ARW | ljpeg
      also FX2
      D65 7460 -2365 -588 -5687 13442 2474 -624 1156 6584 | LibRaw 0.22
      A 8784 -4791 1177 -3468 10693 3213 9 507 7395 | dnglab, row of ILCE-7CM2
    Sony | ILME-FX3 | 2021 | ARW | ljpeg
      also FX3
      D65 6912 -2127 -469 -4470 12175 2587 -398 1478 6492 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, LibRaw 0.21]
      A 7785 -3873 752 -3670 10738 3395 -209 881 7520 | dnglab, row of ILCE-7SM3
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -24 0 | rawspeed
    Sony | ILME-FX30 | 2022 | ARW | ljpeg
      also FX30
      D65 6972 -2408 -600 -4330 12101 2515 -388 1277 5847 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw]
      A 7930 -4060 417 -3740 11119 3015 -202 741 6896 | dnglab, row of ILCE-6700
      black 0:512 | rawspeed
      white 0:16380 | rawspeed
      crop 0 0 -28 0 | rawspeed
    Sony | ILX-LR1 | 2023 | ARW | ljpeg
      D65 8200 -2976 -719 -4296 12053 2532 -429 1282 5774 | LibRaw 0.22
      A 9185 -4857 505 -3651 11061 2982 -161 698 6769 | dnglab, row of ILCE-7RM5
    Sony | Xperia 1 | 2019 | DNG
    Sony | Xperia 1 III | 2021 | DNG
    Sony | Xperia 1 IV | 2022 | DNG
      also XQ-CT54
    Sony | Xperia 5 II | 2020 | DNG
      also XQ-AS52
    Sony | ZV-1 | 2020 | ARW
      also DCZV1; DCZV1B
      D65 8280 -2987 -703 -3531 11645 2133 -550 1542 5312 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw, RawTherapee, LibRaw 0.21]
      black 0:800 | rawspeed
      white 0:16300 | rawspeed
      crop 0 0 5496 3672 | RawTherapee
    Sony | ZV-1M2 | 2023 | ARW
      also ZV-1 II
      D65 8280 -2987 -703 -3531 11645 2133 -550 1542 5312 | rawspeed [LibRaw 0.22]
      black 0:800 | rawspeed
      white 0:16300 | rawspeed
      crop 0 0 -8 0 | rawspeed
    Sony | ZV-E1 | 2023 | ARW | ljpeg
      D65 6912 -2127 -469 -4470 12175 2587 -398 1478 6492 | LibRaw 0.22 [rawspeed, RawTherapee
        dcraw]
      A 7785 -3873 752 -3670 10738 3395 -209 881 7520 | dnglab, row of ILCE-7SM3
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -24 0 | rawspeed
    Sony | ZV-E10 | 2021 | ARW
      D65 6355 -2067 -490 -3653 11542 2400 -406 1258 5506 | LibRaw 0.22 [rawspeed, dnglab,
        RawTherapee dcraw, LibRaw 0.21]
      A 7565 -4028 657 -3254 10746 2898 -140 571 6635 | dnglab
      black 0:512 | rawspeed
      white 0:16383 | rawspeed
      crop 0 0 -22 0 | rawspeed
    Sony | ZV-E10M2 | 2024 | ARW | ljpeg
      also ZV-E10 II
      D65 6972 -2408 -600 -4330 12101 2515 -388 1277 5847 | LibRaw 0.22 [rawspeed]
      A 7930 -4060 417 -3740 11119 3015 -202 741 6896 | dnglab, row of ILCE-6700
      black 0:512 | rawspeed
      white 0:16380 | rawspeed
      crop 0 0 -28 0 | rawspeed
    Vivo | X51 5G | 2020 | DNG
      also V2006
    Xiaomi | 12S Ultra | 2022 | DNG
      also 2203121C
    Xiaomi | 13 Pro | 2022 | DNG
      also 2210132G
    Xiaomi | FIMI X8SE | 2020 | DNG
    Xiaomi | MI 8 | 2018 | DNG
    Xiaomi | MI 9 Lite | 2019 | DNG
    Xiaomi | MI MAX | 2016 | DNG
    Xiaomi | POCO M3 | 2020 | DNG
    Xiaomi | RedMi Note7 | 2019 | DNG
    Xiaomi | RedMi Note 8T | 2019 | DNG
    Zeiss | ZX1 | 2018 | DNG
    """
}
