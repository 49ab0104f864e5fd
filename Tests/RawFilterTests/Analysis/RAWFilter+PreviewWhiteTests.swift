import ImageCore
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter

/// The white of a raw that does not state it, whose preview was made under the camera's.
@Suite struct RAWFilterPreviewWhiteTests {
  /// Canon's color data, by which LibRaw finds the white.
  private static let colorData: UInt16 = 0x4001

  private static func silent(_ colors: RecodedPreview.Colors) throws -> RAWFilter {
    var file = try RecodedPreview(colors)
    try file.set(file.note, colorData, to: nil)
    return try file.filter()
  }

  @Test func itIsThatOfThePreview() throws {
    let stated = try RAWFilter(url: SharedFiles.url(RecodedPreview.file)).resolvedWhite()
    var filter = try Self.silent(.srgb)
    #expect(filter.warnings == [RawInfo.whiteUnknown])
    let found = try filter.resolvedWhite()
    filter.settings.neutral = .automatic
    let automatic = try filter.resolvedWhite()
    func distance(_ white: Chromaticity) -> Double {
      let (a, b) = (CorrelatedColorTemperature(white), CorrelatedColorTemperature(stated))
      return abs(1e6 / a.temperature - 1e6 / b.temperature)
    }
    // Mired. The style of the camera is a little warmer than ours.
    #expect(distance(found) < 12 && found != automatic, "\(distance(found)) \(distance(automatic))")
  }

  /// A preview in black and white says nothing of it.
  @Test func grayPreviewsAreLeftOut() throws {
    var filter = try Self.silent(.gray)
    let found = try filter.resolvedWhite()
    filter.settings.neutral = .automatic
    #expect(try filter.resolvedWhite() == found)
  }
}
