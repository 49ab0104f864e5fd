/// HDR metadata: content light, mastering display and viewing environment (ISO 22028-5, H.265 SEI,
/// CTA-861.3). All of it is optional.
public struct HDRMetadata: Sendable, Hashable, Codable {
  /// MaxCLL and MaxFALL (for a still MaxPALL), cd/m²; 0 unknown.
  public struct ContentLight: Sendable, Hashable, Codable {
    /// The brightest pixel's largest channel.
    public var maximumNits: Double
    /// The mean over the pixels of the largest channel.
    public var averageNits: Double
    /// Levels in cd/m².
    public init(maximumNits: Double, averageNits: Double) {
      (self.maximumNits, self.averageNits) = (maximumNits, averageNits)
    }
  }

  /// The display that the picture was made on (SMPTE ST 2086).
  public struct MasteringDisplay: Sendable, Hashable, Codable {
    /// Red, green, blue.
    public var red, green, blue: Chromaticity
    /// White.
    public var white: Chromaticity
    /// Peak luminance, cd/m².
    public var maximumNits: Double
    /// Black luminance, cd/m².
    public var minimumNits: Double
    /// A display with these primaries, white and luminances in cd/m².
    public init(
      red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity,
      maximumNits: Double, minimumNits: Double
    ) {
      (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
      (self.maximumNits, self.minimumNits) = (maximumNits, minimumNits)
    }
  }

  /// The color volume that the picture occupies (H.265 content color volume).
  public struct ContentVolume: Sendable, Hashable, Codable {
    /// Red, green, blue; nil when not given.
    public var primaries: [Chromaticity]?
    /// Minimum, maximum and average luminance, cd/m².
    public var minimumNits, maximumNits, averageNits: Double?
    /// A volume of which any part may be unknown.
    public init(
      primaries: [Chromaticity]? = nil, minimumNits: Double? = nil, maximumNits: Double? = nil,
      averageNits: Double? = nil
    ) {
      self.primaries = primaries
      (self.minimumNits, self.maximumNits) = (minimumNits, maximumNits)
      self.averageNits = averageNits
    }
  }

  /// The ambient light around the display.
  public struct Ambient: Sendable, Hashable, Codable {
    /// Illuminance, lux.
    public var lux: Double
    /// Its color.
    public var color: Chromaticity
    /// Ambient light of `lux` and `color`.
    public init(lux: Double, color: Chromaticity) { (self.lux, self.color) = (lux, color) }
  }

  /// `clli`, `cLLI`.
  public var contentLight: ContentLight?
  /// `mdcv`, `mDCV`.
  public var masteringDisplay: MasteringDisplay?
  /// `cclv`.
  public var contentVolume: ContentVolume?
  /// `amve`.
  public var ambient: Ambient?
  /// `ndwt`: the luminance of diffuse white, cd/m².
  public var diffuseWhiteNits: Double?
  /// Gains for displays with less headroom (SMPTE ST 2094-50): the element of the ICC profile's tag
  /// `HAGC`, unchanged. They are valid only for the pixels and the transfer function that they were
  /// made for.
  public var adaptiveGainCurve: [UInt8]?

  /// No metadata.
  public init() {}

  /// This metadata, with missing parts filled from `other`.
  public func filled(from other: HDRMetadata) -> HDRMetadata {
    var metadata = self
    metadata.contentLight = contentLight ?? other.contentLight
    metadata.masteringDisplay = masteringDisplay ?? other.masteringDisplay
    metadata.contentVolume = contentVolume ?? other.contentVolume
    metadata.ambient = ambient ?? other.ambient
    metadata.diffuseWhiteNits = diffuseWhiteNits ?? other.diffuseWhiteNits
    metadata.adaptiveGainCurve = adaptiveGainCurve ?? other.adaptiveGainCurve
    return metadata
  }
}
