internal import CLibRaw

/// The version of the LibRaw that is running.
struct LibRawVersion: Comparable, CustomStringConvertible {
  let major: Int
  let minor: Int

  static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

  var description: String { "\(major).\(minor)" }

  /// That of the library.
  static let installed = {
    let number = Int(libraw_versionNumber())
    return LibRawVersion(major: number >> 16 & 255, minor: number >> 8 & 255)
  }()

  /// All three numbers, such as `0.20.2`.
  static let text = {
    let number = Int(libraw_versionNumber())
    return "\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
  }()
}
