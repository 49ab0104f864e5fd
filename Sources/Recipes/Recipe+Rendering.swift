extension Recipe {
  /// Settings for the developed picture as a whole.
  public struct Rendering: Sendable, Hashable, Codable {
    /// Maximum luminance as a multiple of reference white, 1 or more; nil for no limit.
    public var headroomLimit: Float?

    /// All headroom.
    public init() {}

    /// Reads the settings; absent keys keep their default.
    public init(from decoder: any Decoder) throws { try self.init(settingsFrom: decoder) }

    /// Writes the settings; those that are nil are left out.
    public func encode(to encoder: any Encoder) throws { try encodeSettings(to: encoder) }

    /// Throws for the first setting that cannot have its value; the error's key is its name.
    public func validate() throws(RecipeError) { try validateSettings() }
  }
}

extension Recipe.Rendering: RecipeSection {
  package static let settings: [RecipeSetting<Self>] = [
    RecipeSetting(
      "headroomLimit", ifSet: \.headroomLimit, from: 1, unit: "times reference white",
      standard: "no limit", "Maximum luminance of the picture",
      "1 is standard dynamic range. The lower of this and an output's own holds.",
      refusal: { limit, _ in refusal(headroomLimit: limit) })
  ]

  /// Why the headroom cannot have this limit.
  static func refusal(headroomLimit limit: Float) -> String? {
    guard !(limit >= 1) || !limit.isFinite else { return nil }
    return "headroomLimit is \(limit); it takes 1 (nothing above reference white) and more"
  }
}
