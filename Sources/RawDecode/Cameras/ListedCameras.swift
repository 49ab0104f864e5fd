import Synchronization

/// What the installed LibRaw lists, by name. LibRaw searches its table of colors by the beginning
/// of the model, so that a camera that it does not know gets those of an older one; its list says
/// which cameras it was made for.
enum ListedCameras {
  private static let known = Mutex<[[String]: [CameraKey: String]]>([:])

  /// Entries of the list of one maker by key; with the digits of a model all that can be that one,
  /// and few others: a key takes longer to make than to rule out.
  private static func entries(of maker: String, with digits: String = "") -> [CameraKey: String] {
    known.withLock { known in
      if let entries = known[[maker, digits]] { return entries }
      var entries: [CameraKey: String] = [:]
      // Entries of one maker follow each other.
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

  /// The entry of one of these names of a camera; nil when it is not listed.
  static func entry(_ keys: [CameraKey]) -> String? {
    keys.lazy.compactMap { entries(of: $0.maker, with: $0.digits)[$0] }.first
  }

  /// The listed camera of the same maker whose model is the longest beginning of `key`'s: the one
  /// whose colors LibRaw takes for a camera that it does not list.
  static func relative(_ key: CameraKey) -> String? {
    entries(of: key.maker)
      .filter { key.model.hasPrefix($0.key.model) && !$0.key.model.isEmpty }
      .max { ($0.key.model.utf8.count, $1.value) < ($1.key.model.utf8.count, $0.value) }?.value
  }
}

extension CameraKey {
  /// The first digits of the model, which every spelling of it has, too, if only with blanks in
  /// between; empty where they can stand for a numeral.
  fileprivate var digits: String {
    guard let first = model.utf8.firstIndex(where: \.isDigit),
      model[..<first].utf8.last != UInt8(ascii: "m")
    else { return "" }
    return String(model[first...].prefix { $0.isASCII && $0.isNumber })
  }
}

extension String {
  /// Whether `digits` begin with digits that stand in this.
  fileprivate func hasDigits(beginning digits: String) -> Bool {
    utf8.split { !$0.isDigit }.contains { digits.utf8.starts(with: $0) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension LibRawFacts {
  /// The names of the camera: as the file has it, and as LibRaw writes it.
  var cameraKeys: [CameraKey] {
    [
      CameraKey(make: make, model: model),
      CameraKey(make: normalizedMake, model: normalizedModel),
    ]
  }

  /// Maker and model.
  var cameraName: String { [make, model].filter { !$0.isEmpty }.joined(separator: " ") }
}
