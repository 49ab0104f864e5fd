import Foundation
import RawFilter

/// Files outside the package and what other readers say of them.
enum SharedFiles {
  static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["RAWDEV_SHARED"] {
      return URL(filePath: path)
    }
    return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "../shared")
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
}

func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? .nan }
func numbers(_ value: Any?) -> [Double] { (value as? [Any] ?? []).map { number($0) } }
