import ImageCore

/// What a user can do about a camera or a storage that the installed LibRaw does not know.
enum WayOut {
  case newerLibRaw
  case profile
  case conversion
  /// What to set in the camera.
  case setting(String)

  private var text: String {
    switch self {
    case .newerLibRaw: "install a newer LibRaw"
    case .profile: "give a camera profile"
    case .conversion: "convert the file with Adobe DNG Converter"
    case .setting(let setting): "set the camera to \(setting)"
    }
  }

  /// The same for programs; nil for what is done elsewhere.
  private var remedy: Remedy? {
    switch self {
    case .newerLibRaw: .installDecoder
    case .profile: .giveCameraProfile
    case .conversion, .setting: nil
    }
  }

  /// What programs have a way of their own to do, of these ways.
  static func remedies(_ ways: [WayOut]) -> [Remedy] { ways.compactMap(\.remedy) }

  /// The end of a message: these ways, one or more of them.
  static func sentence(_ ways: [WayOut]) -> String {
    let texts = ways.map(\.text)
    return texts.dropLast().joined(separator: ", ") + (texts.count > 1 ? ", or " : "")
      + (texts.last ?? "")
  }
}
