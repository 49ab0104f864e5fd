package import Foundation
import Testing

/// Picture files beside the checkout in `../shared`, or where `RAWDEV_SHARED` says, and
/// what independent readers say of them.
///
/// What is missing skips its test, so that a checkout alone can be tested, and the summary counts
/// it as skipped. With `RAWDEV_REQUIRE_SHARED=1` it is a failure.
package enum SharedFiles {
  package static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["RAWDEV_SHARED"] {
      return URL(filePath: path)
    }
    return URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "../shared")
      .standardizedFileURL
  }()

  /// Whether a missing file is a failure.
  package static let areRequired =
    ProcessInfo.processInfo.environment["RAWDEV_REQUIRE_SHARED"] == "1"

  /// The path of `name`; a test of a file that is missing ends here.
  package static func path(_ name: String) throws -> String {
    let path = root.appending(path: name).path
    if !FileManager.default.fileExists(atPath: path) {
      try Missing.skip("../shared/\(name)", isFailure: areRequired)
    }
    return path
  }

  package static func url(_ name: String) throws -> URL { URL(filePath: try path(name)) }

  package static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(name)))
  }

  /// Names of all files of `folder` but the descriptions of others, sorted, with the folder.
  package static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
      .filter { !$0.hasSuffix(".json") }.map { folder + "/" + $0 }
  }

  /// The files beside `name`.
  package static func reference(_ name: String) throws -> [String: Any] {
    let base = root.appending(path: name).deletingPathExtension().path
    let data = try Data(contentsOf: URL(filePath: base + ".reference.json"))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }
}

/// Something outside the package that a test needs.
package struct Missing: Error, CustomStringConvertible {
  package let description: String

  /// Ends the test: skipped, or failed where what is missing must be there.
  package static func skip(_ what: String, isFailure: Bool = SharedFiles.areRequired) throws
    -> Never
  {
    if isFailure { throw Missing(description: "\(what) is missing: this run must have it") }
    try Test.cancel("\(what) is missing")
  }
}
