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
    let taken = "it takes \(Self.qualities.text)"
    if let quality, !Self.qualities.contains(quality) {
      throw refuse("quality is \(quality); \(taken)")
    }
    if let mapQuality, !Self.qualities.contains(mapQuality) {
      throw refuse("the quality of the gain map is \(mapQuality); \(taken)")
    }
    if let av1Speed, container != .avif || !Self.av1Speeds.contains(av1Speed) {
      throw refuse(
        "a speed of \(av1Speed) in \(descriptor.name); AVIF takes \(Self.av1Speeds.text)")
    }
    if let maximumSide, !(1...PixelSize.largestSide).contains(maximumSide) {
      throw refuse("a longest side of \(maximumSide) pixels; give 1 to \(PixelSize.largestSide)")
    }
    if hasGainMap, !descriptor.holdsGainMap {
      throw refuse("gain maps are written in \(Container.names("or", where: \.holdsGainMap))")
    }
    if descriptor.holdsGainMap, mapFormats.isDisjoint(with: descriptor.mapFormats) {
      let held = descriptor.mapFormats.map(\.rawValue).sorted().joined(separator: ", ")
      throw refuse("\(descriptor.name) describes gain maps in these formats: \(held); name one")
    }
    if let levels = compression.levels, !levels.taken.contains(levels.level) {
      throw refuse(
        "a level of \(levels.level) in \(levels.name); it takes \(levels.taken.text)")
    }
    if !EXRCompression.levels.contains(exrLevel) {
      throw refuse("a level of \(exrLevel) in DWA; it takes \(EXRCompression.levels.text)")
    }
    let sides = EXRLayout.tileSizes
    if let exrTileSize, container != .exr || !sides.contains(exrTileSize) {
      throw refuse(
        "tiles of \(exrTileSize) pixels in \(descriptor.name); "
          + "OpenEXR takes \(sides.text)")
    }
    if let thumbnail, !descriptor.holdsThumbnail || !Self.thumbnailSides.contains(thumbnail) {
      throw refuse(Self.refusal(thumbnail: thumbnail, in: descriptor.name))
    }
    if isFloat, !space.isLinear {
      let linear = ColorSpace(linear: primaries)
      throw refuse("floats are linear, not in \(space.rawValue); use \(linear.rawValue)")
    }
    if space.isOfFloats, !isFloat {
      throw refuse("\(space.rawValue) needs floats; use a format that holds them")
    }
    let isLinearSpace = [.bt2020, .displayP3, .srgb].contains(primaries)
    if isLinear, container != .tiff || !isLinearSpace || bits < 16 {
      throw refuse(
        "linear integers need an SDR TIFF of 16 bits; use linear-bt2020, linear-p3 or linear-srgb")
    }
    if isHalf, isHDR || bits != 16 || !descriptor.floatBits.contains(16) {
      throw refuse(
        "16-bit floats are written in \(Container.names { $0.floatBits.contains(16) }) only")
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

  /// Why a file of `format` has no thumbnail of this longer side.
  package static func refusal(thumbnail side: Int, in format: String) -> String {
    "a thumbnail of \(side) in \(format); \(Container.names(where: \.holdsThumbnail)) take "
      + "\(thumbnailSides.text) pixels"
  }
}

extension ClosedRange {
  /// As `16 to 1024`.
  package var text: String {
    func number(_ bound: Bound) -> String {
      let text = "\(bound)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    return number(lowerBound) + " to " + number(upperBound)
  }
}
