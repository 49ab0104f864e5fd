import Foundation
import ImageCore

/// Looks in files.
enum LookFixture {
  /// A file of this text or these bytes in a folder of its own; ``remove(_:)`` it.
  static func file(_ bytes: [UInt8], _ name: String = "look.cube") throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("look-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url
  }

  /// Removes a file and what lies beside it.
  static func remove(_ url: URL) {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  /// The text of a cube of `side` a side.
  static func text(
    _ side: Int = 3, _ look: (SIMD3<Float>) -> SIMD3<Float> = { SIMD3($0.x, $0.z, $0.y) }
  ) -> String {
    var lines = ["TITLE \"a look\"", "# made here", "LUT_3D_SIZE \(side)"]
    let scale = 1 / Float(side - 1)
    for blue in 0..<side {
      for green in 0..<side {
        for red in 0..<side {
          let out = look(SIMD3(Float(red), Float(green), Float(blue)) * scale)
          lines.append("\(out.x) \(out.y) \(out.z)")
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func cube(
    _ look: (SIMD3<Float>) -> SIMD3<Float> = { SIMD3($0.x, $0.z, $0.y) }
  ) throws -> URL {
    try file(Array(text(3, look).utf8))
  }
}
