/// What was found in a bracket and how its frames were used.
public struct BracketReport: Sendable, Hashable, Codable {
  /// One frame.
  public struct Frame: Sendable, Hashable, Codable {
    /// Its name as given.
    public var name: String
    /// Stops that it is exposed above the reference, by its Exif.
    public var nominalStops: Double
    /// The same as measured in the pictures.
    public var stops: Double
    /// Where it lies against the reference; nil where that was not looked for.
    public var placement: FramePlacement?
  }

  /// The frame that gives position, brightness, colors and metadata.
  public var reference: String
  /// All frames, the shortest exposure first.
  public var frames: [Frame]
  /// Fraction of the picture, 0…1, that comes from one frame because something moved there; nil
  /// where that was not looked for.
  public var ghostShare: Double?
  /// What a caller should know and show.
  public var notes: [String] = []
}

/// How a frame lies against the reference: a point (x, y) of the reference, in pixels from the
/// middle of the picture, is at `scale` · R(`rotation`) · (x, y) + (`right`, `down`) in the frame.
public struct FramePlacement: Sendable, Hashable, Codable {
  /// Pixels to the right.
  public var right: Double
  /// Pixels down.
  public var down: Double
  /// Degrees, clockwise as seen.
  public var rotation: Double
  /// Magnification.
  public var scale: Double

  /// A frame that lies so; by default exactly on the reference.
  public init(right: Double = 0, down: Double = 0, rotation: Double = 0, scale: Double = 1) {
    (self.right, self.down, self.rotation, self.scale) = (right, down, rotation, scale)
  }

  /// Whether it lies exactly on the reference.
  public var isIdentity: Bool { self == FramePlacement() }
}
