import Foundation
import ImageCore

@testable import Readers

/// Picture files outside the package and what independent readers say of them.
enum SharedStills {
  static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["RAWDEV_SHARED"] {
      return URL(filePath: path)
    }
    let beside = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "../shared").standardizedFileURL
    return FileManager.default.fileExists(atPath: beside.path)
      ? beside : URL(filePath: "/work/shared")
  }()

  /// The path of `name`; nil, said aloud, when it is not there.
  static func path(_ name: String) -> String? {
    let path = root.appending(path: name).path
    guard FileManager.default.fileExists(atPath: path) else {
      print("MISSING ../shared: \(name), its checks are left out")
      return nil
    }
    return path
  }

  /// What stands beside `name`.
  static func reference(_ name: String) throws -> [String: Any] {
    let base = root.appending(path: name).deletingPathExtension().path
    let data = try Data(contentsOf: URL(filePath: base + ".reference.json"))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// Means of 8 × 6 cells, row by row: cell (i, j) has columns ⌊iW/8⌋..<⌊(i+1)W/8⌋.
  static func grid(_ source: any PixelSource<DisplayReferred>) -> [SIMD3<Double>] {
    let size = source.size
    let buffer = PlanarBuffer(size: size)
    source.read(PixelRect(size), into: buffer)
    return (0..<48).map { cell in
      let (i, j) = (cell % 8, cell / 8)
      var sum = SIMD3<Double>(0, 0, 0)
      var count = 0.0
      for y in j * size.height / 6..<(j + 1) * size.height / 6 {
        for x in i * size.width / 8..<(i + 1) * size.width / 8 {
          sum += SIMD3(
            Double(buffer.row(0, y)[x]), Double(buffer.row(1, y)[x]), Double(buffer.row(2, y)[x]))
          count += 1
        }
      }
      return sum / max(count, 1)
    }
  }
}
