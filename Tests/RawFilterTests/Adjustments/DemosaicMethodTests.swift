import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawFilter
@testable import RawSensor

@Suite struct DemosaicMethodTests {
  /// XYZ to camera of a sensor of four colors: red, green, blue, emerald.
  private static let rgbe = [
    0.79, -0.19, -0.08, -0.82, 1.55, 0.30, -0.15, 0.22, 0.68, -0.72, 1.14, 0.35,
  ]

  @Test func automaticIsBestForFourColors() throws {
    var dng = TinyDNG()
    (dng.width, dng.height) = (32, 24)
    dng.pixel = { x, y in [UInt16(3000 + (x * 7919 + y * 104729) % 30000)] }
    func bytes(_ values: [UInt8]) -> TinyDNG.Value {
      TinyDNG.Value(type: 1, count: values.count) { _ in values }
    }
    dng.fields = [
      258: .longs([16]), 262: .longs([32803]), 277: .longs([1]), 33421: .longs([2, 2]),
      33422: bytes([0, 3, 1, 2]), 50710: bytes([0, 1, 2, 3]), 50721: .fractions(Self.rgbe),
      50728: .fractions([0.5, 1, 0.6, 0.8]),
    ]
    var filter = try RAWFilter(data: dng.data)
    #expect(filter.isDemosaicMethodSupported)
    for (asked, used) in [
      (DemosaicMethod.automatic, DemosaicMethod.best), (.fast, .fast),
      (.dual, .best), (.best, .best),
    ] {
      filter.demosaicMethod = asked
      #expect(filter.sensorMethod == used)
    }
    #expect(try filter.outputImage().image.size.area > 0)
  }
}
