import ImageCore
import Testing

@testable import Film

struct EncoderCommandTests {
  /// Needs ffmpeg, of which the versions are asked for.
  private static let tools = try? FilmTools()

  private func command(
    _ settings: FilmSettings, mastering: HDRMetadata.MasteringDisplay? = nil
  ) throws -> EncoderCommand? {
    guard let tools = Self.tools else { return nil }
    return try EncoderCommand(
      tools, settings, size: PixelSize(width: 1920, height: 1080), rate: .usual, segment: 48,
      mastering: mastering)
  }

  @Test("HDR10 in HEVC is declared in every way", .enabled(if: tools != nil))
  func hdr10() throws {
    let c = Primaries.bt2020.chromaticities
    let display = HDRMetadata.MasteringDisplay(
      red: c.red, green: c.green, blue: c.blue, white: .d65, maximumNits: 1000, minimumNits: 0.005)
    let command = try #require(
      try command(FilmSettings(.hevc, in: .mp4, .pq), mastering: display))
    let text = command.encoding(to: "/x/a.mp4").joined(separator: " ")
    for part in [
      "-pixel_format yuv420p10le", "-framerate 24000/1001", "-color_trc smpte2084",
      "-colorspace bt2020nc", "-color_range tv", "level-idc=4.0", "high-tier=0", "open-gop=0",
      "chromaloc=2", "hdr10=1", "max-cll=1000,400", "-tag:v hvc1", "file:/x/a.mp4",
      "master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test(
    "HLG has no light levels, ProRes says its colors in every frame", .enabled(if: tools != nil))
  func others() throws {
    let hlg = try #require(try command(FilmSettings(.hevc, in: .mov, .hlg)))
    #expect(!hlg.encoding(to: "a").joined().contains("max-cll"))
    let proRes = try #require(try command(FilmSettings(.proRes4444, in: .mov, .hlg)))
    let text = proRes.encoding(to: "a").joined(separator: " ")
    #expect(text.contains("setparams=range=tv:color_primaries=bt2020:color_trc=arib-std-b67"))
    #expect(text.contains("-profile:v 4") && text.contains("yuv444p10le"))
  }

  @Test("Lengths of segments are exact to a microsecond", .enabled(if: tools != nil))
  func list() throws {
    let command = try #require(try command(FilmSettings(.hevc, in: .mov, .hlg)))
    #expect(
      command.list([("000000.mov", 48), ("000001.mov", 12)])
        == "file '000000.mov'\nduration 2.002\nfile '000001.mov'\nduration 0.5005\n")
  }
}
