import HDRRender
import ImageCore

extension EncoderSettings {
  /// Throws for the first setting that is outside its range or contradicts another. Whether the
  /// ``encoder`` exists is checked by `StillExporter`.
  public func validate() throws(WriteError) {
    func refuse(_ message: String) -> WriteError { WriteError(.badSetting, message) }
    guard container != .dng else {
      throw WriteError(
        .badSetting,
        "DNG output needs a raw input; convert the raw, or develop it to the format dng",
        remedies: [.writeDNG])
    }
    let isHDR = transfer != .standard
    let descriptor = container.descriptor
    if isHDR, descriptor.hdrBits.isEmpty {
      throw refuse(
        "\(descriptor.name) of \(bits) bits cannot be ISO HDR; write "
          + (descriptor.holdsGainMap ? "it with a gain map, or " : "")
          + "\(Container.names("or") { !$0.hdrBits.isEmpty })"
      )
    }
    if isHDR, bits < 10 {
      throw refuse("\(bits) bits are too few for HDR (\(transfer)); use 10 or more")
    }
    if isHDR, primaries != .bt2020 {
      throw refuse("\(transfer) is written in bt2020, not \(primaries.rawValue)")
    }
    let depths = descriptor.bits(transfer)
    guard depths.contains(bits) else {
      throw refuse("\(descriptor.name) of this range has \(depths) bits, not \(bits)")
    }
    if let quality, !(0...1).contains(quality) {
      throw refuse("quality is \(quality); it takes 0 to 1")
    }
    if let maximumSide, !(1...PixelSize.largestSide).contains(maximumSide) {
      throw refuse("a longest side of \(maximumSide) pixels; give 1 to \(PixelSize.largestSide)")
    }
    if hasGainMap, !descriptor.holdsGainMap {
      throw refuse("gain maps are written in \(Container.names("or", where: \.holdsGainMap))")
    }
    let (levels, sides) = (EXRCompression.levels, EXRLayout.tileSizes)
    if !levels.contains(exrLevel) {
      throw refuse(
        "a level of \(exrLevel) in DWA; it takes \(levels.lowerBound) to \(levels.upperBound)")
    }
    if let exrTileSize, container != .exr || !sides.contains(exrTileSize) {
      throw refuse(
        "tiles of \(exrTileSize) pixels in \(descriptor.name); "
          + "OpenEXR takes \(sides.lowerBound) to \(sides.upperBound)")
    }
    if let thumbnail, !descriptor.holdsThumbnail || !(16...1024).contains(thumbnail) {
      throw refuse(
        "a thumbnail of \(thumbnail) in \(descriptor.name); "
          + "\(Container.names(where: \.holdsThumbnail)) take 16 to 1024 pixels")
    }
    let isLinearSpace = [.bt2020, .displayP3, .srgb].contains(primaries)
    if isLinear, container != .tiff || isHDR || !isLinearSpace || bits < 16 {
      throw refuse(
        "linear integers need an SDR TIFF of 16 bits; use bt2020, displayP3 or srgb")
    }
    if isHalf, isHDR || bits != 16 || !descriptor.floatBits.contains(16) {
      throw refuse(
        "16-bit floats are written in \(Container.names { $0.floatBits.contains(16) }) only")
    }
    if [.acesAP0, .acesAP1, .camera].contains(primaries), !isFloat {
      throw refuse("\(primaries.rawValue) needs floats; use a format that holds them")
    }
    if profile != nil, isHDR || hasGainMap || isFloat || isLinear || primaries != .proPhoto {
      throw refuse(
        "an ICC profile from a file is for integer SDR without a gain map, of a picture in proPhoto"
      )
    }
    if isSceneReferred, transfer != .hlg || hasGainMap {
      throw refuse(
        "only hybrid log-gamma can be scene-referred; PQ and SDR are display-referred")
    }
  }
}
