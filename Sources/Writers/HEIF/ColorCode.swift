import Containers
import ImageCore

/// The four code points of ITU-T H.273 that say what YCbCr codes mean, always full range, and the
/// names that libx265 has for them.
package struct ColorCode: Sendable {
  let primaries: UInt16
  let transfer: UInt16
  let matrix: UInt16
  package private(set) var primariesName = "unknown"
  package private(set) var transferName = "unknown"
  package private(set) var matrixName = "unknown"

  /// BT.2100 hybrid log-gamma.
  package static let hlg = ColorCode(
    primaries: 9, transfer: 18, matrix: 9, primariesName: "bt2020",
    transferName: "arib-std-b67", matrixName: "bt2020nc")
  /// BT.2100 perceptual quantizer.
  package static let pq = ColorCode(
    primaries: 9, transfer: 16, matrix: 9, primariesName: "bt2020",
    transferName: "smpte2084", matrixName: "bt2020nc")
  /// Display P3 with the matrix of BT.601, as cameras and phones write it.
  package static let displayP3 = ColorCode(
    primaries: 12, transfer: 13, matrix: 6, primariesName: "smpte432",
    transferName: "iec61966-2-1", matrixName: "smpte170m")
  /// A gain map of one channel.
  static let gainMap = ColorCode(primaries: 2, transfer: 2, matrix: 2)
  /// A gain map for red, green and blue, by the matrix of BT.601.
  static let colorGainMap = ColorCode(
    primaries: 2, transfer: 2, matrix: 6, matrixName: "smpte170m")
}

extension ColorCode {
  /// Display light in `primaries`, as PQ or with the sRGB curve, for an item that is not coded.
  init(primaries: Primaries, isHDR: Bool) {
    let code: (primaries: UInt16, matrix: UInt16) =
      switch primaries {
      case .bt2020: (9, 9)
      case .displayP3: (12, 6)
      case .srgb: (1, 6)
      }
    self.init(primaries: code.primaries, transfer: isHDR ? 16 : 13, matrix: code.matrix)
  }
}

extension HEIFProperty {
  /// The code points of `code`.
  static func color(_ code: ColorCode) -> HEIFProperty {
    .codePoints(
      CodePoints(
        primaries: code.primaries, transfer: code.transfer, matrix: code.matrix, isFullRange: true)
    )
  }
}
