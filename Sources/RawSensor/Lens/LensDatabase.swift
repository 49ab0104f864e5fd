import Containers
import Foundation
import ImageCore
package import RawData
import Synchronization

/// A lens database of lensfun: a folder of XML files or one of them. Read once per path and
/// process.
///
/// Parsing all of the system's files takes 65 ms, so only those elements are parsed that name the
/// camera, its mount, or a focal length of the lens and a mount that fits. Files named by a user
/// are parsed in full, which validates them.
package final class LensDatabase: Sendable {
  private struct Item {
    let name: String
    let bytes: FileBytes
  }

  /// Folder or file.
  package let path: String
  /// `lensfun 0.3.3, database of 2022-02-20`.
  package let version: String
  private let items: [Item]
  private let parsesAll: Bool
  private let lookups = Mutex(Lookups())

  /// Parsed elements and found cameras.
  private struct Lookups {
    var cameras: [[String]: (handle: LensfunHandle, camera: LensCamera?, mounts: [String])] = [:]
    var full: LensfunHandle?
  }

  private static let known = Mutex<[String: LensDatabase]>([:])
  private static let maxFileBytes = 32 << 20
  private static let maxFiles = 1000
  private static let maxCameras = 8

  /// The database at `path`, or the system's; nil if it does not exist.
  package static func shared(_ path: String?) throws(RAWError) -> LensDatabase? {
    guard let location = path ?? LensDatabaseFolders.system else { return nil }
    return try known.withLock { (known) throws(RAWError) in
      // A given path is parsed in full, even if it is the system's.
      let key = (path == nil ? "system " : "") + location
      if let database = known[key] { return database }
      let database = try LensDatabase(location, parsesAll: path != nil)
      known[key] = database
      return database
    }
  }

  init(_ path: String, parsesAll: Bool) throws(RAWError) {
    self.path = path
    self.parsesAll = parsesAll
    let files = try LensDatabaseFolders.files(path)
    guard files.count <= Self.maxFiles else {
      throw RAWError(
        .tooLarge, .settings,
        "this lens database has more than \(Self.maxFiles) files; name the folder of lensfun's "
          + "XML files",
        path: path)
    }
    var items: [Item] = []
    for file in files {
      let name = URL(filePath: file).lastPathComponent
      let bytes: FileBytes
      do {
        bytes = try FileBytes(path: file, limits: DecodeLimits(maxFileBytes: Self.maxFileBytes))
      } catch {
        throw Self.refusal(error.code == .cannotRead ? .cannotRead : .damaged, name, "", path)
      }
      // The parser accepts truncated files.
      guard bytes.isClosed else { throw Self.refusal(.damaged, name, "it ends early", path) }
      items.append(Item(name: name, bytes: bytes))
    }
    self.items = items
    version =
      "lensfun \(LensfunHandle.libraryVersion), database of "
      + LensDatabaseFolders.date(of: path, files: files)
    if parsesAll {
      let full = try Self.parse(items, path)
      lookups.withLock { $0.full = full }
    }
  }

  /// The corrections of the picture that `query` describes; nil when the database has no
  /// unambiguous match.
  package func profile(_ query: LensQuery) throws(RAWError) -> LensProfile? {
    try lookups.withLock { (lookups) throws(RAWError) in
      let (handle, camera, mounts) = try find(query, &lookups)
      guard let camera,
        let lens = LensMatch.lens(
          query, camera: camera,
          among: handle.lenses(fitting: mounts, focalLength: query.shot.focalLength))
      else { return nil }
      return LensProfile(
        camera: [camera.makers.first, camera.models.first].compactMap { $0 }
          .joined(separator: " "),
        lens: lens.models.first ?? "", cropFactor: camera.cropFactor,
        calibrationCropFactor: lens.cropFactor, calibrationAspectRatio: lens.aspectRatio,
        center: lens.center, calibration: handle.calibration(lens.index, at: query.shot)
      ).plausible
    }
  }

  /// All cameras of the database for which it has lenses.
  package func coverage() throws(RAWError) -> LensCoverage {
    let full = try Self.parse(items, path)
    return LensCoverage(full)
  }

  private func find(
    _ query: LensQuery, _ lookups: inout Lookups
  ) throws(RAWError) -> (handle: LensfunHandle, camera: LensCamera?, mounts: [String]) {
    if let full = lookups.full {
      let camera = LensMatch.camera(query, in: full.cameras)
      return (full, camera, camera.map { full.mounts(fitting: $0.mount) } ?? [])
    }
    // Cameras of one name differ by the equivalent focal length of the file.
    let key = [query.make, query.model, "\(query.equivalentFocalLength ?? 0)", query.lens]
    if let known = lookups.cameras[key] { return known }
    defer { for item in items { item.bytes.releaseMemory() } }
    let handle = try Self.parse([], path)
    let elements = items.map { (item: $0, elements: LensElements($0.bytes.buffer)) }
    func parse(
      _ kind: LensElements.Kind,
      choosing choose: ([UnsafeRawBufferPointer]) -> [UnsafeRawBufferPointer]
    ) throws(RAWError) {
      for (item, all) in elements {
        let chosen = choose(all.all(kind))
        guard !chosen.isEmpty else { continue }
        try all.database(of: chosen).withUnsafeBytes { text in
          Result { () throws(RAWError) in try Self.parse(text, item.name, into: handle, path) }
        }.get()
      }
    }
    let word = query.model.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    try parse(.camera) { all in all.contains { $0.mentions(word) } ? all : [] }
    let camera = LensMatch.camera(query, in: handle.cameras)
    var mounts: [String] = []
    if let camera {
      try parse(.mount) { $0.filter { $0.mentions("<name>\(camera.mount)</name>") } }
      mounts = handle.mounts(fitting: camera.mount)
      let focal = LensName(query.lens).focalText
      try parse(.lens) { all in
        guard camera.hasFixedLens || !focal.isEmpty else { return [] }
        return all.filter { lens in
          camera.hasFixedLens || LensElements.models(in: lens).contains { $0.mentions(focal) }
        }.filter { lens in mounts.contains { lens.mentions("<mount>\($0)</mount>") } }
      }
    }
    if lookups.cameras.count >= Self.maxCameras { lookups.cameras = [:] }
    lookups.cameras[key] = (handle, camera, mounts)
    return (handle, camera, mounts)
  }

  private static func parse(_ items: [Item], _ path: String) throws(RAWError) -> LensfunHandle {
    guard let handle = LensfunHandle() else {
      throw RAWError(
        .tooLarge, .settings, "there is not enough memory for the lens database", path: path)
    }
    try parse(items, into: handle, path)
    return handle
  }

  private static func parse(
    _ items: [Item], into handle: LensfunHandle, _ path: String
  ) throws(RAWError) {
    for item in items { try parse(item.bytes.buffer, item.name, into: handle, path) }
  }

  private static func parse(
    _ text: UnsafeRawBufferPointer, _ name: String, into handle: LensfunHandle, _ path: String
  ) throws(RAWError) {
    do {
      try handle.load(text, name: name)
    } catch {
      throw refusal(.damaged, name, error.reason, path)
    }
  }

  private static func refusal(
    _ code: RAWError.Code, _ name: String, _ reason: String, _ path: String
  ) -> RAWError {
    RAWError(
      code, .settings,
      code == .cannotRead
        ? "\(name) of this lens database cannot be read; check its permissions"
        : "\(name) of this lens database cannot be used\(reason.isEmpty ? "" : " (\(reason))"); "
          + "install liblensfun-data-v1 or name a folder of lensfun's XML files, version 1",
      path: path)
  }
}

extension FileBytes {
  /// Whether it ends with the closing tag of a lens database.
  fileprivate var isClosed: Bool {
    let tail = buffer.suffix(256)
    let end =
      tail.lastIndex { $0 > 0x20 }.map { tail[...$0] } ?? tail[tail.startIndex..<tail.startIndex]
    return end.reversed().starts(with: "</lensdatabase>".utf8.reversed())
  }
}

extension UnsafeRawBufferPointer {
  /// Whether it contains `text`; true as well for texts that XML may escape.
  fileprivate func mentions(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 < 0x80 }),
      !text.contains(where: { "&'\"".contains($0) })
    else { return true }
    return LensfunHandle.contains(self, text)
  }
}
