import Synchronization

/// The camera list of the installed LibRaw, by name. LibRaw matches its color table by model
/// prefix, so an unknown camera may get the colors of an older one; the list shows which cameras
/// LibRaw really supports.
enum ListedCameras {
  private static let known = Mutex<[[String]: [CameraKey: String]]>([:])

  /// List entries of one maker, by key. If `digits` of a model are given, only entries that may
  /// match, since making a key takes longer than excluding it.
  private static func entries(of maker: String, with digits: String = "") -> [CameraKey: String] {
    known.withLock { known in
      if let entries = known[[maker, digits]] { return entries }
      var entries: [CameraKey: String] = [:]
      // Entries of one maker are consecutive.
      var (word, isWanted) = (Substring(), false)
      for entry in LibRawHandle.cameraModels {
        let first = entry.prefix { $0 != " " }
        if first != word {
          (word, isWanted) = (first, CameraKey(make: String(first), model: "").maker == maker)
        }
        guard isWanted, digits.isEmpty || entry.hasDigits(beginning: digits) else { continue }
        for key in CameraKey.listed(entry) where entries[key] == nil { entries[key] = entry }
      }
      known[[maker, digits]] = entries
      return entries
    }
  }

  /// The entry with one of the `keys`; nil if not listed.
  static func entry(_ keys: [CameraKey]) -> String? {
    keys.lazy.compactMap { entries(of: $0.maker, with: $0.digits)[$0] }.first
  }

  /// The listed camera of the same maker with the longest model prefix of `key`: the one whose
  /// colors LibRaw uses for an unlisted camera.
  static func relative(_ key: CameraKey) -> String? {
    entries(of: key.maker)
      .filter { key.model.hasPrefix($0.key.model) && !$0.key.model.isEmpty }
      .max { ($0.key.model.utf8.count, $1.value) < ($1.key.model.utf8.count, $0.value) }?.value
  }
}

extension CameraKey {
  /// The first digits of the model, which all spellings share, apart from spaces; empty if they may
  /// represent a Roman numeral.
  fileprivate var digits: String {
    guard let first = model.utf8.firstIndex(where: \.isDigit),
      model[..<first].utf8.last != UInt8(ascii: "m")
    else { return "" }
    return String(model[first...].prefix { $0.isASCII && $0.isNumber })
  }
}

extension String {
  /// Whether `digits` start with digits contained in this string.
  fileprivate func hasDigits(beginning digits: String) -> Bool {
    utf8.split { !$0.isDigit }.contains { digits.utf8.starts(with: $0) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension LibRawMetadata {
  /// The camera's names: as stored in the file, and as LibRaw writes it.
  var cameraKeys: [CameraKey] {
    [
      CameraKey(make: make, model: model),
      CameraKey(make: normalizedMake, model: normalizedModel),
    ]
  }

  /// Maker and model.
  var cameraName: String { [make, model].filter { !$0.isEmpty }.joined(separator: " ") }
}
