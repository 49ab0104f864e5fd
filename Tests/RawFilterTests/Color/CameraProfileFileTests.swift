import Foundation
import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct CameraProfileFileTests {
  private static let model = SimulatedCamera.daylight.uniqueModel

  /// A profile with everything that changes colors or tone.
  private static var look: SyntheticRaw.DNGProfile {
    var look = SyntheticRaw.DNGProfile(name: "Look")
    look.camera = .daylight
    look.hueSatMap = .init(
      divisions: [6, 3, 1], data: (0..<54).map { [4, 1.1, 0.95][$0 % 3] })
    look.lookTable = .init(
      divisions: [6, 3, 2], data: (0..<108).map { [-2, 0.9, 1.05][$0 % 3] })
    look.toneCurve = (0...16).map { SIMD2(Float($0) / 16, Float($0 * $0) / 256) }
    look.exposureOffset = SignedRational(-1, 2)
    return look
  }

  /// A DNG whose primary profile is that of another camera with a curve, or of `fields`.
  private static func raw(
    _ fields: [UInt16: TIFFValue]? = nil, layout: DNGWriter.Layout = .linear,
    more: [UInt16: TIFFValue] = [:]
  ) throws -> Data {
    let count = 24 * 16 * (layout == .monochrome ? 1 : 3)
    var file = DNGWriter(
      size: PixelSize(width: 24, height: 16), layout: layout,
      samples: (0..<count).map { UInt16(($0 * 7919) % 60_000) })
    var other = SyntheticRaw.DNGProfile(name: "Other")
    other.toneCurve = [SIMD2(0, 0), SIMD2(0.5, 0.8), SIMD2(1, 1)]
    file.camera = .neutral
    file.camera.uniqueModel = model
    file.asShotNeutral = SIMD3(0.6, 1, 0.5)
    file.cameraTags = (fields ?? other.fields(.little)).merging(more) { $1 }
    return Data(try file.bytes)
  }

  /// Runs `body` with the path of a file of `bytes`.
  private static func withFile<R>(_ bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "profile-\(UUID().uuidString).dcp")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
  }

  private static func profile(
    _ order: ByteOrder = .little, model: String = model, more: [UInt16: TIFFValue] = [:]
  ) -> [UInt8] {
    look.bytes(order: order, more: [50708: .ascii(model)].merging(more) { $1 })
  }

  private static func pixels(_ filter: RAWFilter) throws -> [UInt32] {
    let image = try filter.outputImage().image
    return (0..<3).flatMap { plane in
      (0..<image.size.height).flatMap { y in
        (0..<image.size.width).map { image.row(plane, y)[$0].bitPattern }
      }
    }
  }

  @Test(arguments: [ByteOrder.little, .big])
  func samePixelsAsTheSameTagsInTheRaw(_ order: ByteOrder) throws {
    let calibration = TIFFValue.signedRationals(
      [11, 0, 0, 0, 10, 0, 0, 0, 9].map { SignedRational($0, 10) })
    let shared: [UInt16: TIFFValue] = [
      50723: calibration, 50724: calibration, 50931: .ascii("signed"),
      50727: .rationals([Rational(5, 4), Rational(1, 1), Rational(1, 1)]),
    ]
    var seen: Set<[UInt32]> = []
    for signature in ["signed", "other"] {
      let signed: [UInt16: TIFFValue] = [50932: .ascii(signature)]
      let within = try RAWFilter(
        data: Self.raw(Self.look.fields(.little).merging(signed) { $1 }, more: shared))
      var beside = try RAWFilter(data: Self.raw(more: shared))
      #expect(try Self.pixels(beside) != Self.pixels(within))
      try Self.withFile(Self.profile(order, more: signed)) { path in
        beside.profilePath = path
        #expect(beside.profiles.map(\.name) == ["Look"])
        for (boost, amount, exposure) in [(Float(1), Float(1), Float(2)), (1, 0, 0), (0, 0, 0)] {
          var (a, b) = (within, beside)
          for (path, value) in [
            (\RAWFilter.boostAmount, boost), (\.extendedDynamicRangeAmount, amount),
            (\.exposure, exposure),
          ] {
            a[keyPath: path] = value
            b[keyPath: path] = value
          }
          let same = try Self.pixels(a)
          #expect(try Self.pixels(b) == same)
          seen.insert(same)
        }
        #expect(beside.warnings.isEmpty && beside.baselineExposure == within.baselineExposure)
        beside.profileName = "Look"
        #expect(beside.activeProfile?.name == "Look")
        _ = try beside.outputImage()
        beside.profileName = "Other"
        #expect(throws: RAWError.self) { _ = try beside.outputImage() }
      }
    }
    // The calibration counts only for the profile with its signature.
    #expect(seen.count == 6)
  }

  @Test func readOnceForAllCopies() throws {
    var filter = try RAWFilter(data: Self.raw())
    let path = try Self.withFile(Self.profile()) { path in
      filter.profilePath = path
      _ = try filter.outputImage()
      return path
    }
    // The file is gone, what was read stays.
    let copy = filter
    #expect(try Self.pixels(copy) == Self.pixels(filter))
    var fresh = try RAWFilter(data: Self.raw())
    fresh.profilePath = path
    let error = #expect(throws: RAWError.self) { _ = try fresh.outputImage() }
    #expect(error?.code == .cannotRead && error?.path == path)
    #expect(fresh.profiles.map(\.name) == ["Other"])
    fresh.profilePath = nil
    _ = try fresh.outputImage()
  }

  @Test(arguments: [ByteOrder.little, .big])
  func everyTruncationIsAnError(_ order: ByteOrder) throws {
    let bytes = Self.profile(order)
    let raw = try RAWFilter(data: Self.raw()).picture.file
    for count in 0..<bytes.count {
      try Self.withFile(Array(bytes.prefix(count))) { path in
        let error = #expect(throws: RAWError.self, "\(count) bytes") {
          _ = try CameraProfileFile(path: path, for: raw)
        }
        #expect(error?.path == path)
      }
    }
    // Any byte may be wrong: it is read or refused.
    for index in bytes.indices {
      var bytes = bytes
      bytes[index] ^= 0xFF
      try Self.withFile(bytes) { path in
        _ = try? CameraProfileFile(path: path, for: raw)
      }
    }
  }

  @Test func otherFilesAreRefused() throws {
    var filter = try RAWFilter(data: Self.raw())
    func refusal(_ bytes: [UInt8]) throws -> RAWError? {
      try Self.withFile(bytes) { path in
        filter.profilePath = path
        let error = #expect(throws: RAWError.self) { _ = try filter.outputImage() }
        #expect(error?.path == path)
        return error
      }
    }
    var plain = Self.profile()
    plain[2...3] = [42, 0]
    #expect(try refusal(plain)?.code == .unsupported)
    #expect(try refusal([UInt8](Self.raw()))?.code == .unsupported)
    var nameless = Self.look
    nameless.camera = nil
    #expect(
      try refusal(nameless.bytes(order: .little))?.message.contains("ColorMatrix1") == true)
    filter.profilePath = FileManager.default.temporaryDirectory.path
    #expect(throws: RAWError.self) { _ = try filter.outputImage() }
  }

  @Test func otherCamerasWarn() throws {
    var filter = try RAWFilter(data: Self.raw())
    func warnings(_ model: String) throws -> [String] {
      try Self.withFile(Self.profile(model: model)) { path in
        filter.profilePath = path
        let warnings = filter.warnings
        let rendered = try filter.outputImage().warnings
        #expect(rendered == warnings)
        return warnings
      }
    }
    #expect(try warnings(Self.model).isEmpty)
    #expect(try warnings("Maker RAWDEV  simulated sr1").isEmpty)
    let other = try warnings("rawdev Simulated SR-2")
    #expect(other.count == 1 && other[0].contains("SR-2") && other[0].contains("SR-1"))
    for (model, names, same) in [
      ("Nikon D850", ["NIKON CORPORATION NIKON D850", "NIKON D850"], true),
      ("Olympus E-M1MarkII", ["OLYMPUS CORPORATION E-M1MarkII", "E-M1MarkII"], true),
      ("Canon EOS 550D", ["Canon EOS550D"], true), ("", ["Canon EOS 550D"], true),
      ("Canon EOS 300D", ["Canon EOS 1300D"], false), ("EOS 300D", ["Canon EOS 1300D"], false),
      ("Canon EOS D60", ["Nikon D60"], false), ("Phase One P 45", ["Phase One P 45+"], false),
      ("Canon EOS 550D", [""], false),
    ] {
      #expect(CameraName(model).isAny(of: names) == same, "\(model)")
    }
  }

  @Test func monochromeFilesIgnoreIt() throws {
    var filter = try RAWFilter(data: Self.raw([:], layout: .monochrome))
    let plain = try Self.pixels(filter)
    filter.profilePath = "/no/such/profile.dcp"
    #expect(try Self.pixels(filter) == plain)
    #expect(!filter.supportedAdjustments.contains("profilePath"))
    #expect(try RAWFilter(data: Self.raw()).supportedAdjustments.contains("profilePath"))
  }

  @Test func settingsStoreThePath() throws {
    var settings = RAWSettings()
    settings.profilePath = "/profiles/camera.dcp"
    let stored = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(RAWSettings.self, from: stored) == settings)
  }

  /// The neutral of a raw that is no DNG is the camera's, its colors are the profile's.
  @Test func otherRawsTakeTheColorsOfTheProfile() throws {
    let path = try SharedFiles.path("raws/canon30d_IMG_0848.CR2")
    var filter = try RAWFilter(url: URL(filePath: path))
    let own = try #require(filter.profile)
    try Self.withFile(Self.profile(model: "Canon EOS 30D")) { path in
      filter.profilePath = path
      let profile = try #require(filter.profile)
      let neutral = profile.neutral(for: profile.asShotWhite)
      let difference = neutral - own.neutral(for: own.asShotWhite)
      #expect(max(difference.max(), -difference.min()) < 1e-5)
      #expect(profile.asShotWhite != own.asShotWhite)
      #expect(filter.warnings.isEmpty && filter.activeProfile?.hasTables == true)
      let gray = profile.cameraToBT2020(white: profile.asShotWhite) * neutral
      #expect(abs(gray.max() - 1) < 1e-5 && abs(gray.min() - 1) < 1e-5)
    }
  }
}
