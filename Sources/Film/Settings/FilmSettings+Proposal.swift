public import HDRRender
import ImageCore

extension FilmSettings {
  /// The settings that keep what a source is: HLG stays HLG, PQ and pictures with a gain map
  /// become PQ, SDR stays SDR, in primaries that films of its format have. Where the codec is SDR
  /// alone, so is the film; where it is not written in `container`, the other kind of file is
  /// taken.
  public static func proposed(
    for source: PictureFormat, by codec: FilmCodec = .hevc, in container: FilmContainer = .mov
  ) throws(FilmError) -> FilmSettings {
    let row = codec.row
    var format: FilmFormat =
      switch source.dynamicRange.transfer {
      case .hlg: .hlg
      case .pq: .pq
      case .standard: source.hasGainMap ? .pq : .sdr
      }
    if row.hdrBits.isEmpty { format = .sdr }
    let isP3 = source.primaries == .displayP3 && format != .hlg
    return try FilmSettings(
      codec, in: row.containers.contains(container) ? container : row.containers[0], format,
      primaries: isP3 ? .displayP3 : nil)
  }
}
