/// The result of `rawdev convert`, `rawdev compose` and `rawdev thumbnail`: one or several pictures
/// read, one written.
public struct PictureReport: WrittenPictureReport, Codable {
  /// The pictures that were read.
  public var inputs: [String]
  /// The picture that was written.
  public var written: WrittenPicture

  private enum CodingKeys: CodingKey { case inputs }

  init(inputs: [String], _ written: WrittenPicture) {
    (self.inputs, self.written) = (inputs, written)
  }

  /// Reads a report.
  public init(from decoder: any Decoder) throws {
    written = try WrittenPicture(from: decoder)
    inputs = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .inputs)
  }

  /// Writes the report as one object, including the written file.
  public func encode(to encoder: any Encoder) throws {
    try written.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(inputs, forKey: .inputs)
  }
}
