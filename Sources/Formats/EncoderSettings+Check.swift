import HDRRender
import ImageCore

extension EncoderSettings {
  /// Throws for the first setting that is outside its range or does not go with the others. Whether
  /// there is such an ``encoder`` is known to a `StillExporter` only.
  public func validate() throws(WriteError) {
    func refuse(_ message: String) -> WriteError { WriteError(.badSetting, message) }
    let isHDR = transfer != .standard
    if isHDR, container == .jpeg {
      throw refuse(
        "a JPEG has eight bits and cannot be ISO HDR; write it with a gain map, or a HEIF, AVIF or PNG"
      )
    }
    if isHDR, bits < 10 {
      throw refuse("\(transfer) in \(bits) bits shows steps and is no ISO HDR; take 10 or more")
    }
    if isHDR, primaries != .bt2020 {
      throw refuse("\(transfer) is written in bt2020, not \(primaries.rawValue)")
    }
    if !isHDR, !isStandardSpace {
      throw refuse(
        "a \(container.rawValue) of standard range does not hold \(primaries.rawValue); take displayP3"
      )
    }
    guard depths.contains(bits) else {
      throw refuse("a \(container.rawValue) of this range has \(depths) bits, not \(bits)")
    }
    if let quality, !(0...1).contains(quality) {
      throw refuse("quality is \(quality); it takes 0 to 1")
    }
    if let maximumSide, !(1...ResizeEdit.largestSide).contains(maximumSide) {
      throw refuse("a longest side of \(maximumSide) pixels; give 1 to \(ResizeEdit.largestSide)")
    }
    if hasGainMap, !container.holdsGainMap {
      throw refuse("gain maps are written in a HEIF, AVIF or JPEG")
    }
    if let thumbnail, container != .heif && container != .avif || !(16...1024).contains(thumbnail) {
      throw refuse("a thumbnail of \(thumbnail); a HEIF or AVIF takes 16 to 1024 pixels")
    }
    if isLinear, container != .tiff || isHDR || primaries != .bt2020 {
      throw refuse("codes without a curve are written in a TIFF of standard range in bt2020")
    }
    if isSceneReferred, transfer != .hlg || hasGainMap {
      throw refuse(
        "only hybrid log-gamma can be scene-referred; PQ and standard range are displays'")
    }
  }

  private var depths: [Int] {
    switch (container, transfer) {
    case (.heif, .standard), (.avif, .standard): [8, 10]
    case (.heif, _): [10]
    case (.avif, _): [10, 12]
    case (.jpeg, _): [8]
    case (.png, .standard): [8, 16]
    case (.tiff, .standard): [16, 32]
    case (.png, _), (.tiff, _), (.jpegXL, _): [16]
    }
  }

  private var isStandardSpace: Bool {
    switch container {
    case .heif, .avif, .jpegXL: primaries == .displayP3
    case .jpeg, .png: primaries != .bt2020
    case .tiff: true
    }
  }
}

extension EncoderSettings.Container {
  /// Whether there is a place for a gain map.
  var holdsGainMap: Bool { self == .heif || self == .avif || self == .jpeg }
}
