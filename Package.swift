// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Whether the build is for use, not for work on this package: all of it is optimized, and nothing
/// is kept for tests. Scripts/package says so, and checkouts that SwiftPM makes for other packages.
let isForUse =
  Context.environment["RAWDEV_FOR_USE"] == "1" || Context.packageDirectory.contains("/checkouts/")

/// Whether what only `Scripts/test --full` needs is built, too: programs that show what a product
/// links, examples, the tests of the page's server.
let isFull = Context.environment["RAWDEV_FULL"] == "1"

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
  ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
  .map { .enableUpcomingFeature($0) } + strictness + workFlags("-enable-testing")
/// Targets whose unsafe expressions are all marked.
let safe = house + [.strictMemorySafety()]
/// For targets without loops over pixels: not optimized for work on this package. Optimizing takes
/// nearly all the time of a build (Docs/building.md).
let plain = safe + workFlags("-Onone")
/// For tests, likewise, but those that simulate sensors or scenes.
let testing = house + workFlags("-Onone")
/// For targets whose loops run over pixels: optimized in debug builds, too, with assertions kept,
/// so that the program is usable and bounds of rows are checked. As a whole, because kernels call
/// functions of other files: a change compiles the complete target again.
let fast: [SwiftSetting] = [
  .unsafeFlags(
    [
      "-O", "-assert-config", "Debug", "-whole-module-optimization", "-num-threads", "4",
      "-disable-batch-mode",
    ], .when(configuration: .debug))
]
/// Examples are as strict about imports as any package may be.
let imported: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

/// The packages of the products that modules use. What the programs alone need belongs to the trait
/// `Programs`: packages that depend on this one without it fetch the others.
let packages: [String: (name: String, traits: Set<String>)] = [
  "ArgumentParser": ("swift-argument-parser", ["Programs"]),
  "HTTPTypes": ("swift-http-types", ["Programs"]), "Hummingbird": ("hummingbird", ["Programs"]),
  "Logging": ("swift-log", ["Programs"]), "NIOCore": ("swift-nio", ["Programs"]),
  "SystemPackage": ("swift-system", []), "Yams": ("Yams", []),
]

/// Dependencies by their names, parted by spaces.
func named(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map(String.init).map { name in
    guard let package = packages[name] else { return .byName(name: name) }
    return .product(
      name: name, package: package.name,
      condition: package.traits.isEmpty ? nil : .when(traits: package.traits))
  }
}

/// A module of Sources, or of `path`.
func module(
  _ name: String, _ settings: [SwiftSetting], _ dependencies: String, path: String? = nil,
  linked: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: named(dependencies), path: path,
    exclude: path == nil ? ["README.md"] : [], swiftSettings: settings, linkerSettings: linked)
}

/// Loops in C by the macros of CVector, optimized in debug builds, too, where they would else be
/// unusable.
func kernels(_ name: String) -> Target {
  .target(
    name: name, dependencies: ["CVector"], exclude: ["README.md"],
    cSettings: [
      .headerSearchPath("../CVector"), .unsafeFlags(["-O2"], .when(configuration: .debug)),
    ])
}

/// A program of `path`.
func program(
  _ name: String, _ settings: [SwiftSetting], _ dependencies: String, path: String
) -> Target {
  .executableTarget(
    name: name, dependencies: named(dependencies), path: path, swiftSettings: settings)
}

/// A program that people start. Swift's runtime and Foundation are inside, optimized on Linux:
/// loading them takes longer than all else that it does before its first line.
func installed(_ name: String, _ dependencies: String, page: [String] = []) -> Target {
  let flags = ["-static-stdlib"]
  return .executableTarget(
    name: name,
    dependencies: named(dependencies)
      + page.map { .target(name: $0, condition: .when(traits: ["Page"])) },
    exclude: ["README.md"],
    swiftSettings: plain
      + [.unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))],
    linkerSettings: [.unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))])
}

/// Tests of the module `name`.
func tests(_ name: String, _ settings: [SwiftSetting], _ dependencies: String) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: named(name + " " + dependencies), swiftSettings: settings)
}

/// One C library of the system: found by pkg-config, named for apt and Homebrew when missing.
/// Nothing but the module that owns its handles imports it.
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
]

/// The library, from pixels to folders of files, and the programs. What each module is for stands
/// in its README.md and in ARCHITECTURE.md. Each names all modules that it imports, even those that
/// another one brings: a change of one that is not named does not compile its importers again.
let modules: [Target] = [
  module("CMappedFile", [], ""), module("CConfinement", [], ""), module("CVector", [], ""),
  module("CTuningPage", [], ""), kernels("CKernels"), kernels("CIntraCoding"),
  module("ImageCore", house + fast, "CKernels CVector CPOSIX"),
  module("Containers", plain, "ImageCore CKernels CMappedFile"),
  // The only owners of libraries that decode and encode pieces of files; raws need the first alone.
  module(
    "Codecs", safe,
    "ImageCore Containers CTurboJPEG CJXL CLibDeflate CZstd CPNG CLCMS2 CDE265 CDav1d"),
  module("TIFFCodec", safe, "ImageCore Containers Codecs CTIFF"),
  module("AV1Codec", safe, "ImageCore Containers Codecs CAOM"),
  module("EXRCodec", safe, "ImageCore Containers Codecs CEXR"),
  module("WebPCodec", safe, "ImageCore Containers CWebP"),
  module("HDRRender", house + fast, "ImageCore CVector CKernels"),
  module("ImageFilters", safe + fast, "ImageCore HDRRender CVector CKernels"),
  module("DisplayOutput", safe + fast, "ImageCore HDRRender"),
  module("RawData", safe, "ImageCore Containers"),
  module("RawDecode", safe, "ImageCore Containers Codecs RawData CKernels CLibRaw"),
  module("Charts", safe + fast, "ImageCore"),
  module(
    "RawSensor", house + fast, "ImageCore Containers RawData CVector CKernels CLensfun CPOSIX"),
  module(
    "RawFilter", house + fast,
    "ImageCore HDRRender Containers Codecs ImageFilters Charts RawData RawDecode RawSensor CVector "
      + "CKernels"),
  module(
    "BracketMerge", house + fast, "ImageCore Containers CKernels RawDecode RawSensor RawFilter"),
  module(
    "Readers", safe,
    "ImageCore HDRRender Containers Codecs TIFFCodec AV1Codec EXRCodec WebPCodec CVector"),
  module(
    "PictureLoading", plain, "ImageCore HDRRender ImageFilters DisplayOutput RawFilter Readers"),
  module(
    "Rawdev", plain,
    "BracketMerge DisplayOutput Export Formats HDRRender ImageCore ImageFilters PictureLoading "
      + "RawFilter Readers Writers"),
  module("Formats", plain, "ImageCore HDRRender Containers CPOSIX"),
  module(
    "Writers", safe,
    "ImageCore HDRRender Containers Codecs TIFFCodec EXRCodec AV1Codec Formats CKernels "
      + "CIntraCoding"),
  // The only module that links GPL code: a choice, nothing else needs it.
  module("X265Writers", plain, "ImageCore HDRRender Containers Codecs Formats Writers CX265"),
  module("DNGWriting", plain, "ImageCore Containers Codecs RawDecode Formats CKernels"),
  module("Export", plain, "ImageCore HDRRender ImageFilters Formats Writers"),
  module("Remux", plain, "ImageCore Containers HDRRender Formats Readers Writers"),
  module("Recipes", plain, "ImageCore Containers RawFilter HDRRender ImageFilters Formats Yams"),
  module(
    "Develop", safe,
    "ImageCore Containers Codecs Charts RawFilter BracketMerge HDRRender ImageFilters Readers "
      + "Formats Writers Export Remux Recipes PictureLoading RawDecode DNGWriting CPOSIX "
      + "SystemPackage"),
  module(
    "Batch", plain,
    "ImageCore HDRRender RawFilter BracketMerge Readers Formats Recipes Develop CXXHash CPOSIX "
      + "CConfinement SystemPackage"),
  module(
    "Film", safe + fast,
    "ImageCore Containers HDRRender ImageFilters RawFilter Readers Formats Writers Recipes Develop "
      + "Batch CPOSIX SystemPackage"),
  module(
    "Tuning", safe + fast,
    "ImageCore Containers HDRRender ImageFilters RawFilter Readers Formats Writers Recipes Develop "
      + "Batch SystemPackage"),
  .target(
    name: "TuningServer",
    dependencies: named(
      "Tuning CTuningPage ImageCore RawFilter Formats Recipes Develop Batch Hummingbird HTTPTypes "
        + "NIOCore Logging SystemPackage"),
    exclude: ["README.md", "Page"], swiftSettings: plain),
  module(
    "TuneProgram", plain, "ImageCore Recipes Tuning TuningServer ArgumentParser SystemPackage"),
  // With the trait `Page` the server of `rawdev tune` is inside.
  installed(
    "rawdev",
    "Develop ImageCore RawFilter BracketMerge HDRRender ImageFilters Readers Formats Recipes Batch "
      + "Film ArgumentParser SystemPackage Logging", page: ["TuneProgram"]),
  installed("rawdev-tune", "TuneProgram"),
]

/// Simulated raws and the program that writes them, and what several tests need.
let support: [Target] = [
  module(
    "SyntheticRaw", safe + fast, "ImageCore CJXL CLibDeflate CTurboJPEG",
    path: "Fixtures/SyntheticRaw", linked: [.linkedLibrary("jxl")]),
  program(
    "make-fixtures", house, "ImageCore SyntheticRaw ArgumentParser", path: "Fixtures/Generator"),
  module(
    "TestSupport", house, "ImageCore SyntheticRaw Formats CVector", path: "Tests/TestSupport"),
  module(
    "RawTestSupport", house, "ImageCore RawData RawDecode RawSensor SyntheticRaw",
    path: "Tests/RawTestSupport"),
]

let unitTests: [Target] = [
  tests("ImageCore", testing, "TestSupport SyntheticRaw"),
  tests("Containers", testing, "TestSupport ImageCore"),
  tests("Codecs", testing, ""),
  tests("Charts", house, "ImageCore SyntheticRaw"),
  tests("HDRRender", testing, "TestSupport ImageFilters DisplayOutput ImageCore SyntheticRaw"),
  tests("ImageFilters", testing, "TestSupport HDRRender ImageCore"),
  tests("DisplayOutput", testing, "TestSupport ImageFilters HDRRender ImageCore"),
  tests("RawData", testing, "ImageCore"),
  tests(
    "RawDecode", house,
    "TestSupport RawTestSupport RawData Containers ImageCore SyntheticRaw CCrypto"),
  tests(
    "RawSensor", house,
    "TestSupport RawTestSupport RawData ImageCore SyntheticRaw CLensfun CKernels"),
  tests(
    "RawFilter", testing,
    "TestSupport RawTestSupport Charts RawSensor RawDecode Containers Codecs HDRRender "
      + "ImageFilters ImageCore SyntheticRaw CVector"),
  tests("BracketMerge", house, "RawFilter RawSensor RawDecode ImageCore SyntheticRaw"),
  tests(
    "Readers", testing,
    "TestSupport Containers Codecs HDRRender ImageCore Formats Writers Export RawFilter "
      + "DisplayOutput PictureLoading SyntheticRaw"),
  tests(
    "Writers", testing,
    "TestSupport Containers Codecs AV1Codec Formats X265Writers Export HDRRender ImageCore "
      + "CIntraCoding CLibHEIF CTurboJPEG CPOSIX"),
  tests(
    "DNGWriting", testing,
    "TestSupport RawTestSupport RawDecode Containers Codecs ImageCore Formats SyntheticRaw"),
  tests("Remux", house, "TestSupport Containers Readers Formats Writers HDRRender ImageCore"),
  tests(
    "Recipes", testing,
    "TestSupport Containers RawFilter HDRRender ImageFilters Formats ImageCore"),
  tests(
    "Batch", testing,
    "TestSupport Containers Formats HDRRender ImageCore ImageFilters RawFilter Readers Recipes "
      + "Develop SystemPackage"),
  tests(
    "Film", testing,
    "TestSupport Containers Formats HDRRender ImageCore RawFilter Recipes Writers"),
  tests(
    "Tuning", testing,
    "TestSupport Batch Codecs HDRRender ImageCore ImageFilters Recipes Develop RawFilter "
      + "SyntheticRaw Readers SystemPackage"),
  tests(
    "Develop", testing,
    "TestSupport RawTestSupport BracketMerge Codecs Containers Export Formats HDRRender ImageCore "
      + "ImageFilters RawDecode RawFilter RawSensor Readers Recipes Remux SyntheticRaw Writers "
      + "CPOSIX SystemPackage"),
  tests("SyntheticRaw", testing, "TestSupport ImageCore"),
]

/// The libraries for other packages, cut by who uses them, with the modules that each is there for
/// (ARCHITECTURE.md, Products).
let libraries: [(product: String, modules: [String])] = [
  ("Rawdev", ["Rawdev"]),
  ("RawFilter", ["RawFilter", "BracketMerge"]),
  (
    "RawdevPixels",
    ["ImageCore", "Containers", "HDRRender", "ImageFilters", "DisplayOutput", "Formats"]
  ),
  ("RawdevRecipes", ["Recipes", "Develop", "Remux"]),
  ("RawdevBatch", ["Batch"]),
  ("Film", ["Film"]),
  // HEIF by libx265: a program that links this is under the GPL as a whole.
  ("RawdevX265", ["X265Writers"]),
]

/// What `Scripts/test --full` builds besides: the comparison with the reference renderer, examples
/// with the settings of any other package, the tests of the page's server, whose packages take as
/// long to build as a third of the program, and for each product a program that only imports it:
/// what it links is judged by the acceptance tests.
let fullTier: [Target] =
  [
    program("dng-reference", house, "RawFilter ImageCore", path: "Tests/DNGReference"),
    program(
      "develop-folder", house + imported, "Develop Recipes",
      path: "Examples/develop-folder/Sources/develop-folder"),
    program("develop-raw", imported, "Rawdev", path: "Examples/develop-raw"),
    program("develop-service", imported, "Develop Rawdev Recipes", path: "Examples/service"),
    tests("TuningServer", testing, "TestSupport Tuning ImageCore Recipes NIOCore SystemPackage"),
  ]
  + libraries.map {
    program(
      "link-" + $0.product, house, $0.modules.joined(separator: " "),
      path: "Tests/LinkClosure/" + $0.product)
  }

/// What rawdev-fuzz does with bytes needs these.
let fuzzed =
  "ImageCore HDRRender Containers Codecs RawDecode RawFilter Readers Remux Recipes Batch Develop "
  + "Formats SyntheticRaw SystemPackage"
/// The program of Scripts/fuzz, which needs libFuzzer and code that is instrumented for it; else
/// its targets as a test, which gives them the files of Fixtures/hostile.
let fuzzing: Target =
  Context.environment["RAWDEV_FUZZER"].map { fuzzer in
    .executableTarget(
      name: "rawdev-fuzz", dependencies: named(fuzzed), path: "Fuzz",
      exclude: [
        "README.md", "Dictionaries", "parsers.toml", "FuzzTargetTests.swift", "MutatorTests.swift",
        "MutatedInputTests.swift",
      ],
      swiftSettings: house,
      linkerSettings: [.unsafeFlags(["-use-ld=lld", fuzzer]), .linkedLibrary("stdc++")])
  }
  ?? .testTarget(
    name: "FuzzTests", dependencies: named(fuzzed + " TestSupport"), path: "Fuzz",
    exclude: ["README.md", "Dictionaries", "parsers.toml", "Fuzz.swift"], swiftSettings: testing)

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

let package = Package(
  name: "rawdev",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "rawdev", targets: ["rawdev"]),
    .executable(name: "rawdev-tune", targets: ["rawdev-tune"]),
  ]
    + libraries.map { .library(name: $0.product, targets: $0.modules) },
  traits: [
    .trait(name: "Programs", description: "The packages that only the programs need."),
    .trait(name: "Page", description: "The server of rawdev tune inside rawdev."),
    .default(enabledTraits: ["Programs"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: systemLibraries + modules + support + unitTests + [fuzzing] + (isFull ? fullTier : []),
  swiftLanguageModes: [.v6]
)
