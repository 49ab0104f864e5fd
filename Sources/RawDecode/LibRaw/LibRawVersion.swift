internal import CLibRaw

/// A version of LibRaw, without its last number.
package struct LibRawVersion: Comparable, CustomStringConvertible {
  package let major: Int
  package let minor: Int

  package init(major: Int, minor: Int) {
    (self.major, self.minor) = (major, minor)
  }

  package static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

  package var description: String { "\(major).\(minor)" }

  /// That of the library.
  package static let installed = LibRawVersion(libraw_versionNumber())

  /// That of the headers with which this program was built.
  static let headers = LibRawVersion(clibraw_header_version())

  /// All three numbers of the library's, such as `0.20.2`.
  static let text = "\(installed).\(libraw_versionNumber() & 255)"
}

extension LibRawVersion {
  /// The version of LibRaw's `number`, a byte each.
  fileprivate init(_ number: Int32) {
    self.init(major: Int(number >> 16 & 255), minor: Int(number >> 8 & 255))
  }
}

extension FactOrigin {
  /// LibRaw of the version that is linked.
  static var libRaw: FactOrigin { FactOrigin(.libRaw, LibRawVersion.text) }
}
