import Containers
import Foundation

/// Frames that belong together: of one folder, manifest or movie, or files of one kind that were
/// named one after the other.
public struct FilmClip: Sendable, Hashable {
  /// What its files are.
  public enum Kind: String, Sendable, Hashable {
    /// Camera raws, a frame each.
    case raws
    /// Finished pictures, a frame each.
    case stills
    /// One movie.
    case movie
  }

  /// What its files are.
  public let kind: Kind
  /// The files, in order.
  public internal(set) var paths: [String]
  /// What is unusual about it, for people.
  public internal(set) var notes: [String] = []

  /// How files of a folder are ordered.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// By the numbers in their names.
    case number
    /// By the time of capture, then by number.
    case time
  }

  private static let movies: Set = [
    "mov", "mp4", "m4v", "mkv", "webm", "mxf", "avi", "mts", "m2ts", "ts", "qt",
  ]
  private static let stills: Set = [
    "heic", "heif", "hif", "avif", "jpg", "jpeg", "png", "tif", "tiff", "jxl", "exr", "hdr", "webp",
    "npy",
  ]
  /// Of one film.
  static let maxFrames = 10_000_000

  /// What the file of this name is, by its extension; nil for others.
  static func kind(_ name: String) -> Kind? {
    let ending = URL(fileURLWithPath: name).pathExtension.lowercased()
    if RawExtensions.all.contains(ending) { return .raws }
    if movies.contains(ending) { return .movie }
    return stills.contains(ending) ? .stills : nil
  }

  /// The clips of `arguments`: folders, and files of any kind. Throws where one does not exist or
  /// holds no picture.
  static func clips(_ arguments: [String], _ order: Order) throws(FilmError) -> [FilmClip] {
    var clips: [FilmClip] = []
    for argument in arguments {
      var isFolder: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
        throw FilmError(.cannotRead, "there is no such file or folder", path: argument)
      }
      if isFolder.boolValue {
        clips.append(try folder(argument, order))
        continue
      }
      // What is called by no known extension is opened as a picture.
      let kind = Self.kind(argument) ?? .stills
      if kind != .movie, clips.last?.kind == kind, clips.last?.isNamed == true {
        clips[clips.count - 1].paths.append(argument)
      } else {
        clips.append(FilmClip(kind, [argument], isNamed: true))
      }
    }
    return clips
  }

  /// Whether its files were named one by one.
  private var isNamed = false

  init(_ kind: Kind, _ paths: [String], isNamed: Bool = false) {
    (self.kind, self.paths, self.isNamed) = (kind, paths, isNamed)
  }

  private static func folder(_ path: String, _ order: Order) throws(FilmError) -> FilmClip {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw FilmError(.cannotRead, "the folder cannot be read; check its permissions", path: path)
    }
    let kinds = Dictionary(grouping: names.filter { !$0.hasPrefix(".") }) { Self.kind($0) }
    let kind: Kind = kinds[.raws] != nil ? .raws : .stills
    guard let found = kinds[kind], !found.isEmpty else {
      throw FilmError(
        .cannotRead, "there is no raw and no picture in this folder; name another, or a movie",
        path: path)
    }
    let sorted = found.map { ($0, NaturalOrder($0)) }.sorted { $0.1 < $1.1 }
    var clip = FilmClip(kind, sorted.map { path + (path.hasSuffix("/") ? "" : "/") + $0.0 })
    if order == .number { clip.notes += gaps(sorted.map(\.1)) }
    if kind == .raws, let others = kinds[.stills]?.count {
      clip.notes.append("\(others) finished pictures in the folder are not part of the film")
    }
    return clip
  }

  /// Numbers that are missing between the first and the last name.
  private static func gaps(_ names: [NaturalOrder]) -> [String] {
    let numbers = names.compactMap(\.number)
    guard numbers.count == names.count else { return [] }
    let gaps = zip(numbers, numbers.dropFirst()).filter { $1 > $0 && $1 - $0 > 1 }
    let missing = gaps.reduce(0) { $0 + ($1.1 - $1.0 - 1) }
    guard let first = gaps.first, missing <= 10 * names.count else { return [] }
    let from = first.0 + 1 == first.1 - 1 ? "\(first.0 + 1)" : "\(first.0 + 1) to \(first.1 - 1)"
    return [
      "\(missing) numbers are missing between the first and the last frame"
        + (gaps.count == 1 ? " (\(from))" : ", from \(first.0 + 1) on")
    ]
  }
}
