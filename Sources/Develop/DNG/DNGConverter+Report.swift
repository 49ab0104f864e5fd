public import Recipes

extension DNGConverter {
  /// The result for one raw: a line of `rawdev dng --json`.
  public struct Report: WrittenPictureReport, Codable {
    /// The raw.
    public var input: String
    /// The DNG that was written, or was there.
    public var written: WrittenPicture
    /// How the samples are stored.
    public var compression: Compression
    /// Bytes of the raw.
    public var inputBytes: Int
    /// MD5 of the raw, which the DNG's XMP names (`xmpMM:DerivedFrom`).
    public var inputMD5: String
    /// Whether the written samples were read again and compared with the raw's.
    public var isVerified: Bool
    /// Whether the DNG existed already, was made of this raw, and was left unchanged.
    public var wasUpToDate: Bool

    private enum CodingKeys: CodingKey {
      case input, compression, inputBytes, inputMD5, isVerified, wasUpToDate
    }

    init(
      input: String, _ written: WrittenPicture, compression: Compression, inputBytes: Int,
      inputMD5: String, isVerified: Bool, wasUpToDate: Bool
    ) {
      (self.input, self.written, self.compression) = (input, written, compression)
      (self.inputBytes, self.inputMD5) = (inputBytes, inputMD5)
      (self.isVerified, self.wasUpToDate) = (isVerified, wasUpToDate)
    }

    /// Reads a report.
    public init(from decoder: any Decoder) throws {
      written = try WrittenPicture(from: decoder)
      let keys = try decoder.container(keyedBy: CodingKeys.self)
      input = try keys.decode(String.self, forKey: .input)
      compression = try keys.decode(Compression.self, forKey: .compression)
      inputBytes = try keys.decode(Int.self, forKey: .inputBytes)
      inputMD5 = try keys.decode(String.self, forKey: .inputMD5)
      isVerified = try keys.decode(Bool.self, forKey: .isVerified)
      wasUpToDate = try keys.decode(Bool.self, forKey: .wasUpToDate)
    }

    /// Writes the report as one object, including the written file.
    public func encode(to encoder: any Encoder) throws {
      try written.encode(to: encoder)
      var keys = encoder.container(keyedBy: CodingKeys.self)
      try keys.encode(input, forKey: .input)
      try keys.encode(compression, forKey: .compression)
      try keys.encode(inputBytes, forKey: .inputBytes)
      try keys.encode(inputMD5, forKey: .inputMD5)
      try keys.encode(isVerified, forKey: .isVerified)
      try keys.encode(wasUpToDate, forKey: .wasUpToDate)
    }
  }
}
