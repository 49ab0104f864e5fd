/// A film that was written.
public struct FilmReport: Sendable, Hashable, Codable {
  /// The file.
  public var output: String
  /// Codec, depth, chroma, transfer and primaries, for people.
  public var coding: String
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Frames.
  public var frames: Int
  /// Frames per second, as a fraction.
  public var rate: String
  /// Bytes of the file.
  public var bytes: Int
  /// MaxCLL in cd/m², of PQ.
  public var maxCLL: Int?
  /// MaxFALL in cd/m², of PQ.
  public var maxFALL: Int?
  /// Frames that an earlier run had coded.
  public var resumedFrames: Int
  /// Frames that could not be read.
  public var badFrames: [BadFrame]
  /// Warnings for people.
  public var warnings: [String]
  /// Wall-clock time in seconds.
  public var seconds: Double
}

/// What a film is going to be, before any frame is developed.
public struct FilmDescription: Sendable, Hashable, Codable {
  /// Codec, depth, chroma, transfer and primaries, for people.
  public var coding: String
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Frames.
  public var frames: Int
  /// Frames per second, as a fraction.
  public var rate: String
  /// Length in seconds.
  public var seconds: Double
  /// The time code of the first frame.
  public var timecode: String?
  /// Whether a run that was killed can go on.
  public var isResumable: Bool
  /// Raws, finished pictures and movies, and how many frames of each.
  public var clips: [Clip]
  /// Warnings for people.
  public var warnings: [String]

  /// Frames of one kind.
  public struct Clip: Sendable, Hashable, Codable {
    /// `raws`, `stills` or `movie`.
    public var kind: String
    /// The first file.
    public var first: String
    /// The last file.
    public var last: String
    /// Frames of the film.
    public var frames: Int
  }
}
