public import ImageCore

/// How much each pixel belongs to one kind of thing, as the camera found it: 1 wholly, 0 not at
/// all.
public struct SemanticMatte: Sendable {
  /// What the matte shows.
  public enum Kind: Sendable, Hashable {
    /// The people of a portrait, against their background.
    case portraitEffects
    /// Skin.
    case skin
    /// Hair.
    case hair
    /// Teeth.
    case teeth
    /// Glasses.
    case glasses
    /// Sky.
    case sky
    /// Anything else, by its SemanticName.
    case other(String)

    /// Apple's names end alike whatever their year:
    /// `urn:com:apple:photo:2019:aux:semanticskinmatte`.
    init(name: String) {
      let endings: [(String, Kind)] = [
        ("portraiteffectsmatte", .portraitEffects), ("semanticskinmatte", .skin),
        ("semantichairmatte", .hair), ("semanticteethmatte", .teeth),
        ("semanticglassesmatte", .glasses), ("semanticskymatte", .sky),
      ]
      let lowercase = name.lowercased()
      self = endings.first { lowercase.hasSuffix($0.0) }?.1 ?? .other(name)
    }

    /// A short name: `portrait-effects`, `skin`, …, or the SemanticName.
    public var label: String {
      switch self {
      case .portraitEffects: "portrait-effects"
      case .skin: "skin"
      case .hair: "hair"
      case .teeth: "teeth"
      case .glasses: "glasses"
      case .sky: "sky"
      case .other(let name): name
      }
    }
  }

  /// What it shows.
  public let kind: Kind
  /// SemanticName as stored.
  public let name: String
  /// SemanticInstanceID, which tells mattes of one name apart; nil when not given.
  public let instanceID: String?
  /// The picture.
  public let picture: AuxiliaryPicture

  package init(_ entry: AuxiliaryEntry, picture: AuxiliaryPicture) {
    name = entry.name
    kind = Kind(name: entry.name)
    instanceID = entry.instanceID
    self.picture = picture
  }

  /// Columns and rows of ``image()``.
  public var size: PixelSize { picture.size }
  /// Decodes the matte; see ``AuxiliaryPicture/image()``.
  public func image() throws(RAWError) -> MatteImage { try picture.image() }
}
