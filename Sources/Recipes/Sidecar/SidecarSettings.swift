public import Containers

/// The settings of another program's sidecar as settings of a recipe, and the ones that were not
/// applied.
public struct SidecarSettings: Sendable, Hashable, Codable {
  /// A field that became a setting.
  public struct Taken: Sendable, Hashable, Codable {
    /// The field as the sidecar names it, with the usual prefix.
    public let field: String
    /// Its value, as text.
    public let value: String
    /// The key in recipes, `raw.exposure`.
    public let key: String
    /// Whether the result only resembles the other program's.
    public let isApproximate: Bool
    /// A note for people; empty for none.
    public let note: String
  }

  /// A field that has no effect here.
  public struct Ignored: Sendable, Hashable, Codable {
    /// The field as the sidecar names it, with the usual prefix.
    public let field: String
    /// Its value, as text.
    public let value: String
    /// Why, and what to use instead, if anything.
    public let reason: String
  }

  /// The settings as a layer of a recipe: `raw` and `render`, each only if it has keys.
  public internal(set) var recipe = RecipeValue.map([:])
  /// The fields that were taken.
  public internal(set) var taken: [Taken] = []
  /// The fields that have an effect in the other program and were not taken.
  public internal(set) var ignored: [Ignored] = []
  /// The program that wrote the sidecar, with its versions; nil where unknown.
  public internal(set) var writer: String?
  /// Notes for people on the complete sidecar.
  public internal(set) var notes: [String] = []

  /// No settings.
  public init() {}

  /// The settings of `packet`: of Camera Raw if there are any, otherwise of darktable.
  public init(_ packet: XMPPacket, traits: RawTraits = RawTraits()) {
    if AdobeSettings.isIn(packet) {
      self = AdobeSettings.read(packet, traits: traits)
    } else {
      self = DarktableSettings.read(packet)
    }
  }

  /// Sets `key`, such as "raw.exposure", to `value`.
  mutating func set(_ key: String, _ value: RecipeValue) {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    var group = recipe[parts[0]] ?? .map([:])
    group[parts[1]] = value
    recipe[parts[0]] = group
  }

  mutating func take(
    _ field: String, _ value: XMPValue, as key: String, _ setting: RecipeValue,
    isApproximate: Bool = false, note: String = ""
  ) {
    set(key, setting)
    taken.append(
      Taken(
        field: field, value: value.summary, key: key, isApproximate: isApproximate, note: note))
  }

  mutating func ignore(_ field: String, _ value: XMPValue, _ reason: String) {
    ignored.append(Ignored(field: field, value: value.summary, reason: reason))
  }

  /// Applies tiff:Orientation and returns it. A sidecar overrides the raw, as programs that rotate
  /// a picture do not write into raws.
  mutating func takeOrientation(_ packet: XMPPacket) -> Int? {
    guard let value = packet[.orientation] else { return nil }
    guard let number = value.number, let orientation = Int(exactly: number),
      (1...8).contains(orientation)
    else {
      ignore("tiff:Orientation", value, "it must be 1 to 8")
      return nil
    }
    take("tiff:Orientation", value, as: "raw.orientation", .number(Double(orientation)))
    return orientation
  }
}

/// The properties of a raw on which the meaning of a sidecar's settings depends.
public struct RawTraits: Sendable, Hashable {
  /// The file's own Exif orientation, 1…8.
  public var orientation: Int
  /// Width divided by height of the picture as stored, before orientation; nil if unknown.
  public var storedAspect: Double?
  /// Names of the camera profiles in the file.
  public var profileNames: Set<String>
  /// Whether the file has lens corrections of its own, as DNGs in their opcodes.
  public var hasLensCorrections: Bool

  /// Properties; the defaults are for an unknown raw.
  public init(
    orientation: Int = 1, storedAspect: Double? = nil, profileNames: Set<String> = [],
    hasLensCorrections: Bool = false
  ) {
    self.orientation = orientation
    self.storedAspect = storedAspect
    self.profileNames = profileNames
    self.hasLensCorrections = hasLensCorrections
  }
}
