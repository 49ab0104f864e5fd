import Foundation
package import ImageCore
import SyntheticRaw

/// A small simulated raw: gray, reddish and bluish bands, brighter along the columns; in a
/// folder that is gone with the value.
package final class SmallRaw: Sendable {
  package let files: TestFolder
  package var folder: String { files.path }
  package var path: String { file("small.dng") }

  /// Columns and rows of the developed picture.
  package static let size = PixelSize(width: 104, height: 72)

  /// `peak` is the linear value of the brightest column, 1.0 = white; above 2.8 the sensor clips.
  package init(peak: Float = 2, orientation: Orientation = .up) throws {
    files = try TestFolder()
    try files.write(Self.bytes(peak: peak, orientation: orientation), to: "small.dng")
  }

  /// The bytes of the DNG.
  package static func bytes(peak: Float = 2, orientation: Orientation = .up) throws -> [UInt8] {
    var sensor = SimulatedSensor()
    (sensor.defectCount, sensor.cropMargin) = (0, 8)
    var writer = sensor.expose(size: PixelSize(width: 120, height: 88)) { x, y in
      let level = peak * Float(x) / 119
      switch y / 30 {
      case 0: return SIMD3(repeating: level)
      case 1: return SIMD3(level, level * 0.6, level * 0.5)
      default: return SIMD3(level * 0.5, level * 0.6, level)
      }
    }
    writer.orientation = orientation
    writer.metadata = SunsetFixture.metadata(uniqueModel: writer.camera.uniqueModel)
    return try writer.bytes
  }

  package func file(_ name: String) -> String { files.file(name) }
  package var names: [String] { files.names }
}
