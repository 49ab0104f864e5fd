public import ImageCore

/// Coverage of each pixel by one semantic class, as detected by the camera: 0 none, 1 full.
public struct SemanticMatte: Sendable {
  /// The semantic class.
  public enum Kind: Sendable, Hashable {
    /// The people in a portrait.
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
    /// Any other class, by its SemanticName.
    case other(String)

    /// Apple's names share a suffix for all years:
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

  /// The semantic class.
  public let kind: Kind
  /// SemanticName as stored.
  public let name: String
  /// SemanticInstanceID, which distinguishes mattes of one name; nil if absent.
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
