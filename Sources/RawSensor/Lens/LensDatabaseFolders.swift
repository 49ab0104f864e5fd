import CPOSIX
import Containers
import Foundation
import ImageCore
import RawData

/// The locations and dates of lens databases.
enum LensDatabaseFolders {
  /// The version of the XML format that lensfun 0.3 reads.
  private static let format = "version_1"

  /// The newest of lensfun's own databases: the system's, or a newer one that `lensfun-update-data`
  /// downloaded for the machine or for the user. A user's own files (`~/.local/share/lensfun`) are
  /// left out, so that results do not depend on them unasked.
  static var system: String? {
    let environment = ProcessInfo.processInfo.environment
    let own =
      environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
      ?? environment["HOME"].map { $0 + "/.local/share" }
    let folders =
      ["/usr/share/lensfun", "/usr/local/share/lensfun", "/var/lib/lensfun-updates"]
      + (own.map { [$0 + "/lensfun/updates"] } ?? [])
    var newest: (folder: String, time: Int)?
    for folder in folders.map({ $0 + "/" + format }) where !xmlFiles(folder).isEmpty {
      let time = timestamp(folder) ?? 0
      if newest.map({ time > $0.time }) ?? true { newest = (folder, time) }
    }
    return newest?.folder
  }

  /// The XML files of the database at `path`, sorted. Fails if there are no files.
  static func files(_ path: String) throws(RAWError) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw RAWError(
        .cannotRead, .settings,
        "there is no lens database here; install liblensfun-data-v1 or name a folder of "
          + "lensfun's XML files",
        path: path)
    }
    guard isFolder.boolValue else { return [path] }
    for folder in [path, path + "/" + format] {
      let files = xmlFiles(folder)
      if !files.isEmpty { return files }
    }
    throw RAWError(
      .cannotRead, .settings,
      "this folder holds no lens database; install liblensfun-data-v1 or name a folder of "
        + "lensfun's XML files",
      path: path)
  }

  private static func xmlFiles(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasSuffix(".xml") }.sorted().map { folder + "/" + $0 }
  }

  /// The date of the database at `path`, `YYYY-MM-DD`: its own timestamp, else its newest file's.
  static func date(of path: String, files: [String]) -> String {
    let folder = files.first.map { URL(filePath: $0).deletingLastPathComponent().path }
    let stamp = timestamp(path) ?? folder.flatMap { timestamp($0) }
    let newest = files.map { Int(cposix_modified($0)) }.max()
    var time = time_t(stamp ?? newest ?? 0)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil else { return "unknown date" }
    return String(format: "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
  }

  /// Seconds since 1970 in `timestamp.txt`.
  private static func timestamp(_ folder: String) -> Int? {
    guard
      let bytes = try? FileBytes(
        path: folder + "/timestamp.txt", limits: DecodeLimits(maxFileBytes: 64))
    else {
      return nil
    }
    let text = String(decoding: bytes.buffer, as: UTF8.self)
    return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap {
      (0..<253_402_300_800).contains($0) ? $0 : nil
    }
  }
}
