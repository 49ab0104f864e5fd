import ImageCore

/// Advice for a camera or a storage format that the installed LibRaw does not support.
enum Workaround {
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

  /// The remedy for programs; nil if it is outside the program.
  private var remedy: Remedy? {
    switch self {
    case .newerLibRaw: .installDecoder
    case .profile: .giveCameraProfile
    case .conversion, .setting: nil
    }
  }

  /// The remedies that a program can offer.
  static func remedies(_ workarounds: [Workaround]) -> [Remedy] { workarounds.compactMap(\.remedy) }

  /// The advice as the end of a message, one or more alternatives.
  static func sentence(_ workarounds: [Workaround]) -> String {
    let texts = workarounds.map(\.text)
    return texts.dropLast().joined(separator: ", ") + (texts.count > 1 ? ", or " : "")
      + (texts.last ?? "")
  }
}
