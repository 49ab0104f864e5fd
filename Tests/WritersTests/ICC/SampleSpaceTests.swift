import Codecs
import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct SampleSpaceTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func profile(_ bytes: [UInt8], _ intent: OutputProfile.Intent = .relative)
    -> OutputProfile
  {
    OutputProfile(name: "a.icc", bytes: bytes, intent: intent)
  }

  /// Colors within every gamut, in linear ProPhoto RGB.
  private let colors: [SIMD3<Float>] = (0..<700).map { index in
    let (x, y) = (Float(index % 26) / 25, Float(index / 26) / 26)
    let color = SIMD3(0.2 + 0.5 * x, 0.25 + 0.4 * y, 0.3 + 0.3 * x * y) * (0.02 + 0.98 * y)
    let linear = Primaries.srgb.conversion(to: .proPhoto) * SIMD3<Double>(color)
    return SIMD3<Float>(linear)
  }

  private func codes(_ encoder: any RowEncoder, _ pixels: [SIMD3<Float>]) throws -> [UInt16] {
    let buffer = try PlanarBuffer(size: PixelSize(width: pixels.count, height: 1))
    let rows = buffer.rows(0)
    for plane in 0..<3 { for (x, pixel) in pixels.enumerated() { rows[plane][x] = pixel[plane] } }
    var codes = [UInt16](repeating: 7, count: 3 * pixels.count)
    codes.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      encoder.encode(rows, into: start)
    }
    return codes
  }

  /// By our own profiles lcms2 makes the codes that our encoders make.
  @Test(
    arguments: [ColorSpace.sRGB, .displayP3, .adobeRGB, .proPhoto, .bt2020],
    [OutputProfile.Intent.relative, .perceptual, .saturation])
  func ownProfilesGiveOwnCodes(space: ColorSpace, intent: OutputProfile.Intent) throws {
    let device = try SampleSpace(profile(try space.iccProfile(), intent))
    #expect(device.primaries == .proPhoto && device.codePoints.primaries == 2)
    #expect(device.exif == .uncalibrated)
    #expect(try device.iccProfile() == space.iccProfile())
    let matrix = Primaries.proPhoto.conversion(to: space.primaries)
    let own = try codes(
      space.rowEncoder, colors.map { SIMD3<Float>(matrix * SIMD3<Double>($0)) })
    let made = try codes(device.rowEncoder, colors)
    // Profiles hold numbers in steps of 1/65536.
    let worst = zip(own, made).map { abs(Int($0) - Int($1)) }.max() ?? .max
    #expect(worst <= 12, "\(worst) codes of 65535")
  }

  @Test func everyValueIsAccepted() throws {
    let device = try SampleSpace(profile(try ColorSpace.displayP3.iccProfile()))
    let strange: [Float] = [.nan, -.nan, -1, -.infinity]
    #expect(
      try codes(device.rowEncoder, strange.map { SIMD3(repeating: $0) }).allSatisfy { $0 < 4 })
    let bright: [Float] = [1, 5, .infinity]
    #expect(
      try codes(device.rowEncoder, bright.map { SIMD3(repeating: $0) }).allSatisfy { $0 > 65_530 })
  }

  /// The file carries the profile as it was, and the same bytes on any number of threads.
  @Test func filesCarryTheProfileUnchanged() throws {
    let bytes = try ColorSpace.adobeRGB.iccProfile()
    let settings = EncoderSettings(.tiff, .proPhoto, bits: 16)
      .with { $0.profile = profile(bytes) }
    let picture = FormulaPicture<DisplayReferred>.noise(300, 211, primaries: .proPhoto, headroom: 1)
    let files = try [1, 3].map { workers in
      let path = folder.file("\(workers).tif")
      _ = try TIFFWriter(settings, workers: workers)
        .write(picture, to: .replacing(path))
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
    #expect(files[0] == files[1])
    #expect(files[0].indices.contains { files[0][$0...].starts(with: bytes) })
    let other = FormulaPicture<DisplayReferred>.noise(8, 8, primaries: .bt2020, headroom: 1)
    #expect(throws: WriteError.self) {
      try TIFFWriter(settings).write(other, to: .replacing(folder.file("b.tif")))
    }
  }

  /// A JPEG holds up to 255 segments of a profile.
  @Test func longProfilesAreSplit() throws {
    let part = JPEGIdentifier.profile.longestBody - 2
    let profile = (0..<2 * part + 5).map { UInt8(truncatingIfNeeded: $0 / 7) }
    var header = JPEGHeader()
    try header.profile(profile)
    let name = Array("ICC_PROFILE\0".utf8)
    let starts = header.bytes.indices.filter { header.bytes[$0...].starts(with: name) }
    #expect(starts.map { header.bytes[$0 + 12] } == [1, 2, 3])
    #expect(starts.allSatisfy { header.bytes[$0 + 13] == 3 })
    let joined = starts.flatMap { start in
      let length = Int(header.bytes[start - 2]) << 8 | Int(header.bytes[start - 1])
      return header.bytes[start + 14..<start - 2 + length]
    }
    #expect(joined == profile)
    #expect(throws: WriteError.self) {
      try header.profile([UInt8](repeating: 0, count: 256 * part))
    }
  }

  @Test(arguments: [
    ("CMYK", 16, "CMYK"), ("GRAY", 16, "GRAY"), ("Lab ", 16, "Lab"), ("link", 12, "device link"),
    ("abst", 12, "abstract"), ("nmcl", 12, "named colors"), ("xxxx", 12, "another kind"),
    ("none", 36, "no ICC profile"),
  ])
  func otherProfilesAreRefused(signature: String, at: Int, reason: String) throws {
    var bytes = try ColorSpace.sRGB.iccProfile()
    bytes.replaceSubrange(at..<at + 4, with: Array(signature.utf8))
    let error = #expect(throws: WriteError.self) { try SampleSpace(profile(bytes)) }
    #expect(error?.code == .badProfile && error?.message.contains(reason) == true)
    #expect(error?.message.contains("\n") == false)
  }

  /// Cut or overwritten profiles are refused or used, and nothing else happens.
  @Test func damagedProfilesDoNoHarm() throws {
    let complete = try ColorSpace.adobeRGB.iccProfile()
    for count in stride(from: 0, to: complete.count, by: 7) {
      _ = try? SampleSpace(profile(Array(complete[..<count])))
    }
    #expect(throws: WriteError.self) { try SampleSpace(profile([])) }
    #expect(throws: WriteError.self) { try SampleSpace(profile(Array(complete[..<200]))) }
    var random = SeededNumbers(7)
    for _ in 0..<400 {
      var bytes = complete
      for _ in 0..<Int(random.next() % 8 + 1) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      guard let space = try? SampleSpace(profile(bytes)) else { continue }
      _ = try codes(space.rowEncoder, Array(colors.prefix(40)))
    }
  }
}

/// Numbers that are the same in every run (SplitMix64).
private struct SeededNumbers {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
