import Codecs
import Formats
import ImageCore
import TestSupport
import Testing

@testable import Writers

struct VideoEncodingTests {
  private static func encoding(
    _ space: ColorSpace, _ chroma: VideoEncoding.Chroma, bits: Int = 10, full: Bool = false
  ) -> VideoEncoding {
    VideoEncoding(
      space, matrix: space.isHDR ? .bt2020 : .bt709, bits: bits, chroma: chroma, isFullRange: full,
      headroom: Float(space.peakNits / ReferenceWhite.nits))
  }

  private static func flat(_ value: SIMD3<Float>, _ primaries: Primaries) -> Flat {
    Flat(value: value, primaries: primaries)
  }

  /// One color.
  private struct Flat: PixelSource {
    typealias State = DisplayReferred
    let value: SIMD3<Float>
    let primaries: Primaries
    var size: PixelSize { PixelSize(width: 40, height: 30) }
    var info: DisplayReferred.Info {
      DisplayReferred.Info(primaries: primaries, headroom: max(value.max(), 1))
    }

    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      try buffer.reshape(rect.size)
      for plane in 0..<3 {
        for y in 0..<rect.height {
          buffer.row(plane, y).update(repeating: value[plane], count: rect.width)
        }
      }
    }
  }

  private static func codes(_ encoding: VideoEncoding, _ picture: Flat) throws -> [Int] {
    let (planes, _) = try encoding.frame(picture, active: PixelRect(picture.size), workers: 2)
    return (0..<3).map { Int(planes.row($0, 5)[7] >> (encoding.bits == 8 ? 8 : 0)) }
  }

  @Test("Black and white are 64 and 940 in the limited range, 16 and 235 of 8 bits")
  func ends() throws {
    let black = Self.flat(SIMD3(0, 0, 0), .srgb)
    let white = Self.flat(SIMD3(1, 1, 1), .srgb)
    for chroma: VideoEncoding.Chroma in [.yuv420, .yuv422, .yuv444] {
      let ten = Self.encoding(.sRGB, chroma)
      #expect(try Self.codes(ten, black) == [64, 512, 512])
      #expect(try Self.codes(ten, white) == [940, 512, 512])
    }
    let eight = Self.encoding(.sRGB, .yuv420, bits: 8)
    #expect(try Self.codes(eight, black) == [16, 128, 128])
    #expect(try Self.codes(eight, white) == [235, 128, 128])
    #expect(try Self.codes(Self.encoding(.sRGB, .yuv444, full: true), white) == [1023, 512, 512])
  }

  @Test("Pure colors reach the ends of chroma and no further (H.273)")
  func colors() throws {
    let sdr = Self.encoding(.sRGB, .yuv444)
    // 64 + 876 · 0.2126; 512 + 448.
    #expect(try Self.codes(sdr, Self.flat(SIMD3(1, 0, 0), .srgb))[0] == 250)
    #expect(try Self.codes(sdr, Self.flat(SIMD3(1, 0, 0), .srgb))[2] == 960)
    #expect(try Self.codes(sdr, Self.flat(SIMD3(0, 0, 1), .srgb))[1] == 960)
    #expect(try Self.codes(sdr, Self.flat(SIMD3(1, 1, 0), .srgb))[1] == 64)
  }

  @Test("Reference white of PQ and of HLG")
  func white() throws {
    let white = Self.flat(SIMD3(1, 1, 1), .bt2020)
    // 64 + 876 · 0.580689 and · 0.7499.
    #expect(try Self.codes(Self.encoding(.bt2100PQ, .yuv420), white)[0] == 573)
    #expect(abs(try Self.codes(Self.encoding(.bt2100HLG, .yuv420), white)[0] - 721) <= 1)
  }

  @Test("Frames have the bytes of their chroma, and do not depend on threads")
  func packing() throws {
    let picture = EditScene.noise(61, 47)
    let source = InPrimaries(source: picture)
    for (chroma, samples) in [
      (VideoEncoding.Chroma.yuv420, 61 * 47 + 2 * 31 * 24), (.yuv422, 61 * 47 + 2 * 31 * 47),
      (.yuv444, 3 * 61 * 47),
    ] {
      let encoding = Self.encoding(.bt2100PQ, chroma)
      let one = try encoding.frame(source, active: PixelRect(picture.size), workers: 1)
      let many = try encoding.frame(source, active: PixelRect(picture.size), workers: 5)
      #expect(one.planes.packed(bits: 10).count == 2 * samples)
      #expect(encoding.bytes(picture.size) == 2 * samples)
      #expect(one.planes.packed(bits: 10) == many.planes.packed(bits: 10))
      #expect(one.light == many.light)
    }
  }

  @Test("The full range is what a HEIF of the same picture holds")
  func sameAsStills() throws {
    let source = InPrimaries(source: EditScene.noise(64, 48))
    let encoding = Self.encoding(.bt2100HLG, .yuv420, full: true)
    let planes = try encoding.frame(source, active: PixelRect(source.size), workers: 1).planes
    let still = PictureEncoding(
      signal: HDRSignal.hlg,
      toneMapping: ColorSpace.bt2100HLG.toneMapping(headroom: ReferenceWhite.hlgHeadroom),
      conversion: YCbCrConversion(matrix: .bt2020, bits: 10), siting: .topLeft)
    let other = try YCbCrPlanes(size: source.size, chroma: .yuv420)
    let (linear, scratch) = (PlanarBuffer(), try PlanarBuffer(size: source.size))
    try source.read(PixelRect(source.size), into: linear)
    _ = still.encode(linear, rect: PixelRect(source.size), scratch: scratch, into: other)
    #expect(planes.packed(bits: 10) == other.packed(bits: 10))
  }

  @Test("Light levels are those of what is coded: of a flat frame its own")
  func light() throws {
    for level: Float in [0.05, 1, 4.5, 20] {
      let picture = Self.flat(SIMD3(level, level * 0.7, level * 0.4), .bt2020)
      let encoding = Self.encoding(.bt2100PQ, .yuv444)
      let (planes, light) = try encoding.frame(
        picture, active: PixelRect(picture.size), workers: 3)
      let nits = Double(level) * ReferenceWhite.nits
      #expect(abs(light.maximum / nits - 1) < 0.03, "\(level): \(light.maximum)")
      #expect(abs(light.frameAverage - light.maximum) < 0.01 * light.maximum + 0.02)
      let packed = try encoding.light(
        packed: planes.packed(bits: 10), size: picture.size, workers: 2)
      #expect(packed == light)
    }
  }

  @Test("Bars do not count, and neither do frames that are not PQ")
  func bars() throws {
    let picture = EditScene.noise(40, 30)
    let source = InPrimaries(source: picture)
    let all = try Self.encoding(.bt2100PQ, .yuv420).frame(
      source, active: PixelRect(picture.size), workers: 1)
    let none = try Self.encoding(.bt2100PQ, .yuv420).frame(
      source, active: PixelRect(x: 0, y: 0, width: 0, height: 0), workers: 1)
    #expect(all.light.maximum > all.light.frameAverage && all.light.frameAverage > 0)
    #expect(none.light == CodedContentLight())
    let hlg = try Self.encoding(.bt2100HLG, .yuv420).frame(
      source, active: PixelRect(picture.size), workers: 1)
    #expect(hlg.light == CodedContentLight())
  }

  @Test("A picture in other primaries is refused")
  func primaries() {
    #expect(throws: WriteError.self) {
      try Self.encoding(.bt2100PQ, .yuv420).frame(
        Self.flat(SIMD3(1, 1, 1), .srgb), active: PixelRect(x: 0, y: 0, width: 1, height: 1),
        workers: 1)
    }
  }

  /// The values of a picture in BT.2020.
  private struct InPrimaries: PixelSource {
    typealias State = DisplayReferred
    let source: any PixelSource<DisplayReferred>
    var size: PixelSize { source.size }
    var info: DisplayReferred.Info {
      DisplayReferred.Info(primaries: .bt2020, headroom: source.info.headroom)
    }

    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      try source.read(rect, into: buffer)
    }
  }
}
