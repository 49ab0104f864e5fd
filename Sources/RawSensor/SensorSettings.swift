/// What the sensor stages are asked to do.
package struct SensorSettings: Sendable, Hashable {
  /// How many pixels come out.
  package enum Resolution: Sendable, Hashable {
    /// One for each photosite.
    case full
    /// One for each smallest block that holds all filters: half the size each way for Bayer and
    /// without a filter, a third for X-Trans. No demosaicing.
    case reduced
  }

  /// The scale in which missing colors are interpolated.
  package enum DemosaicDomain: Sendable, Hashable {
    /// Square root of light: noise has the same size everywhere, steps are less extreme.
    case squareRoot
    /// Light itself.
    case linear
  }

  /// How missing colors are interpolated.
  package enum Method: Sendable, Hashable {
    /// Ratio corrected for Bayer, directional in one pass for X-Trans, linear elsewhere.
    case automatic
    /// As `automatic`, but green of Bayer also by directional differences: 1.2 times the time for
    /// 0.6 dB; three passes for X-Trans: three times the time for 0.1 dB; and patterns of four
    /// colors as if they were Bayer's.
    case best
    /// As `best` for Bayer, but plain means of neighbors where the picture shows nothing but this
    /// noise: for pictures whose noise is not reduced afterwards. As `best` for four colors, as
    /// `automatic` elsewhere.
    case dual(noise: NoiseModel)
    /// Mean of the nearest photosites of each color, for any pattern.
    case linear
  }

  /// What becomes of saturated photosites.
  package enum Highlights: Sendable, Hashable {
    /// Saturated channels are rebuilt from the others.
    case rebuilt
    /// Highlights end at neutral 1.0.
    case clipped
    /// They stay as stored, tinted by the white balance: what a comparison of light needs.
    case kept
  }

  package var highlights: Highlights
  /// Replaces single photosites that are stuck high or low.
  package var repairsDefects: Bool
  package var resolution: Resolution
  package var domain: DemosaicDomain
  package var method: Method
  /// Four-color sensors only: balanced channels 0…3 to the three that come out, 3 rows of 4.
  /// Empty: red, mean of green and fourth, blue.
  package var fourColorToRGB: [Double]

  package init(
    highlights: Highlights = .rebuilt, repairsDefects: Bool = true, resolution: Resolution = .full,
    domain: DemosaicDomain = .squareRoot, method: Method = .automatic,
    fourColorToRGB: [Double] = []
  ) {
    self.highlights = highlights
    self.repairsDefects = repairsDefects
    self.resolution = resolution
    self.domain = domain
    self.method = method
    self.fourColorToRGB = fourColorToRGB
  }
}
