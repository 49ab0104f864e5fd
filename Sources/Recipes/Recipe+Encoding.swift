public import Formats
public import HDRRender

extension Recipe.Output {
  /// How light is coded; of an output with a gain map that of its base.
  public var transfer: DynamicRangeMix.Transfer {
    if format == .tiff { return tiffSpace.transfer }
    return format.hasGainMap ? gainMap.transfer : format.transfer
  }

  /// The same as settings of a writer.
  public var encoding: EncoderSettings {
    var settings = EncoderSettings(
      container: format.container, transfer: transfer, primaries: primaries, bits: bits,
      chroma: chroma, quality: quality.map(Double.init),
      hasGainMap: format.hasGainMap)
    settings.mapKind = gainMap.channels == 3 ? .rgb : .luminance
    settings.mapScale = gainMap.scale ?? .half
    settings.thumbnail = thumbnail
    settings.isLinear = format == .tiff && tiffSpace == .linearBT2020
    settings.compression = tiffCompression.compression
    return settings
  }

  private var bits: Int {
    if format.descriptor.isFloat { return 32 }
    let container = format.container.descriptor
    guard transfer == .standard else {
      return hdrBits.flatMap { container.highBits.contains($0) ? $0 : nil } ?? container.highBits[0]
    }
    let depths = container.standardBits
    return sdrBits.flatMap { depths.contains($0) ? $0 : nil }
      ?? depths[format.hasGainMap ? 0 : depths.count - 1]
  }
}
