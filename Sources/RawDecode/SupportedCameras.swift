/// A camera that records raws, and what is known of it here.
public struct SupportedCamera: Sendable, Hashable, Codable {
  /// Whether its raws are decoded.
  public enum Decoding: String, Sendable, Codable {
    /// They are, in every storage that LibRaw or the table of cameras names.
    case yes
    /// Some storages are not, or LibRaw does not list the camera; `reason` says which.
    case depends
  }

  /// Maker and model, as LibRaw lists them, or the table of cameras.
  public var name: String
  /// Whether its raws are decoded.
  public var decodes: Decoding
  /// What it depends on; nil where raws are decoded in any case.
  public var reason: String?
  /// Where its colors come from: `the file` (DNG), `LibRaw 0.20.2`, `table (…)` or `none`.
  public var colors: String
  /// Year of its announcement; nil for cameras that only LibRaw lists.
  public var year: Int?
  /// The real files of it with which results were compared, such as `CR2`; nil for none.
  public var tested: String?
  /// Whether the lens database has the camera and lenses that fit it; nil without a database.
  public var lenses: Bool?

  /// The maker and model for lens databases.
  package var keys: [CameraKey] = []

  private enum CodingKeys: String, CodingKey {
    case name, decodes, reason, colors, year, tested, lenses
  }
}

/// The cameras that the decoder knows by name. A DNG needs no entry: it describes itself.
public enum SupportedCameras {
  /// Names of makers and models, as LibRaw lists them.
  public static var models: [String] { LibRawHandle.cameraModels }

  /// The cameras that the installed LibRaw lists, and those of the table of cameras; sorted by
  /// name.
  public static var all: [SupportedCamera] {
    var known: [CameraKey: CameraTable.Camera] = [:]
    for camera in CameraTable.cameras {
      for key in camera.keys { known[key] = camera }
    }
    // Brackets hold another name in most entries, but a part of the name in some (Pixel 4a (5G)).
    let named = Dictionary(
      CameraTable.cameras.map { ($0.listing, $0) }, uniquingKeysWith: { a, _ in a })
    let makers = Dictionary(grouping: CameraTable.cameras) { $0.keys[0].maker }
    let onlyDNG = Set(makers.filter { $0.value.allSatisfy(\.isDNG) }.keys)
    var listed: Set<String> = []
    var all: [SupportedCamera] = []
    var seen: Set<String> = []
    // The list has DNG as a camera, and two names twice.
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
    // Their ORF is known by the maker's name (UndecodedStorage).
    let notes = (camera?.make.hasPrefix("OM ") == true ? ["om"] : []) + (camera?.notes ?? [])
    let all = reasons + notes.compactMap { Self.reason($0) }
    self.init(
      name: name, decodes: all.isEmpty ? .yes : .depends,
      reason: all.isEmpty ? nil : all.joined(separator: "; "), colors: colors.description,
      year: camera?.year, tested: keys.lazy.compactMap { Self.testedFiles[$0] }.first, keys: keys)
  }

  /// What a storage of the table asks for; nil where the installed LibRaw decodes it.
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

  /// Cameras with whose real files results were compared; Docs/verification.md has the numbers.
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
  /// Whether its files describe themselves; GoPro's are DNGs of their own storage.
  fileprivate var isDNG: Bool { files == "DNG" || files == "GPR" }

  /// All its names in one line, as LibRaw's list has them.
  fileprivate var listing: String { ([name] + aliases).joined(separator: " / ") }
}

extension String {
  /// What an entry of LibRaw's list says in parentheses about storages.
  fileprivate var remark: String? {
    guard let start = firstIndex(of: "("), let end = lastIndex(of: ")"), start < end else {
      return nil
    }
    let text = String(self[index(after: start)..<end])
    return text.contains(" only") || text.contains("not supported") ? text : nil
  }
}
