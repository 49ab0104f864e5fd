import Recipes

/// The result for one output of one raw: a line of `rawdev develop --json`.
public struct DevelopReport: WrittenPictureReport, Codable {
  /// Path of the raw.
  public var input: String
  /// Name of the output in the recipe.
  public var name: String
  /// The picture that was written.
  public var written: WrittenPicture
  /// Headroom of the raw, as a multiple of reference white; 0 where nothing was developed, as the
  /// next two.
  public var fileHeadroom: Float = 0
  /// The amount of that headroom that was used, 0…1.
  public var extendedDynamicRangeAmount: Float = 0
  /// Baseline exposure in stops.
  public var baselineExposure: Float = 0

  private enum CodingKeys: CodingKey {
    case input, name, fileHeadroom, extendedDynamicRangeAmount, baselineExposure
  }

  init(input: String, name: String, _ written: WrittenPicture) {
    (self.input, self.name, self.written) = (input, name, written)
  }

  /// Reads a report.
  public init(from decoder: any Decoder) throws {
    written = try WrittenPicture(from: decoder)
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    input = try keys.decode(String.self, forKey: .input)
    name = try keys.decode(String.self, forKey: .name)
    fileHeadroom = try keys.decode(Float.self, forKey: .fileHeadroom)
    extendedDynamicRangeAmount = try keys.decode(Float.self, forKey: .extendedDynamicRangeAmount)
    baselineExposure = try keys.decode(Float.self, forKey: .baselineExposure)
  }

  /// Writes the report as one object, including the written file.
  public func encode(to encoder: any Encoder) throws {
    try written.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(input, forKey: .input)
    try keys.encode(name, forKey: .name)
    try keys.encode(fileHeadroom, forKey: .fileHeadroom)
    try keys.encode(extendedDynamicRangeAmount, forKey: .extendedDynamicRangeAmount)
    try keys.encode(baselineExposure, forKey: .baselineExposure)
  }
}
