import Containers
import Formats
import HDRRender
import ImageCore

extension HEIFProperty.CodePoints {
  /// `primaries` with the transfer function of `transfer`, sRGB's in SDR; the matrix is
  /// that of BT.2020 for its primaries, else of BT.601.
  init(_ primaries: Primaries, _ transfer: DynamicRangeMix.Transfer) {
    self.init(
      primaries: primaries.codePoint, transfer: transfer.codePoint,
      matrix: primaries == .bt2020 ? 9 : 6, isFullRange: true)
  }

  /// A gain map: neither primaries nor a transfer function, for three channels the matrix of
  /// BT.601.
  init(gainMapChannels channels: Int) {
    self.init(primaries: 2, transfer: 2, matrix: channels == 1 ? 2 : 6, isFullRange: true)
  }
}
