import Containers
import Foundation
package import ImageCore
package import RawData
import Synchronization

/// Automatic measurements of a frame.
package struct SeriesFindings: Sendable, Hashable, Codable {
  /// Baseline exposure in stops, without the offset of a profile, for the tone curves of standard
  /// and faithful; nil for files that declare it.
  package var exposure: Float?
  package var faithfulExposure: Float?
  /// The white estimated from the colors; nil for files without colors.
  package var white: Chromaticity?
  /// The camera look, as the text of a ``CameraLookFile``; nil without a trusted preview.
  package var look: String?

  package init(
    exposure: Float? = nil, faithfulExposure: Float? = nil, white: Chromaticity? = nil,
    look: String? = nil
  ) {
    (self.exposure, self.faithfulExposure) = (exposure, faithfulExposure)
    (self.white, self.look) = (white, look)
  }

  /// All values, as text.
  package var text: String {
    func text(_ value: Float?) -> String { value.map { "\($0)" } ?? "none" }
    let white = white.map { "\($0.x) \($0.y)" } ?? "none"
    return [text(exposure), text(faithfulExposure), white, look ?? ""].joined(separator: "\n")
  }
}

/// Measurements shared by all frames of a key.
package struct SeriesEntry: Sendable, Hashable {
  package var key: SeriesKey
  /// The name of the raw that was measured.
  package var source: String
  package var findings: SeriesFindings

  package init(_ key: SeriesKey, source: String, _ findings: SeriesFindings) {
    (self.key, self.source, self.findings) = (key, source, findings)
  }
}

/// The file of a series: automatic measurements by camera, style and light, so that all frames and
/// all machines agree.
///
/// JSON in UTF-8: `rawdevSeries`, the version of the format, and `entries`, of which the first that
/// matches a frame is used. Entries are appended and never changed, so a frame keeps its entry.
/// Numbers are rounded when they are written: exposures to 10⁻⁴ stops, whites to 10⁻⁶, light to
/// 10⁻³ stops. Domain: up to ``maxEntries`` and ``maxBytes``. Known failure: entries measured by an
/// older release are not updated.
package struct SeriesFile: Sendable, Hashable {
  package static let version = 1
  package static let maxEntries = 512
  /// Maximum file size.
  static let maxBytes = 16 << 20
  /// Maximum bytes of a look, and of other texts.
  private static let (longestLook, longestText) = (64 << 10, 1000)

  package var entries: [SeriesEntry] = []

  package init() {}
  fileprivate init(entries: [SeriesEntry]) { self.entries = entries }

  /// The entry of a frame; nil if there is none yet.
  package func entry(of key: SeriesKey) -> SeriesEntry? { entries.first { key.isIn($0.key) } }

  // MARK: Reading

  /// The file at `path`; empty if it does not exist. Cached per process until it changes. Throws
  /// `.cannotRead`, `.damaged`, `.unsupported` or `.tooLarge`.
  package static func read(_ path: String) throws(RAWError) -> SeriesFile {
    guard let stamp = FileStamp(path) else { return SeriesFile() }
    if let known = known.withLock({ $0[path] }), known.stamp == stamp { return known.file }
    do {
      var limits = DecodeLimits()
      limits.maxFileBytes = maxBytes
      let file = try read(FileBytes(path: path, limits: limits))
      known.withLock { known in
        if known.count >= 16 { known = [:] }
        known[path] = (stamp, file)
      }
      return file
    } catch { throw RAWError(error, .open) }
  }

  private static let known = Mutex<[String: (stamp: FileStamp, file: SeriesFile)]>([:])

  /// Identity and version of a file.
  private struct FileStamp: Hashable {
    let node, bytes, seconds, nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      (node, bytes) = (Int(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
  }

  static func read(_ file: FileBytes) throws(FormatError) -> SeriesFile {
    func damaged(_ reason: String) -> FormatError {
      FormatError(
        .damaged,
        "the series file \(reason); restore it, or remove it to have it made again",
        path: file.path)
    }
    let bytes = Data(file.bytes(0, file.count) ?? [])
    guard let head = try? JSONDecoder().decode(Head.self, from: bytes) else {
      throw damaged("is not JSON with a number rawdevSeries")
    }
    guard head.rawdevSeries == version else {
      throw FormatError(
        .unsupported,
        "the series file is of version \(head.rawdevSeries), and \(version) is read here; take a "
          + "newer rawdev, or begin another file", path: file.path)
    }
    let stored: Stored
    do { stored = try JSONDecoder().decode(Stored.self, from: bytes) } catch {
      throw damaged("lacks something in its entries")
    }
    guard stored.entries.count <= maxEntries else {
      throw damaged("has more than \(maxEntries) entries")
    }
    var found = SeriesFile()
    for (index, stored) in stored.entries.enumerated() {
      guard let entry = stored.entry, stored.texts.allSatisfy({ $0.utf8.count <= longestText }),
        (stored.look?.utf8.count ?? 0) <= longestLook
      else { throw damaged("has an invalid value in entry \(index + 1)") }
      found.entries.append(entry)
    }
    return found
  }

  // MARK: Writing

  /// The file, with an entry on each line.
  package var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let lines = try entries.map {
        String(decoding: try encoder.encode(StoredEntry($0)), as: UTF8.self)
      }
      let list = lines.isEmpty ? "[]" : "[\n" + lines.joined(separator: ",\n") + "\n]"
      return Array("{\"rawdevSeries\": \(Self.version), \"entries\": \(list)}\n".utf8)
    }
  }

  private struct Head: Decodable { var rawdevSeries: Int }

  private struct Stored: Decodable { var entries: [StoredEntry] }

  private struct StoredEntry: Codable {
    var camera: String
    var style: String?
    var light: [Double]?
    var flash: Bool
    var colors: String?
    var source: String
    var exposure: Double?
    var faithfulExposure: Double?
    var white: [Double]?
    var look: String?

    var texts: [String] { [camera, source, style ?? "", colors ?? ""] }

    init(_ entry: SeriesEntry) {
      let frame = entry.key.frame
      (camera, style, light, flash) = (frame.camera, frame.style, frame.light, frame.isFlash)
      let findings = entry.findings
      (colors, source, look) = (entry.key.colors, entry.source, findings.look)
      exposure = findings.exposure.map { SeriesFindings.rounded(stops: Double($0)) }
      faithfulExposure = findings.faithfulExposure.map { SeriesFindings.rounded(stops: Double($0)) }
      white = findings.white.map { [$0.x, $0.y] }
    }

    /// The entry; nil if a number is out of range.
    var entry: SeriesEntry? {
      let stops = [exposure, faithfulExposure].compactMap { $0 }
      guard stops.allSatisfy({ Adjustment.exposureRange.contains(Float($0)) }),
        light.map({ $0.count == 2 && $0.allSatisfy(SeriesFrame.lights.contains) }) ?? true,
        white.map({ xy in
          xy.count == 2 && xy.allSatisfy(RAWSettings.chromaticities.contains) && xy[0] + xy[1] < 1
        }) ?? true
      else { return nil }
      let frame = SeriesFrame(camera: camera, style: style, light: light, isFlash: flash)
      return SeriesEntry(
        SeriesKey(frame: frame, colors: colors), source: source,
        SeriesFindings(
          exposure: exposure.map { Float($0) },
          faithfulExposure: faithfulExposure.map { Float($0) },
          white: white.map { Chromaticity(x: $0[0], y: $0[1]) }, look: look))
    }
  }
}

extension SeriesKey {
  fileprivate init(frame: SeriesFrame, colors: String?) {
    (self.frame, self.colors) = (frame, colors)
  }
}

extension SeriesEntry {
  /// Whether it can be read again: results of another process and camera names are not trusted.
  package var isSound: Bool {
    guard let bytes = try? SeriesFile(entries: [self]).bytes,
      let file = try? FileBytes(bytes), (try? SeriesFile.read(file)) != nil
    else { return false }
    guard let look = findings.look else { return true }
    return (try? FileBytes(Array(look.utf8))).map { (try? CameraLookFile.read($0)) != nil } ?? false
  }
}

extension SeriesFindings {
  /// Stops as they are stored.
  static func rounded(stops: Double) -> Double { (stops * 10_000).rounded() / 10_000 }
}
