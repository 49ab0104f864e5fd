import Containers
import Formats
import HDRRender
import ImageCore

extension HEIFProperty.CodePoints {
  /// Of primaries and a transfer function; the matrix is that of BT.2020 for its primaries, else of
  /// BT.601.
  init(_ points: (primaries: UInt16, transfer: UInt16)) {
    self.init(
      primaries: points.primaries, transfer: points.transfer,
      matrix: points.primaries == Primaries.bt2020.codePoint ? 9 : 6, isFullRange: true)
  }

  /// `primaries` with the transfer function of `transfer`, sRGB's in SDR.
  init(_ primaries: Primaries, _ transfer: DynamicRangeMix.Transfer) {
    self.init((primaries.codePoint, transfer.codePoint))
  }

  /// The weights that `matrix` stands for.
  var lumaMatrix: YCbCrMatrix { matrix == 9 ? .bt2020 : .bt601 }

  /// A gain map: neither primaries nor a transfer function, for three channels the matrix of
  /// BT.601.
  init(gainMapChannels channels: Int) {
    self.init(primaries: 2, transfer: 2, matrix: channels == 1 ? 2 : 6, isFullRange: true)
  }
}
