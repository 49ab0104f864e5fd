public import Containers

/// What another program's sidecar says in this program's words, and what of it was not taken.
public struct SidecarSettings: Sendable, Hashable, Codable {
  /// A field that became a setting.
  public struct Taken: Sendable, Hashable, Codable {
    /// The field as the sidecar names it, with the usual prefix.
    public let field: String
    /// Its value, as text.
    public let value: String
    /// The recipe's key, as `raw.exposure`.
    public let key: String
    /// Whether the result only resembles what the other program shows.
    public let isApproximate: Bool
    /// What to know of it; empty for nothing.
    public let note: String
  }

  /// A field that has no effect here.
  public struct Ignored: Sendable, Hashable, Codable {
    /// The field as the sidecar names it, with the usual prefix.
    public let field: String
    /// Its value, as text.
    public let value: String
    /// Why, and where there is one, what to use instead.
    public let reason: String
  }

  /// The settings as a layer of a recipe: `raw` and `render`, each only where it has keys.
  public internal(set) var recipe = RecipeValue.map([:])
  /// What the settings come from.
  public internal(set) var taken: [Taken] = []
  /// What is set, but not taken.
  public internal(set) var ignored: [Ignored] = []
  /// The program that wrote it, with its versions, where it says so.
  public internal(set) var writer: String?
  /// What is to be said of the whole sidecar.
  public internal(set) var notes: [String] = []

  /// Nothing.
  public init() {}

  /// Every setting that `packet` has for this program: Camera Raw's where there are any, else what
  /// darktable's sidecars say.
  public init(_ packet: XMPPacket, facts: RawFacts = RawFacts()) {
    if AdobeSettings.isIn(packet) {
      self = AdobeSettings.read(packet, facts: facts)
    } else {
      self = DarktableSettings.read(packet)
    }
  }

  /// Sets `key`, "raw.exposure", to `value`.
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

  /// Takes tiff:Orientation and returns it. A sidecar's takes the place of the file's: it is where
  /// programs note that the picture was turned, since they do not write into raws.
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

/// What must be known of the raw file to read a sidecar's settings.
public struct RawFacts: Sendable, Hashable {
  /// The file's own Exif orientation, 1…8.
  public var orientation: Int
  /// Width over height of the picture as stored, before orientation; nil if unknown.
  public var storedAspect: Double?
  /// Names of the camera profiles in the file.
  public var profileNames: Set<String>
  /// Whether the file itself brings corrections of its lens, as DNGs do in opcodes.
  public var hasLensCorrections: Bool

  /// Facts of one raw file.
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
