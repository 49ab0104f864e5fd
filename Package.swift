// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Whether this is a checkout made for another package. There flags are refused.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// Whether the build is for use, not for work on this package: all of it is optimized, and nothing
/// is kept for tests. Scripts/package says so.
let isForUse = isDependency || Context.environment["RAWDEV_FOR_USE"] == "1"

/// Flags of a release build for work on this package.
func workFlags(_ flags: String...) -> [SwiftSetting] {
  isForUse ? [] : [.unsafeFlags(flags, .when(configuration: .release))]
}

/// A warning ends a build for work on this package, since the compiler prints it only when it
/// compiles that file: a build of what changed says nothing of those before. Compilers that came
/// later may warn of more, and the libraries of a machine may call a function deprecated.
#if compiler(<6.4)
  let strictness: [SwiftSetting] =
    isForUse
    ? []
    : [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)]
#else
  let strictness: [SwiftSetting] = []
#endif

/// Settings of every Swift target of this package. The program and its tests are built once, so
/// tests see the internals of what they test.
let house: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + strictness + workFlags("-enable-testing")

/// Targets whose unsafe expressions are all marked.
let safe = house + [.strictMemorySafety()]

/// For targets without loops over pixels: not optimized for work on this package. Optimizing takes
/// nearly all the time of a build (Docs/building.md).
let plain = safe + workFlags("-Onone")

/// For tests, likewise, but those that simulate sensors or scenes.
let testing = house + workFlags("-Onone")

/// Flags of a debug build; a dependency does without them.
func debugFlags(_ flags: String...) -> [SwiftSetting] {
  isDependency ? [] : [.unsafeFlags(flags, .when(configuration: .debug))]
}

/// For targets whose loops run over pixels: optimized in debug builds, too, with assertions kept,
/// so that the program is usable and bounds of rows are checked. As a whole, because kernels call
/// functions of other files: a change compiles the whole target anew.
let optimized = debugFlags(
  "-O", "-assert-config", "Debug", "-whole-module-optimization", "-num-threads", "4",
  "-disable-batch-mode")

/// The same for loops in C.
let optimizedC: [CSetting] =
  isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))]

/// Swift's runtime and Foundation inside the program, optimized on Linux: loading them takes longer
/// than all else that a program does before its first line.
let staticRuntime: [SwiftSetting] =
  isDependency
  ? []
  : [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))]
let staticRuntimeLinked: [LinkerSetting] =
  isDependency
  ? []
  : [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))]

/// One C library of the system: found by pkg-config, named for apt and Homebrew when missing.
func system(
  _ name: String, _ pkgConfig: String?, apt: String, brew: String, path: String? = nil
) -> Target {
  .systemLibrary(
    name: name, path: path, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// Whether the LibRaw that Scripts/libraw builds is linked, where the system's is older.
let hasOwnLibRaw =
  Context.environment["RAWDEV_LIBRAW"] != "system"
  && FileManager.default.fileExists(atPath: "/usr/local/lib/pkgconfig/rawdev-libraw.pc")

/// Whether what only `Scripts/test --full` needs is built, too: programs that show what a product
/// links, examples, the tests of the page's server.
let isFull = Context.environment["RAWDEV_FULL"] == "1"

/// The libraries for other packages, cut by who uses them, with the modules that each is there for
/// (ARCHITECTURE.md, Products).
let libraries: [(product: String, modules: [String])] = [
  ("Rawdev", ["Rawdev"]),
  ("RawFilter", ["RawFilter", "BracketMerge"]),
  (
    "RawdevPixels",
    ["ImageCore", "Containers", "HDRRender", "ImageFilters", "DisplayOutput", "Formats"]
  ),
  ("RawdevRecipes", ["Recipes", "Develop", "Remux", "Tuning"]),
  ("RawdevBatch", ["Batch"]),
  // HEIF by libx265: a program that links this is under the GPL as a whole.
  ("RawdevX265", ["X265Writers"]),
]

/// A program for each product that only imports it: what it links is judged by the acceptance
/// tests.
let linkClosure: [Target] = libraries.map { library in
  .executableTarget(
    name: "link-" + library.product, dependencies: library.modules.map { .target(name: $0) },
    path: "Tests/LinkClosure/" + library.product, swiftSettings: house)
}

/// Examples are as strict about imports as any package may be.
let imported: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

/// C libraries of the system. Nothing but the module that owns the handles imports them.
let systemLibraries: [Target] = [
  // In a folder of its own for each library: what clang keeps of headers goes by it alone.
  system(
    "CLibRaw", hasOwnLibRaw ? "rawdev-libraw" : "libraw_r", apt: "libraw-dev", brew: "libraw",
    path: hasOwnLibRaw ? "Sources/CLibRaw/Linked" : "Sources/CLibRaw/System"),
  system("CDE265", "libde265", apt: "libde265-dev", brew: "libde265"),
  system("CDav1d", "dav1d", apt: "libdav1d-dev", brew: "dav1d"),
  // An independent reader of what is written, for tests only: Debian's links libx265.
  system("CLibHEIF", "libheif", apt: "libheif-dev", brew: "libheif"),
  system("CLCMS2", "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
  system("CTIFF", "libtiff-4", apt: "libtiff-dev", brew: "libtiff"),
  system("CX265", "x265", apt: "libx265-dev", brew: "x265"),
  system("CAOM", "aom", apt: "libaom-dev", brew: "aom"),
  system("CLibDeflate", "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
  system("CZstd", "libzstd", apt: "libzstd-dev", brew: "zstd"),
  system("CTurboJPEG", "libturbojpeg", apt: "libturbojpeg0-dev", brew: "jpeg-turbo"),
  system("CXXHash", "libxxhash", apt: "libxxhash-dev", brew: "xxhash"),
  // An independent digest, for tests only.
  system("CCrypto", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
  // Not linked: see its header.
  system("CJXL", nil, apt: "libjxl-dev", brew: "jpeg-xl"),
  system("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
  // Its pkg-config file asks for the C++ library too, of which only the core in C is linked.
  system("CEXR", nil, apt: "libopenexr-dev", brew: "openexr"),
  system("CWebP", "libwebp", apt: "libwebp-dev", brew: "webp"),
  // Its pkg-config file asks for that of GLib, which it does not need to be linked.
  system("CLensfun", nil, apt: "liblensfun-dev", brew: "lensfun"),
  // What differs between Linux and macOS.
  .systemLibrary(name: "CPOSIX"),
  // Mapped files whose loss ends no process.
  .target(name: "CMappedFile"),
  // Rights that a process gives up.
  .target(name: "CConfinement"),
  // Vector operations that Swift 6.3 does not emit as one instruction; inlined, header only.
  .target(name: "CVector"),
  // The hot loops, for each set of instructions, chosen at run time.
  .target(name: "CKernels", dependencies: ["CVector"], cSettings: optimizedC),
]

/// The library, from pixels to folders of files, and the program.
let modules: [Target] = [
  .target(
    name: "ImageCore", dependencies: ["CKernels", "CPOSIX"], swiftSettings: house + optimized),
  // What files hold besides pixels: TIFF, JPEG, ISO base media, XMP, as structures of bytes.
  .target(
    name: "Containers", dependencies: ["ImageCore", "CKernels", "CMappedFile"],
    swiftSettings: plain),
  // The only owners of libraries that decode and encode pieces of files.
  .target(
    name: "Codecs",
    dependencies: [
      "ImageCore", "Containers", "CTurboJPEG", "CJXL", "CLibDeflate", "CZstd", "CPNG", "CLCMS2",
      "CDE265", "CDav1d",
    ],
    swiftSettings: safe),
  // The owner of libtiff, which raws do not need: pixels of TIFF files.
  .target(
    name: "TIFFCodec", dependencies: ["ImageCore", "Containers", "Codecs", "CTIFF"],
    swiftSettings: safe),
  // The owner of libaom, which raws do not need: AV1 checked and encoded.
  .target(
    name: "AV1Codec", dependencies: ["ImageCore", "Containers", "Codecs", "CAOM"],
    swiftSettings: safe),
  // The owner of OpenEXR's core, which raws do not need.
  .target(
    name: "EXRCodec", dependencies: ["ImageCore", "Containers", "Codecs", "CEXR"],
    swiftSettings: safe),
  // The owner of libwebp, which raws do not need.
  .target(
    name: "WebPCodec", dependencies: ["ImageCore", "Containers", "CWebP"], swiftSettings: safe),
  .target(
    name: "HDRRender", dependencies: ["ImageCore", "CVector", "CKernels"],
    swiftSettings: house + optimized),
  // Edits of finished pictures: for convert, compose and programs.
  .target(
    name: "ImageFilters", dependencies: ["ImageCore", "HDRRender", "CVector", "CKernels"],
    swiftSettings: safe + optimized),
  // What a program that shows pictures asks and gets: displays, pixels in their formats.
  .target(
    name: "DisplayOutput", dependencies: ["ImageCore", "HDRRender"],
    swiftSettings: safe + optimized),
  // What decoders give and sensor stages take: samples with their levels, filters, opcode lists.
  .target(name: "RawData", dependencies: ["ImageCore", "Containers"], swiftSettings: safe),
  // Raw files → the samples stored in them, and what the files say of themselves.
  .target(
    name: "RawDecode",
    dependencies: ["ImageCore", "Containers", "Codecs", "RawData", "CKernels", "CLibRaw"],
    swiftSettings: safe),
  // Charts of known colors in pictures, and cameras fitted to them.
  .target(name: "Charts", dependencies: ["ImageCore"], swiftSettings: safe + optimized),
  // Stored samples → camera RGB.
  .target(
    name: "RawSensor",
    dependencies: [
      "ImageCore", "Containers", "RawData", "CVector", "CKernels", "CLensfun", "CPOSIX",
    ],
    swiftSettings: house + optimized),
  // Camera RGB → scene, and the filter that programs use.
  .target(
    name: "RawFilter",
    dependencies: [
      "ImageCore", "HDRRender", "Containers", "Codecs", "ImageFilters", "Charts", "RawData",
      "RawDecode", "RawSensor", "CVector", "CKernels",
    ],
    swiftSettings: house + optimized),
  // Several exposures of one scene → one picture of camera values.
  .target(
    name: "BracketMerge",
    dependencies: [
      "ImageCore", "Containers", "CKernels", "RawData", "RawDecode", "RawSensor", "RawFilter",
    ],
    swiftSettings: house + optimized),
  .target(
    name: "Readers",
    dependencies: [
      "ImageCore", "HDRRender", "Containers", "Codecs", "TIFFCodec", "AV1Codec", "EXRCodec",
      "WebPCodec", "CVector",
    ],
    swiftSettings: safe),
  // Any file, raw or finished, as a picture for a program.
  .target(
    name: "PictureLoading",
    dependencies: [
      "ImageCore", "HDRRender", "ImageFilters", "DisplayOutput", "RawFilter", "Readers",
    ],
    swiftSettings: plain),
  // One import for programs that open, adjust, render and write pictures.
  .target(
    name: "Rawdev",
    dependencies: [
      "BracketMerge", "DisplayOutput", "Export", "Formats", "HDRRender", "ImageCore",
      "ImageFilters", "PictureLoading", "RawFilter", "Readers", "Writers",
    ],
    swiftSettings: plain),
  // How a still is coded, as settings: no file is made here.
  .target(
    name: "Formats", dependencies: ["ImageCore", "HDRRender", "Containers", "CPOSIX"],
    swiftSettings: plain),
  .target(
    name: "Writers",
    dependencies: [
      "ImageCore", "HDRRender", "Containers", "Codecs", "TIFFCodec", "EXRCodec", "AV1Codec",
      "Formats", "CKernels",
    ],
    swiftSettings: safe),
  // The only module that links GPL code: a choice, nothing else needs it.
  .target(
    name: "X265Writers",
    dependencies: [
      "ImageCore", "HDRRender", "Containers", "Codecs", "Formats", "Writers", "CX265",
    ],
    swiftSettings: plain),
  // Raw files → DNG, sample by sample.
  .target(
    name: "DNGWriting",
    dependencies: ["ImageCore", "Containers", "Codecs", "RawDecode", "Formats", "CKernels"],
    swiftSettings: plain),
  // Any of the files from one settings value.
  .target(
    name: "Export",
    dependencies: [
      "ImageCore", "HDRRender", "ImageFilters", "Formats", "Writers",
    ],
    swiftSettings: plain),
  .target(
    name: "Remux",
    dependencies: [
      "ImageCore", "Containers", "HDRRender", "Formats", "Readers", "Writers",
    ],
    swiftSettings: plain),
  .target(
    name: "Recipes",
    dependencies: [
      "ImageCore", "Containers", "RawFilter", "HDRRender", "ImageFilters", "Formats",
      .product(name: "Yams", package: "Yams"),
    ],
    swiftSettings: plain),
  .target(
    name: "Develop",
    dependencies: [
      "ImageCore", "Containers", "Codecs", "Charts", "RawFilter", "BracketMerge", "HDRRender",
      "ImageFilters", "Readers", "Formats", "Writers", "Export", "Remux", "Recipes",
      "PictureLoading", "RawDecode", "DNGWriting", "CPOSIX",
      .product(name: "SystemPackage", package: "swift-system"),
    ],
    swiftSettings: safe),
  // Many files at once: worker processes, journal, reports.
  .target(
    name: "Batch",
    dependencies: [
      "ImageCore", "RawFilter", "BracketMerge", "Readers", "Formats", "Recipes", "Develop",
      "CXXHash", "CPOSIX", "CConfinement",
      .product(name: "SystemPackage", package: "swift-system"),
    ],
    swiftSettings: plain),
  // One raw, tuned: previews of any part for any settings, and what is kept of them.
  .target(
    name: "Tuning",
    dependencies: [
      "ImageCore", "Containers", "HDRRender", "ImageFilters", "RawFilter", "Readers", "Formats",
      "Writers", "Export", "Recipes", "PictureLoading", "Develop", "Batch",
      .product(name: "SystemPackage", package: "swift-system"),
    ],
    swiftSettings: safe + optimized),
  // The files of the page, inside the program: a package has no folder to look for.
  .target(name: "CTuningPage"),
  // The same in a browser: HTTP on the loopback interface, and the page.
  .target(
    name: "TuningServer",
    dependencies: [
      "Tuning", "CTuningPage", "ImageCore", "RawFilter", "Formats", "Recipes", "Develop", "Batch",
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "Logging", package: "swift-log"),
      .product(name: "SystemPackage", package: "swift-system"),
    ],
    exclude: ["Page"], swiftSettings: plain),
  .executableTarget(
    name: "rawdev",
    dependencies: [
      "Develop", "ImageCore", "RawFilter", "BracketMerge", "HDRRender", "ImageFilters", "Readers",
      "Formats", "Writers", "Remux", "Recipes", "Batch",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "SystemPackage", package: "swift-system"),
      .product(name: "Logging", package: "swift-log"),
    ],
    swiftSettings: plain + staticRuntime, linkerSettings: staticRuntimeLinked),
  // What `rawdev tune` becomes. A program of its own: linked into rawdev, the server's code would
  // make each of its starts slower.
  .executableTarget(
    name: "rawdev-tune",
    dependencies: [
      "ImageCore", "Recipes", "Tuning", "TuningServer",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "SystemPackage", package: "swift-system"),
    ],
    swiftSettings: plain + staticRuntime, linkerSettings: staticRuntimeLinked),
]

/// Scenes and the program that writes them as fixtures.
let fixtures: [Target] = [
  // Scenes with known values and a simulated sensor, written as DNG: fixtures, tests, benchmarks.
  .target(
    name: "SyntheticRaw", dependencies: ["ImageCore", "CJXL", "CLibDeflate", "CTurboJPEG"],
    path: "Fixtures/SyntheticRaw", swiftSettings: safe + optimized,
    linkerSettings: [.linkedLibrary("jxl")]),
  .executableTarget(
    name: "make-fixtures",
    dependencies: [
      "SyntheticRaw", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Fixtures/Generator", swiftSettings: house),
]

/// The comparison with the reference renderer, and examples.
let otherPrograms: [Target] = [
  // Compares every stage of DNG rendering with the reference renderer's values.
  .executableTarget(
    name: "dng-reference", dependencies: ["RawFilter", "RawDecode", "ImageCore"],
    path: "Tests/DNGReference", swiftSettings: house),
  // Built with the tests; as a package of its own, which compiles this one again, in the long
  // run.
  .executableTarget(
    name: "develop-folder", dependencies: ["Develop"],
    path: "Examples/develop-folder/Sources/develop-folder", swiftSettings: house + imported),
  // The programs that the tutorials lead to, with the settings of any other package.
  .executableTarget(
    name: "develop-raw", dependencies: ["Rawdev"], path: "Examples/develop-raw",
    swiftSettings: imported),
  .executableTarget(
    name: "develop-service", dependencies: ["Develop", "Rawdev"], path: "Examples/service",
    swiftSettings: imported),
]

/// Tests, and what several of them need.
let tests: [Target] = [
  // What tests of several modules need: shared files, folders, small raws, damage.
  .target(
    name: "TestSupport", dependencies: ["ImageCore", "SyntheticRaw", "Formats", "CKernels"],
    path: "Tests/TestSupport",
    swiftSettings: house),
  .testTarget(
    name: "ImageCoreTests", dependencies: ["TestSupport", "ImageCore"], swiftSettings: testing),
  .testTarget(
    name: "ContainersTests", dependencies: ["TestSupport", "Containers", "ImageCore"],
    swiftSettings: testing),
  .testTarget(name: "CodecsTests", dependencies: ["Codecs"], swiftSettings: testing),
  .testTarget(
    name: "ChartsTests", dependencies: ["TestSupport", "Charts", "ImageCore", "SyntheticRaw"],
    swiftSettings: house),
  .testTarget(
    name: "HDRRenderTests",
    dependencies: ["TestSupport", "HDRRender", "ImageFilters", "DisplayOutput", "ImageCore"],
    swiftSettings: testing),
  .testTarget(
    name: "ImageFiltersTests",
    dependencies: ["TestSupport", "ImageFilters", "HDRRender", "ImageCore"],
    swiftSettings: testing),
  .testTarget(
    name: "DisplayOutputTests",
    dependencies: ["TestSupport", "DisplayOutput", "ImageFilters", "HDRRender", "ImageCore"],
    swiftSettings: testing),
  // Small raws and the sensor stages on simulated sensors, for the tests of the three raw
  // modules.
  .target(
    name: "RawTestSupport",
    dependencies: [
      "ImageCore", "Containers", "RawData", "RawDecode", "RawSensor", "SyntheticRaw",
      "TestSupport",
    ],
    path: "Tests/RawTestSupport", swiftSettings: house),
  .testTarget(
    name: "RawDataTests",
    dependencies: ["RawTestSupport", "RawData", "ImageCore"],
    swiftSettings: testing),
  .testTarget(
    name: "RawDecodeTests",
    dependencies: [
      "TestSupport", "RawTestSupport", "RawDecode", "Containers", "Codecs", "ImageCore",
      "SyntheticRaw", "CCrypto",
    ],
    swiftSettings: house),
  .testTarget(
    name: "RawSensorTests",
    dependencies: [
      "TestSupport", "RawTestSupport", "RawSensor", "RawDecode", "Containers", "ImageCore",
      "SyntheticRaw", "CLensfun", "CKernels",
    ],
    swiftSettings: house),
  .testTarget(
    name: "RawFilterTests",
    dependencies: [
      "TestSupport", "RawTestSupport", "Charts", "RawFilter", "RawSensor", "RawDecode",
      "Containers", "Codecs", "HDRRender", "ImageFilters", "ImageCore", "SyntheticRaw", "CKernels",
    ],
    swiftSettings: testing),
  .testTarget(
    name: "BracketMergeTests",
    dependencies: [
      "TestSupport", "RawTestSupport", "BracketMerge", "RawFilter", "RawSensor", "RawDecode",
      "ImageCore", "SyntheticRaw",
    ],
    swiftSettings: house),
  .testTarget(
    name: "ReadersTests",
    dependencies: [
      "TestSupport", "Readers", "Containers", "Codecs", "HDRRender", "ImageCore", "Formats",
      "Writers",
      "Export", "RawFilter", "DisplayOutput", "PictureLoading",
    ],
    swiftSettings: testing),
  .testTarget(
    name: "WritersTests",
    dependencies: [
      "TestSupport", "Containers", "Codecs", "AV1Codec", "Formats", "Writers", "X265Writers",
      "Export", "HDRRender", "ImageCore", "CKernels", "CLibHEIF", "CTurboJPEG", "CPOSIX",
    ],
    swiftSettings: testing),
  .testTarget(
    name: "DNGWritingTests",
    dependencies: [
      "TestSupport", "RawTestSupport", "DNGWriting", "RawDecode", "Containers", "Codecs",
      "ImageCore", "Formats", "SyntheticRaw", "CCrypto",
    ],
    swiftSettings: testing),
  .testTarget(
    name: "RemuxTests",
    dependencies: [
      "TestSupport", "Remux", "Containers", "Readers", "Formats", "Writers",
      "HDRRender",
      "ImageCore",
    ],
    swiftSettings: house),
  .testTarget(
    name: "RecipesTests",
    dependencies: [
      "TestSupport", "Recipes", "Containers", "RawFilter", "HDRRender", "ImageFilters", "Formats",
      "ImageCore",
    ],
    swiftSettings: testing),
  .testTarget(
    name: "BatchTests",
    dependencies: [
      "TestSupport", "Batch", "Formats", "ImageCore", "ImageFilters", "Recipes", "Develop",
      "SyntheticRaw",
      .product(name: "SystemPackage", package: "swift-system"),
    ],
    swiftSettings: testing),
  .testTarget(
    name: "TuningTests",
    dependencies: [
      "TestSupport", "Tuning", "Batch", "Codecs", "Formats", "HDRRender", "ImageCore",
      "ImageFilters",
      "Recipes", "Develop", "RawFilter", "SyntheticRaw", "RawTestSupport",
      "Readers", .product(name: "SystemPackage", package: "swift-system"),
    ],
    swiftSettings: testing),
  .testTarget(
    name: "DevelopTests",
    dependencies: [
      "TestSupport", "Develop", "BracketMerge", "Codecs", "Formats", "ImageCore", "Recipes",
      "Readers", "Writers", "ImageFilters", "RawTestSupport", "RawDecode", "RawFilter", "RawSensor",
      "SyntheticRaw", "CPOSIX", .product(name: "SystemPackage", package: "swift-system"),
    ],
    swiftSettings: testing),
  .testTarget(
    name: "SyntheticRawTests", dependencies: ["TestSupport", "SyntheticRaw", "ImageCore"],
    swiftSettings: testing),
]

/// Of the page's server, whose packages take as long to build as a third of the program.
let serverTests: [Target] = [
  .testTarget(
    name: "TuningServerTests",
    dependencies: [
      "TestSupport", "TuningServer", "Tuning", "ImageCore", "Recipes",
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "SystemPackage", package: "swift-system"),
    ],
    swiftSettings: testing)
]

/// What rawdev-fuzz does with bytes needs these.
let fuzzed: [Target.Dependency] = [
  "ImageCore", "HDRRender", "Containers", "Codecs", "RawDecode", "RawFilter", "Readers", "Remux",
  "Recipes", "Batch", "Develop", "Formats", "SyntheticRaw",
  .product(name: "SystemPackage", package: "swift-system"),
]
/// The program of Scripts/fuzz, which needs libFuzzer and code that is instrumented for it; else
/// its targets as a test, which gives them the files of Fixtures/hostile.
let fuzzing: [Target] = [
  Context.environment["RAWDEV_FUZZER"].map { fuzzer in
    .executableTarget(
      name: "rawdev-fuzz", dependencies: fuzzed, path: "Fuzz",
      exclude: [
        "README.md", "Dictionaries", "parsers.toml", "FuzzTargetTests.swift", "MutatorTests.swift",
        "MutatedInputTests.swift",
      ],
      swiftSettings: house,
      linkerSettings: [.unsafeFlags(["-use-ld=lld", fuzzer]), .linkedLibrary("stdc++")])
  }
    ?? .testTarget(
      name: "FuzzTests", dependencies: fuzzed + ["TestSupport"], path: "Fuzz",
      exclude: ["README.md", "Dictionaries", "parsers.toml", "Fuzz.swift"],
      swiftSettings: testing)
]

/// What leads libFuzzer, in the modules that parse. Elsewhere it would be led by pixels, and half
/// of its time would go into noting the comparisons of loops over them.
if let noted = Context.environment["RAWDEV_FUZZER_NOTES"] {
  let parsing: Set = [
    "Containers", "Codecs", "TIFFCodec", "EXRCodec", "AV1Codec", "WebPCodec", "RawData",
    "RawDecode", "RawFilter", "Readers", "Remux", "Recipes", "Batch",
  ]
  for module in modules where parsing.contains(module.name) {
    module.swiftSettings?.append(.unsafeFlags(["-sanitize-coverage=" + noted]))
  }
}

/// The page of each module for readers of its code.
for target in systemLibraries + modules where target.type != .system {
  target.exclude.append("README.md")
}

let package = Package(
  name: "rawdev",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "rawdev", targets: ["rawdev"]),
    .executable(name: "rawdev-tune", targets: ["rawdev-tune"]),
  ] + libraries.map { .library(name: $0.product, targets: $0.modules) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: systemLibraries + modules + fixtures + tests + fuzzing
    + (isFull ? otherPrograms + linkClosure + serverTests : []),
  swiftLanguageModes: [.v6]
)
