/// A camera that records raws, with its support status.
public struct SupportedCamera: Sendable, Hashable, Codable {
  /// Whether its raws are decoded.
  public enum Decoding: String, Sendable, Codable {
    /// Yes, in every storage format that LibRaw or the camera table names.
    case yes
    /// Some formats are not decoded, or LibRaw does not list the camera; see `reason`.
    case depends
  }

  /// Maker and model, as listed by LibRaw or the camera table.
  public var name: String
  /// Whether its raws are decoded.
  public var decodes: Decoding
  /// The condition; nil if raws are always decoded.
  public var reason: String?
  /// Origin of its colors: `the file` (DNG), `LibRaw 0.20.2`, `table (…)` or `none`.
  public var colors: String
  /// Year of its announcement; nil for cameras that only LibRaw lists.
  public var year: Int?
  /// File types that results were verified with, such as `CR2`; nil for none.
  public var tested: String?
  /// Whether the lens database has the camera and lenses that fit it; nil without a database.
  public var lenses: Bool?

  /// The maker and model for lens databases.
  package var keys: [CameraKey] = []

  private enum CodingKeys: String, CodingKey {
    case name, decodes, reason, colors, year, tested, lenses
  }
}

/// The cameras known by name. A DNG needs no entry: it describes itself.
public enum SupportedCameras {
  /// Names of makers and models, as LibRaw lists them.
  public static var models: [String] { LibRawHandle.cameraModels }

  /// The cameras listed by the installed LibRaw and by the camera table, sorted by name.
  public static var all: [SupportedCamera] {
    var known: [CameraKey: CameraTable.Camera] = [:]
    for camera in CameraTable.cameras {
      for key in camera.keys { known[key] = camera }
    }
    // Parentheses enclose another name in most entries, but a part of the name in some (Pixel 4a
    // (5G)).
    let named = Dictionary(
      CameraTable.cameras.map { ($0.listing, $0) }, uniquingKeysWith: { a, _ in a })
    let makers = Dictionary(grouping: CameraTable.cameras) { $0.keys[0].maker }
    let onlyDNG = Set(makers.filter { $0.value.allSatisfy(\.isDNG) }.keys)
    var listed: Set<String> = []
    var all: [SupportedCamera] = []
    var seen: Set<String> = []
    // The list contains DNG as a camera, and two names twice.
    for entry in models where !entry.hasPrefix("Adobe ") && seen.insert(entry).inserted {
      let keys = CameraKey.listed(entry)
      let camera = named[entry] ?? keys.lazy.compactMap { known[$0] }.first
      if let camera { listed.insert(camera.name) }
      let isDNG = camera.map(\.isDNG) ?? keys.contains { onlyDNG.contains($0.maker) }
      all.append(
        SupportedCamera(
          entry, camera, keys: Array(keys),
          colors: isDNG ? .file : camera?.notes.contains("mono") == true ? .none : .libRaw,
          reasons: [entry.remark].compactMap { $0 }))
    }
    for camera in CameraTable.cameras where !listed.contains(camera.name) {
      all.append(
        SupportedCamera(
          camera.listing, camera, keys: camera.keys,
          colors: camera.isDNG
            ? .file : camera.daylight.map { FactOrigin(.table, $0.origin) } ?? .none,
          reasons: camera.isDNG ? [] : ["not listed by \(FactOrigin.libRaw)"]))
    }
    return all.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
  }
}

extension SupportedCamera {
  fileprivate init(
    _ name: String, _ camera: CameraTable.Camera?, keys: [CameraKey], colors: FactOrigin,
    reasons: [String]
  ) {
    // The maker's name shows whether their ORF is supported (UndecodedStorage).
    let notes = (camera?.make.hasPrefix("OM ") == true ? ["om"] : []) + (camera?.notes ?? [])
    let all = reasons + notes.compactMap { Self.reason($0) }
    self.init(
      name: name, decodes: all.isEmpty ? .yes : .depends,
      reason: all.isEmpty ? nil : all.joined(separator: "; "), colors: colors.description,
      year: camera?.year, tested: keys.lazy.compactMap { Self.testedFiles[$0] }.first, keys: keys)
  }

  /// The requirement for a storage format of the table; nil if the installed LibRaw decodes it.
  private static func reason(_ note: String) -> String? {
    func since(_ minor: Int, _ what: String) -> String? {
      let version = LibRawVersion(major: 0, minor: minor)
      return .installed < version ? "\(what) needs LibRaw \(version)" : nil
    }
    switch note {
    case "crx2": return since(21, "CR3 of codec version 2")
    case "he": return "High Efficiency is not decoded"
    case "ljpeg": return since(22, "lossless compressed M and S")
    case "arw6": return "Compressed and Compressed HQ were not tested with a real file"
    case "lossy": return since(21, "lossy compressed")
    case "om": return since(21, "ORF")
    case "orf14": return since(22, "14-bit high resolution")
    default: return nil
    }
  }

  /// Cameras whose files results were verified with; see Docs/verification.md for numbers.
  private static let testedFiles: [CameraKey: String] = {
    let files = [
      ("Apple", "iPhone 12 Pro", "DNG, description alone"),
      ("Blackmagic", "Pocket Cinema Camera", "DNG"), ("Canon", "EOS 30D", "CR2"),
      ("Canon", "EOS 550D", "DNG"),
      ("Canon", "PowerShot G10", "CR2"), ("GoPro", "Fusion", "DNG"), ("LG", "G4", "DNG"),
      ("Nikon", "D5000", "DNG of floats"), ("Sony", "ILCE-7RM4", "linear DNG"),
    ]
    return Dictionary(
      files.map { (CameraKey(make: $0.0, model: $0.1), $0.2) }, uniquingKeysWith: { a, _ in a })
  }()
}

extension CameraTable.Camera {
  /// Whether its files describe themselves; GoPro's files are DNGs with proprietary storage.
  fileprivate var isDNG: Bool { files == "DNG" || files == "GPR" }

  /// All its names in one line, in the form of LibRaw's list.
  fileprivate var listing: String { ([name] + aliases).joined(separator: " / ") }
}

extension String {
  /// The remark about storage formats in parentheses of an entry in LibRaw's list.
  fileprivate var remark: String? {
    guard let start = firstIndex(of: "("), let end = lastIndex(of: ")"), start < end else {
      return nil
    }
    let text = String(self[index(after: start)..<end])
    return text.contains(" only") || text.contains("not supported") ? text : nil
  }
}
