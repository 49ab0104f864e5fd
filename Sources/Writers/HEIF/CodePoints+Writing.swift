import Containers
import Formats
import HDRRender
import ImageCore

extension HEIFProperty.CodePoints {
  /// From primaries and a transfer function; the matrix is BT.2020's for its primaries, else
  /// BT.601's.
  init(_ points: (primaries: UInt16, transfer: UInt16)) {
    self.init(
      primaries: points.primaries, transfer: points.transfer,
      matrix: points.primaries == Primaries.bt2020.codePoint ? 9 : 6, isFullRange: true)
  }

  /// `primaries` with the transfer function of `transfer`, sRGB's in SDR.
  init(_ primaries: Primaries, _ transfer: DynamicRangeMix.Transfer) {
    self.init((primaries.codePoint, transfer.codePoint))
  }

  /// The weights of `matrix`.
  var lumaMatrix: YCbCrMatrix { matrix == 9 ? .bt2020 : .bt601 }

  /// For a gain map: unspecified primaries and transfer function, for three channels the BT.601
  /// matrix.
  init(gainMapChannels channels: Int) {
    self.init(primaries: 2, transfer: 2, matrix: channels == 1 ? 2 : 6, isFullRange: true)
  }
}
