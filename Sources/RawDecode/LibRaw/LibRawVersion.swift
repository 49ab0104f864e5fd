internal import CLibRaw

/// A LibRaw version, without the patch number.
package struct LibRawVersion: Comparable, CustomStringConvertible {
  package let major: Int
  package let minor: Int

  package init(major: Int, minor: Int) {
    (self.major, self.minor) = (major, minor)
  }

  package static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

  package var description: String { "\(major).\(minor)" }

  /// The version of the library.
  package static let installed = LibRawVersion(libraw_versionNumber())

  /// The version of the headers this program was built with.
  static let headers = LibRawVersion(clibraw_header_version())

  /// The complete version of the library, such as `0.20.2`.
  static let text = "\(installed).\(libraw_versionNumber() & 255)"
}

extension LibRawVersion {
  /// Parses LibRaw's version `number`, one byte per component.
  fileprivate init(_ number: Int32) {
    self.init(major: Int(number >> 16 & 255), minor: Int(number >> 8 & 255))
  }
}

extension FactOrigin {
  /// The linked version of LibRaw.
  static var libRaw: FactOrigin { FactOrigin(.libRaw, LibRawVersion.text) }
}
