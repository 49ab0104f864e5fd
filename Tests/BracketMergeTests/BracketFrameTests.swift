import Foundation
import ImageCore
import RawDecode
import RawFilter
import SyntheticRaw
import Testing

@testable import BracketMerge

@Suite struct BracketFrameTests {
  private let bracket = SyntheticBracket(
    count: 3, spacing: 2, size: PixelSize(width: 64, height: 48))

  private func members() throws -> [BracketMerge.Member] {
    try bracket.members { _, x, y in SyntheticBracket.patches(x, y) }
  }

  private func member(
    _ name: String, _ change: (inout DNGWriter) -> Void
  ) throws -> BracketMerge.Member {
    var file = bracket.sensor(bracket.frames[0]).expose(size: bracket.size) { _, _ in .one }
    file.metadata = SyntheticBracket.exif(seconds: 0.01, iso: 100)
    change(&file)
    return BracketMerge.Member(name: name, filter: try RAWFilter(data: Data(try file.bytes)))
  }

  private func refusal(_ other: BracketMerge.Member) throws -> String {
    let error = #expect(throws: RAWError.self) {
      try BracketMerge().merge(members() + [other])
    }
    #expect(error?.path == other.name && error?.stage == .merge)
    return error?.message ?? ""
  }

  @Test func whatDoesNotBelongIsNamed() throws {
    let camera = try member("other.dng") { $0.camera.uniqueModel = "Another" }
    #expect(try refusal(camera).contains("Another"))
    let size = try member("small.dng") {
      $0.defaultCrop = PixelRect(x: 8, y: 8, width: 40, height: 30)
    }
    #expect(try refusal(size).contains("40x30"))
    let pattern = try member("pattern.dng") { $0.layout = .mosaic(.bayer(.bggr)) }
    #expect(try refusal(pattern).contains("color filter"))
    let silent = try member("silent.dng") { $0.metadata = CaptureMetadata() }
    #expect(try refusal(silent).contains("exposure time"))
    // More exposure than a day at f/0.7, and less than 1/32000 s at f/64.
    for (aperture, seconds) in [(Rational(1, 10_000), 1e3), (Rational(4_000_000_000, 1), 1e-6)] {
      let impossible = try member("bright.dng") {
        $0.metadata = SyntheticBracket.exif(seconds: seconds, iso: 100, aperture: aperture)
      }
      #expect(try refusal(impossible).contains("which no camera does"))
    }
  }

  @Test func nothingIsRefused() {
    #expect(throws: RAWError.self) { try BracketMerge().merge([]) }
  }

  /// As many as the limit are judged by what they are, here one picture; one more is refused.
  @Test func framesAreLimited() throws {
    let member = try #require(members().first)
    for (count, reason) in [
      (BracketMerge.maxFrames, "name each frame once"),
      (BracketMerge.maxFrames + 1, "can be merged"),
      (BracketMerge.maxFrames * 3, "can be merged"),
    ] {
      let frames = [BracketMerge.Member](repeating: member, count: count)
      let merging = #expect(throws: RAWError.self) { try BracketMerge().merge(frames) }
      let naming = #expect(throws: RAWError.self) { try BracketMerge.reference(of: frames) }
      for error in [merging, naming] {
        #expect(error?.code == .badSetting && error?.message.contains(reason) == true)
      }
    }
    // A byte says which frame a block comes from.
    #expect(BracketMerge.maxFrames <= Int(UInt8.max))
  }

  @Test func aDamagedFrameIsNamed() throws {
    let bytes = try bracket.bytes(bracket.frames[0]) { _, _ in .one }
    // The directories precede the samples.
    let cut = BracketMerge.Member(
      name: "cut.dng", filter: try RAWFilter(data: Data(bytes.prefix(bytes.count / 2))))
    let error = #expect(throws: RAWError.self) { try BracketMerge().merge(members() + [cut]) }
    #expect(error?.path == "cut.dng")
  }
}
