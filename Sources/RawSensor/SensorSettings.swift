package import RawData

/// Settings of the sensor stages.
package struct SensorSettings: Sendable, Hashable {
  /// The number of pixels of the result.
  package enum Resolution: Sendable, Hashable {
    /// One for each photosite.
    case full
    /// One for each smallest block that holds all filters: half the width and height for Bayer and
    /// without a filter, a third for X-Trans. No demosaicing.
    case reduced
  }

  /// The scale in which missing colors are interpolated.
  package enum DemosaicDomain: Sendable, Hashable {
    /// Square root: noise has the same variance everywhere, steps are less extreme.
    case squareRoot
    /// Linear values.
    case linear
  }

  /// The treatment of saturated photosites.
  package enum Highlights: Sendable, Hashable {
    /// Saturated channels are reconstructed from those that are not.
    case guided
    /// Areas that all channels show as white are clipped to neutral 1.0, or ``clippedWhite``.
    case clipped
    /// As stored, tinted by the white balance: for measurements of linear values.
    case kept
  }

  /// The treatment of photosites that are stuck high or low.
  package enum Defects: Sendable, Hashable {
    /// Not repaired.
    case kept
    /// Replaced where this noise of the balanced samples does not explain them.
    case byNoise(NoiseModel)
  }

  package var highlights: Highlights
  /// Gains from values balanced for the white as shot to values balanced for the white in use,
  /// scaled so that the first channel of either neutral saturates at 1. Saturated areas become
  /// neutral under this white.
  package var white: SIMD4<Float>
  /// Minimum value, under the white in use, of white where highlights are clipped.
  package var clippedWhite: Float
  package var defects: Defects
  /// The lateral color that is corrected before the demosaic of Bayer mosaics; nil for none.
  package var lateral: LateralColor?
  package var resolution: Resolution
  package var domain: DemosaicDomain
  /// How missing colors are interpolated: `best` takes 1.2 times the time of `fast` for 0.6 dB on
  /// Bayer mosaics, three times that for 0.1 dB on X-Trans mosaics.
  package var method: DemosaicMethod
  /// The noise of the picture, for methods that use it; nil: noise is ignored.
  package var noise: NoiseModel?
  /// Four-color sensors only: balanced channels 0…3 to red, green and blue, 3 rows of 4.
  /// Empty: red, mean of green and fourth, blue.
  package var fourColorToRGB: [Double]

  package init(
    highlights: Highlights = .guided, white: SIMD4<Float> = .one, clippedWhite: Float = 0,
    defects: Defects = .kept, resolution: Resolution = .full, domain: DemosaicDomain = .squareRoot,
    method: DemosaicMethod = .fast, noise: NoiseModel? = nil, fourColorToRGB: [Double] = []
  ) {
    self.highlights = highlights
    self.white = white
    self.clippedWhite = clippedWhite
    self.defects = defects
    self.resolution = resolution
    self.domain = domain
    self.method = method
    self.noise = noise
    self.fourColorToRGB = fourColorToRGB
  }
}
