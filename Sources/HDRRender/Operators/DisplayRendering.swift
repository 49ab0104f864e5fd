public import ImageCore

/// A picture as a display shows it: a pure function of both, to be evaluated again when the display
/// changes.
///
/// Source: the dynamic ranges of Apple's views (high, constrained, standard), its layers
/// (tone-mapped or clamped) and Reference Mode. Tone mapping is ``ReferenceWhiteToneMapping`` for
/// plain pictures, made for ``DisplayPicture/toneHeadroom``, the map itself for pictures with a
/// gain map.
///
///     high             tone-mapped to the display's headroom
///     constrainedHigh  the same to a lower limit, see ``ConstrainedHeadroom``
///     standard         the same to 1.0
///     clamped          not mapped; each channel clipped at the display's headroom
///     reference        not mapped; see ``ReferenceClip``
///
/// Laws: SDR pictures are returned bit for bit, if their primaries are not wider than Reference
/// Mode's; so is any picture, in all but reference, where the display covers its range; standard ≤
/// constrainedHigh ≤ high; nothing exceeds the display; all are monotone in the luminance of a
/// gray. Where a color still exceeds the display after tone mapping, all three channels are scaled
/// alike. Known failures: a map with gains below 0 darkens with rising headroom, so for such pixels
/// the order of the three is reversed. Values above the headroom that a file declares are scaled
/// down to it or to the display's.
public struct DisplayRendering: Sendable, Hashable {
  /// How much of the content's range is displayed.
  public enum DynamicRange: String, Sendable, Hashable, CaseIterable {
    /// All that the display can show.
    case high
    /// Less where the picture is bright, for HDR pictures among others, such as thumbnails.
    case constrainedHigh = "constrained-high"
    /// None above white.
    case standard
    /// What the display can show, the rest clipped.
    case clamped
    /// Exactly what was coded, on the reference display.
    case reference
  }

  /// How much of the content's range is displayed.
  public let dynamicRange: DynamicRange
  /// The display's headroom, a ratio to reference white.
  public let displayHeadroom: Double

  /// A display of `displayHeadroom`; values below 1, and NaN, are treated as 1.
  public init(_ dynamicRange: DynamicRange, displayHeadroom: Double) {
    self.dynamicRange = dynamicRange
    self.displayHeadroom = displayHeadroom > 1 ? displayHeadroom : 1
  }

  /// The headroom, a ratio to reference white, that `picture` is displayed with.
  public func headroom(for picture: DisplayPicture) -> Double {
    switch dynamicRange {
    case .high, .clamped: displayHeadroom
    case .constrainedHigh:
      min(
        displayHeadroom,
        ConstrainedHeadroom.limit(averageLightLevel: picture.averageLightLevel))
    case .standard: 1
    case .reference: ReferenceMode.headroom
    }
  }

  /// `picture` as the display shows it, in its own primaries.
  public func callAsFunction(_ picture: DisplayPicture) -> any PixelSource<DisplayReferred> {
    let target = headroom(for: picture)
    switch dynamicRange {
    case .high, .constrainedHigh, .standard: return mapped(picture, target)
    case .clamped:
      let pixels = fullRange(picture)
      if target >= Double(pixels.info.headroom) { return pixels }
      return DisplayStage(pixels, .cut(Float(target)))
    case .reference:
      let pixels = fullRange(picture)
      let clip = ReferenceClip(
        primaries: pixels.info.primaries, headroom: pixels.info.headroom,
        scale: picture.isAbsolute ? ReferenceWhite.nits / ReferenceMode.whiteNits : 1)
      return DisplayStage(pixels, .reference(clip))
    }
  }

  /// The content with its full headroom.
  private func fullRange(_ picture: DisplayPicture) -> any PixelSource<DisplayReferred> {
    switch picture.content {
    case .pixels(let pixels): pixels
    case .gainMap(let map): map.rendition(displayHeadroom: map.headrooms.upperBound)
    }
  }

  private func mapped(_ picture: DisplayPicture, _ target: Double)
    -> any PixelSource<DisplayReferred>
  {
    let pixels: any PixelSource<DisplayReferred>
    let headroom: Double
    switch picture.content {
    case .pixels(let source): (pixels, headroom) = (source, picture.toneHeadroom)
    case .gainMap(let map):
      // A target below both of the map's renditions is reached by tone mapping.
      pixels = map.rendition(displayHeadroom: target)
      headroom = min(max(target, map.headrooms.lowerBound), map.headrooms.upperBound)
    }
    if target >= headroom {
      // Maps may slightly exceed their headroom, and so may highlights excluded from the curve or
      // above a headroom declared too low.
      return target >= Double(pixels.info.headroom)
        ? pixels : DisplayStage(pixels, .fit(Float(target)))
    }
    return DisplayStage(
      pixels,
      .toneMap(
        ReferenceWhiteToneMapping(
          contentHeadroom: headroom, displayHeadroom: target, primaries: pixels.info.primaries)))
  }
}
