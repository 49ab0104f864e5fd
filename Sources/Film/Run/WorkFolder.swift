import Batch
import Formats
import Foundation
import ImageCore
import SystemPackage
import Writers

/// What is known of a segment that is coded.
struct SegmentRecord: Sendable, Hashable, Codable {
  /// Frames in its file.
  var frames: Int
  var light: CodedContentLight
  /// Frames that could not be read, and why.
  var bad: [BadFrame] = []
  /// Whether the film ends with it.
  var isLast = false
}

/// A frame that could not be read.
public struct BadFrame: Sendable, Hashable, Codable {
  /// Its file.
  public var path: String
  /// What is wrong with it.
  public var message: String
}

/// The folder beside a film where its segments wait until all are there: `.NAME.rawdev-film`. A
/// segment has its name when its file is complete and its record is written, so a killed run loses
/// the segments that it was coding, and no other. One run at a time has it.
struct WorkFolder {
  let path: String
  private let container: FilmContainer
  private let lock: FileDescriptor

  /// The folder of the film at `film`; of one that is no file, a new one of the system. `plan`
  /// names all that the segments depend on: those of another are removed, and all where `keeps` is
  /// false.
  init(
    _ film: String?, container: FilmContainer, plan: String, keeps: Bool
  ) throws(FilmError) {
    self.container = container
    if let film {
      let url = URL(fileURLWithPath: film)
      let name = String(url.lastPathComponent.prefix(120))
      path =
        url.deletingLastPathComponent().path + "/." + name + ".rawdev-film"
    } else {
      path =
        NSTemporaryDirectory() + "/rawdev-film-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    }
    if unsafe mkdir(path, 0o777) != 0, errno != EEXIST {
      throw Self.failure("cannot be made", path)
    }
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else {
      throw FilmError(
        .cannotWrite, "is no folder of yours, and the segments go there; remove it", path: path)
    }
    do {
      lock = try FileDescriptor.open(
        FilePath(path + "/lock"), .readWrite, options: [.create, .closeOnExec, .noFollow],
        permissions: FilePermissions(rawValue: 0o666))
    } catch { throw Self.failure("cannot be written to", path) }
    do { try lock.lock() } catch {
      try? lock.close()
      throw FilmError(
        .cannotWrite, "another process makes this film; wait for it, or name another", path: path)
    }
    let old = try? String(contentsOfFile: path + "/plan", encoding: .utf8)
    if old != plan || !keeps {
      removeFiles(except: ["lock"])
      try write(Array(plan.utf8), to: path + "/plan")
    }
  }

  private static func failure(_ what: String, _ path: String) -> FilmError {
    let error = AtomicFile.failure(what, path: path)
    return FilmError(error.code == .diskFull ? .diskFull : .cannotWrite, error.message, path: path)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(FilmError) {
    do { _ = try AtomicFile.write([bytes], to: path) } catch let error as WriteError {
      throw FilmError(
        error.code == .diskFull ? .diskFull : .cannotWrite, error.message, path: path)
    } catch { throw FilmError(.cannotWrite, "\(error)", path: path) }
  }

  /// The name of segment `index`, and of the file in which it is coded.
  func name(_ index: Int) -> String { String(format: "%06d.", index) + container.rawValue }
  func part(_ index: Int) -> String { path + "/part-" + name(index) }
  /// The list of all for the muxer, and the file that this makes.
  var list: String { path + "/list" }
  var joined: String { path + "/joined." + container.rawValue }

  /// The record of segment `index`; nil where it is not done.
  func record(_ index: Int) -> SegmentRecord? {
    guard FileManager.default.fileExists(atPath: path + "/" + name(index)),
      let data = FileManager.default.contents(atPath: path + "/" + name(index) + ".json")
    else { return nil }
    return try? JSONDecoder().decode(SegmentRecord.self, from: data)
  }

  /// Segment `index`, whose part is complete, is done.
  func finish(_ index: Int, _ record: SegmentRecord) throws(FilmError) {
    guard let file = try? FileDescriptor.open(FilePath(part(index)), .readWrite) else {
      throw Self.failure("cannot be opened", part(index))
    }
    let isSynced = fsync(file.rawValue) == 0
    try? file.close()
    guard isSynced else { throw Self.failure("cannot be written", part(index)) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(record) else {
      throw FilmError(.cannotWrite, "the record of a segment cannot be written", path: path)
    }
    try write([UInt8](data), to: path + "/" + name(index) + ".json")
    guard unsafe rename(part(index), path + "/" + name(index)) == 0 else {
      throw Self.failure("cannot be renamed", part(index))
    }
  }

  func write(list text: String) throws(FilmError) { try write(Array(text.utf8), to: list) }

  /// Removes all that is ours, and the folder.
  func remove() {
    removeFiles()
    unsafe rmdir(path)
    try? lock.close()
  }

  /// Ends the use of the folder, whose complete segments stay.
  func leave() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    where name.hasPrefix("part-") || name.hasPrefix("joined.") {
      unsafe unlink(path + "/" + name)
    }
    try? lock.close()
  }

  private func removeFiles(except kept: Set<String> = []) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      let isOurs =
        ["lock", "plan", "list"].contains(name) || name.hasPrefix("joined.")
        || name.hasPrefix("part-")
        || name.prefix { $0.isNumber }.count >= 6
        || name.hasSuffix(".rawdev-tmp")
      if isOurs, !kept.contains(name) { unsafe unlink(path + "/" + name) }
    }
  }
}
