/// The meaning of pixel values. It is a type parameter of ``Image``, so a picture in the wrong
/// state does not compile.
public protocol ImageState: Sendable {
  /// Properties of a picture in this state besides its pixels.
  associatedtype Info: Sendable
}

/// Linear camera primaries, balanced so that the as-shot neutral has three equal values;
/// 1.0 = the level at which the first channel of a neutral saturates.
public enum CameraRGB: ImageState {
  /// Empty: the camera's profile turns the pixels into color.
  public struct Info: Sendable, Hashable {
    /// The only value.
    public init() {}
  }
}

/// Scene-linear values in BT.2020 primaries, white D65, exposure applied; unclipped at both
/// ends. 1.0 = reference white.
public enum SceneLinear: ImageState {
  /// Properties of the scene.
  public struct Info: Sendable, Hashable {
    /// Upper bound of max(R, G, B) over the picture, 1.0 = reference white.
    public var peak: Float
    /// A scene whose brightest value is `peak`.
    public init(peak: Float) { self.peak = peak }
  }
}

/// Linear display values, 1.0 = reference white (203 cd/m²), tone-mapped to `headroom`.
public enum DisplayReferred: ImageState {
  /// Properties of the rendering.
  public struct Info: Sendable, Hashable {
    /// The primaries of the three channels; white is D65.
    public var primaries: Primaries
    /// Upper bound of max(R, G, B) over the picture, 1.0 = reference white.
    public var headroom: Float
    /// The files that the picture is made of. Writers refuse to replace them, so a source made of
    /// others lists all of theirs.
    public var sources: Set<FileIdentity>
    /// A rendering in `primaries` whose values stay at or below `headroom`.
    public init(primaries: Primaries, headroom: Float, sources: Set<FileIdentity> = []) {
      self.primaries = primaries
      self.headroom = headroom
      self.sources = sources
    }
  }
}
