import Export
import Formats
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Readers
import Recipes
import TestSupport
import Testing
import Writers

@testable import Develop

/// No entry point overwrites its input files, for any name of the output.
@Suite struct InputGuardTests {
  /// Another name of one file.
  enum Spelling: CaseIterable {
    case same, dotted, symbolicLink, hardLink, folderLink

    func name(of path: String) throws -> String {
      let manager = FileManager.default
      let (folder, name) = (
        (path as NSString).deletingLastPathComponent, path.split(separator: "/")
      )
      let last = String(name.last ?? "")
      switch self {
      case .same: return path
      case .dotted: return "\(folder)/./\(last)"
      case .symbolicLink:
        try manager.createSymbolicLink(atPath: folder + "/link", withDestinationPath: path)
        return folder + "/link"
      case .hardLink:
        try manager.linkItem(atPath: path, toPath: folder + "/hard")
        return folder + "/hard"
      case .folderLink:
        try manager.createSymbolicLink(
          atPath: folder + "-linked", withDestinationPath: folder)
        return folder + "-linked/" + last
      }
    }
  }

  /// Entry points that write a file made of others.
  enum Entry: CaseIterable {
    case develop, outcomes, convert, compose, composeOver, dng, thumbnail, profile, samples
    case heif, avif, jpeg, png, tiff, exr, npy, jpegXL, exporter

    var isOfRaw: Bool { [.develop, .outcomes, .dng].contains(self) }
    var usualName: String {
      switch self {
      case .develop, .outcomes, .convert, .heif: "out.heic"
      case .compose, .composeOver, .exporter, .jpeg: "out.jpg"
      case .dng: "out.dng"
      case .thumbnail, .png, .samples: "out.png"
      case .profile: "out.json"
      case .avif: "out.avif"
      case .tiff: "out.tif"
      case .exr: "out.exr"
      case .npy: "out.npy"
      case .jpegXL: "out.jxl"
      }
    }

    /// Writes the output for `input`.
    func write(_ input: String, to target: OutputDestination) async throws {
      func source(_ primaries: Primaries = .srgb) throws -> PrimariesConversion {
        PrimariesConversion(
          try StillImage(contentsOf: URL(filePath: input)).base(), to: primaries)
      }
      switch self {
      case .develop: _ = try Developer(workers: 1).develop(input, to: target)
      case .outcomes:
        for await outcome in Developer.outcomes(of: [DevelopJob(input: input, output: target)]) {
          _ = try outcome.result.get()
        }
      case .convert: _ = try await Converter(output: .init(), workers: 1).convert(input, to: target)
      case .compose, .composeOver:
        var output = Recipe.Output()
        output.format = .jpeg
        var composer = Composer(output: output, workers: 1)
        composer.layout = self == .compose ? .grid : .over
        let other = (input as NSString).deletingLastPathComponent + "/other.png"
        _ = try await composer.compose([other, input], to: target)
      case .dng: _ = try await DNGConverter(workers: 1).convert(input, to: target)
      case .thumbnail: _ = try Thumbnailer(maxPixelSize: 16, workers: 1).write(input, to: target)
      case .profile:
        var profile = Recipe.Output()
        (profile.format, profile.iccProfile) = (.jpeg, input)
        _ = try profile.checked(target, of: [])
      case .samples:
        _ = try PNGWriter(depth: .bits8).write(
          size: PixelSize(width: 2, height: 2), to: target,
          of: try StillImage(contentsOf: URL(filePath: input)).sources
        ) { _, _ in }
      case .heif: _ = try HEIFWriter(.init(.heif, .bt2100HLG)).write(source(.bt2020), to: target)
      case .avif: _ = try HEIFWriter(.init(.avif, .bt2100HLG)).write(source(.bt2020), to: target)
      case .jpeg: _ = try JPEGWriter(.init(.jpeg, .sRGB)).write(source(), to: target)
      case .png: _ = try PNGPictureWriter(.init(.png, .sRGB)).write(source(), to: target)
      case .tiff:
        _ = try TIFFWriter(.init(.tiff, .linearBT2020, bits: 32)).write(source(), to: target)
      case .exr: _ = try EXRWriter(.init(.exr)).write(source(), to: target)
      case .npy: _ = try ArrayWriter(.init(.npy, bits: 32)).write(source(), to: target)
      case .jpegXL: _ = try JPEGXLWriter(.init(.jpegXL, .sRGB)).write(source(), to: target)
      case .exporter:
        let still = try StillImage(contentsOf: URL(filePath: input))
        let picture = try still.picture()
        let settings = EncoderSettings.template(.sdr, source: still.format, container: .jpeg)
        _ = try await StillExporter(settings, workers: 1).write(picture, to: target)
      }
    }
  }

  private let raw: SmallRaw
  private let still: String

  init() throws {
    raw = try SmallRaw()
    still = raw.file("still.png")
    for name in ["still.png", "other.png"] {
      try PNGWriter(depth: .bits8, layout: .rgb).write(
        size: PixelSize(width: 16, height: 16), to: .file(path: raw.file(name))
      ) { y, samples in
        for x in samples.indices { samples[x] = UInt16(40 + 5 * y + x) }
      }
    }
  }

  private func code(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch let error as DevelopError { return error.codeName } catch let error as WriteError {
      return error.code.rawValue
    } catch { return "\(error)" }
  }

  @Test(arguments: Entry.allCases, Spelling.allCases)
  func inputsStay(entry: Entry, spelling: Spelling) async throws {
    let input = entry.isOfRaw ? raw.path : still
    let before = FileManager.default.contents(atPath: input)
    let name = try spelling.name(of: input)
    defer { if spelling == .folderLink { unlink(raw.folder + "-linked") } }
    for existing in [ExistingFiles.refuse, .replaceOwn, .replace] {
      let code = await code {
        try await entry.write(input, to: .file(URL(filePath: name), existing: existing))
      }
      #expect(code == "isInput", "\(existing)")
      #expect(FileManager.default.contents(atPath: input) == before)
    }
    // The same file, open.
    let descriptor = open(input, O_RDWR)
    defer { close(descriptor) }
    #expect(await code { try await entry.write(input, to: .descriptor(descriptor)) } == "isInput")
    #expect(FileManager.default.contents(atPath: input) == before)
  }

  @Test(arguments: Entry.allCases.filter { $0 != .profile })
  func foreignFilesStay(entry: Entry) async throws {
    let input = entry.isOfRaw ? raw.path : still
    let path = try raw.files.write("mine", to: entry.usualName)
    for existing in [ExistingFiles.refuse, .replaceOwn] {
      let code = await code {
        try await entry.write(input, to: .file(URL(filePath: path), existing: existing))
      }
      #expect(code == "exists")
      #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    }
    try await entry.write(input, to: .file(URL(filePath: path), existing: .replace))
    #expect(FileManager.default.contents(atPath: path) != Data("mine".utf8))
    if entry != .npy {
      try await entry.write(input, to: .file(URL(filePath: path), existing: .replaceOwn))
    }
  }

  @Test(arguments: Entry.allCases.filter { $0 != .profile })
  func extensionsOfOtherFormatsAreRefused(entry: Entry) async throws {
    let input = entry.isOfRaw ? raw.path : still
    for name in ["x.gif", "x.CR2", "x.txt", entry == .tiff ? "x.exr" : "x.tif"] {
      let code = await code {
        try await entry.write(input, to: .file(URL(filePath: raw.file(name))))
      }
      #expect(code == "badSetting", "\(name)")
    }
    for name in ["plain", "x.part"] {
      try await entry.write(input, to: .file(URL(filePath: raw.file(name))))
    }
  }

  /// Files other than the picture that an output must not replace.
  @Test func filesOfSettingsStay() async throws {
    let look = raw.file("other.png")
    var recipe = Recipe()
    recipe.raw.look.lutPath = look
    recipe.output.format = .pngSDR
    let developer = Developer(recipe: recipe, workers: 1)
    let target = OutputDestination.file(URL(filePath: look), existing: .replace)
    #expect(await code { _ = try developer.develop(raw.path, to: target) } == "isInput")
    let other = OutputDestination.file(URL(filePath: raw.file("out.png")), existing: .replace)
      .keeping([URL(filePath: still)])
    let linked = try Spelling.hardLink.name(of: still)
    #expect(linked.hasSuffix("hard") && FileIdentity(path: linked) == FileIdentity(path: still))
    try PNGWriter(depth: .bits8).write(size: PixelSize(width: 2, height: 2), to: other) { _, _ in }
    let kept = OutputDestination.file(URL(filePath: linked), existing: .replace)
      .keeping([URL(filePath: still)])
    #expect(throws: WriteError.self) {
      try PNGWriter(depth: .bits8).write(size: PixelSize(width: 2, height: 2), to: kept) { _, _ in }
    }
  }

  /// Developments come in memory and in files alike.
  @Test func reportsHoldWhatWasWrittenToMemory() throws {
    let path = raw.file("out.heic")
    let file = try Developer(workers: 1).develop(raw.path, to: .file(URL(filePath: path)))
    let memory = try Developer(workers: 1).develop(raw.path, to: .memory)
    let written = try #require(FileManager.default.contents(atPath: path))
    #expect(file.contents == nil && memory.contents == [UInt8](written))
    let still = try Converter(output: .init(), workers: 1).convert(self.still, to: .memory)
    #expect(still.contents?.count == still.bytes)
    let dng = try DNGConverter(workers: 1).convert(raw.path, to: .memory)
    #expect(dng.contents?.count == dng.bytes)
    let json = try JSONEncoder().encode(memory)
    #expect(!String(decoding: json, as: UTF8.self).contains("contents"))
  }

  @Test func notFilesAreSaidToBeNone() throws {
    let url = try #require(URL(string: "https://host\(raw.path)"))
    #expect(throws: RAWError.self) { try RAWFilter(url: url) }
    #expect(throws: ReadError.self) {
      try StillImage(contentsOf: try #require(URL(string: "https://host\(still)")))
    }
    let target = OutputDestination.file(url)
    let error = #expect(throws: DevelopError.self) {
      try Developer(workers: 1).develop(raw.path, to: target)
    }
    #expect(error?.codeName == "cannotWrite")
  }
}
