import Foundation
import ImageCore
import SyntheticRaw

/// A folder with a small simulated raw in it; gone with the value.
final class SmallRaw {
  let folder: String
  /// The raw: grey, reddish and bluish bands whose light grows along the columns.
  var path: String { file("small.dng") }

  /// Columns and rows of the developed picture.
  static let size = PixelSize(width: 104, height: 72)

  /// `peak` is the light of the brightest column, 1.0 = white; above 2.8 the sensor clips.
  init(peak: Float = 2, orientation: Orientation = .up) throws {
    folder = NSTemporaryDirectory() + "develop-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
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
    try Data(try writer.bytes).write(to: URL(fileURLWithPath: file("small.dng")))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func file(_ name: String) -> String { folder + "/" + name }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
