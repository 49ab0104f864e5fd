import ImageCore
public import RawDecode

/// One adjustable property of ``RAWFilter``: its range, support, options, coding and documentation;
/// everything but its effect on pixels. The table is ``all``, in `RAWSettings.swift`, beside the
/// stored properties and accessors.
///
/// The descriptor determines clamping, validation, coding, support, the listing of values, the
/// command-line option, the recipe key with its check and JSON Schema, what is measured again, and
/// the documentation. Stages created from settings trust them, because `RAWFilter.check()`
/// validates them before a plan is made; stages created from numbers call ``check(_:at:)``.
///
/// Values outside the range are handled in two ways. Setting a property of a filter clamps the
/// value; NaN and infinity change nothing, as with CIRAWFilter (``RAWProperty/clamped(_:)``).
/// Documents, options and ``RAWFilter/settings`` are rejected with the name of the property
/// (``check(_:)``).
package struct Adjustment: Sendable {
  /// Groups of properties by where they act, in about the order of the pipeline: a file's own local
  /// tone map acts before exposure, ours after detail. The stages themselves are ``DevelopStage``.
  package enum Stage: Int, CaseIterable, Comparable, Sendable {
    case decode, highlights, demosaic, noise, lens, defringe, size, profile, white, fileExposure
    case localTone, exposure, detail, toneAdjustment, color, finish, tone, curve, frame, output

    package static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
  }

  /// The property of ``RAWFilter`` of this name.
  package enum Accessor: Sendable {
    case number(any WritableKeyPath<RAWFilter, Float> & Sendable)
    case toggle(any WritableKeyPath<RAWFilter, Bool> & Sendable)
    /// Neither; the number is used in listings.
    case code(@Sendable (RAWFilter) -> Float)
    case other
  }

  /// Its description.
  package let property: RAWProperty
  /// The group of stages that it affects.
  package let stage: Stage
  /// Whether earlier stages depend on it as well.
  package private(set) var actsBefore = false
  /// The names of its option on the command line, without dashes, the usual one first.
  package let options: [String]
  /// Whether the option of a toggle can be turned off.
  package let hasInverseOption: Bool
  /// The type that its key decodes.
  package let type: any (Codable & Sendable).Type
  /// The property of the filter.
  package let accessor: Accessor
  /// Index of the alternative white setting that it belongs to; nil for other properties.
  package let white: Int?
  /// The files on which it has an effect; nil for all files.
  let support: Support?
  /// The other settings that it requires; nil for none.
  let needs: Need?
  /// The property of ``RAWSettings`` that stores it.
  let storage: any PartialKeyPath<RAWSettings> & Sendable
  /// The name of the stored property of ``RAWSettings`` that contains it.
  package private(set) var storageName: String

  private let reading:
    @Sendable (KeyedDecodingContainer<Key>, Key, inout RAWSettings) throws -> Void
  private let writing:
    @Sendable (RAWSettings, inout KeyedEncodingContainer<Key>, Key) throws -> Void
  private let refusal: @Sendable (RAWSettings) -> String?
  private let has: @Sendable (RAWSettings) -> Bool
  private let copying: @Sendable (RAWSettings, inout RAWSettings) -> Void

  package var name: String { property.name }

  /// Names of properties as keys.
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  /// The property stored at `path`, where nil means the default of the file or version.
  /// `refusal` describes what is wrong with a value; numbers are checked against their range.
  init<Value: Codable & Hashable & Sendable>(
    _ property: RAWProperty, ifSet path: any WritableKeyPath<RAWSettings, Value?> & Sendable,
    _ accessor: Accessor, _ stage: Stage, options: [String] = [], hasInverseOption: Bool = true,
    white: Int? = nil, support: Support? = nil, needs: Need? = nil,
    refusal: (@Sendable (Value) -> String?)? = nil
  ) {
    self.init(
      property, path, Value.self, accessor, stage, options, hasInverseOption, white, support, needs,
      get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 }, refusal)
  }

  /// The property stored at `path`, which is never nil.
  init<Value: Codable & Hashable & Sendable>(
    _ property: RAWProperty, _ path: any WritableKeyPath<RAWSettings, Value> & Sendable,
    _ accessor: Accessor, _ stage: Stage, options: [String] = [], hasInverseOption: Bool = true,
    white: Int? = nil, support: Support? = nil, needs: Need? = nil,
    refusal: (@Sendable (Value) -> String?)? = nil
  ) {
    self.init(
      property, path, Value.self, accessor, stage, options, hasInverseOption, white, support, needs,
      get: { $0[keyPath: path] },
      set: { settings, value in if let value { settings[keyPath: path] = value } }, refusal)
  }

  private init<Value: Codable & Hashable & Sendable>(
    _ property: RAWProperty, _ storage: any PartialKeyPath<RAWSettings> & Sendable,
    _ type: Value.Type, _ accessor: Accessor, _ stage: Stage, _ options: [String],
    _ hasInverseOption: Bool, _ white: Int?, _ support: Support?, _ needs: Need?,
    get: @escaping @Sendable (RAWSettings) -> Value?,
    set: @escaping @Sendable (inout RAWSettings, Value?) -> Void,
    _ refusal: (@Sendable (Value) -> String?)?
  ) {
    (self.property, self.storage, self.accessor) = (property, storage, accessor)
    (self.type, storageName) = (type, white == nil ? property.name : "neutral")
    (self.stage, self.white, self.support, self.needs) = (stage, white, support, needs)
    self.options = options.isEmpty ? [property.option] : options
    self.hasInverseOption = hasInverseOption
    reading = { values, key, settings in
      set(&settings, try values.decodeIfPresent(Value.self, forKey: key))
    }
    writing = { settings, values, key in
      try values.encodeIfPresent(get(settings), forKey: key)
    }
    has = { get($0) != nil }
    copying = { set(&$1, get($0)) }
    self.refusal = { settings in
      guard let value = get(settings) else { return nil }
      if let refusal { return refusal(value) }
      return (value as? Float).flatMap { property.refusal($0) }
        ?? (value as? Int).flatMap { property.refusal($0) }
    }
  }

  /// The same, stored in the property of ``RAWSettings`` of this name.
  func part(of storageName: String) -> Adjustment {
    var part = self
    part.storageName = storageName
    return part
  }

  /// The same, marked as affecting earlier stages as well.
  var actingBefore: Adjustment {
    var own = self
    own.actsBefore = true
    return own
  }

  /// Whether it has an effect on the file of `filter`.
  func isSupported(by filter: RAWFilter) -> Bool { support?.includes(filter) ?? true }

  /// Reads its key, if present, into `settings`.
  func read(_ values: KeyedDecodingContainer<Key>, into settings: inout RAWSettings) throws {
    try reading(values, Key(stringValue: name), &settings)
  }

  /// Writes its key if `settings` have a value.
  func write(_ settings: RAWSettings, to values: inout KeyedEncodingContainer<Key>) throws {
    try writing(settings, &values, Key(stringValue: name))
  }

  /// Whether `settings` have a value for it.
  func isGiven(_ settings: RAWSettings) -> Bool { has(settings) }

  /// Copies its value from `others` to `settings`.
  func copy(from others: RAWSettings, to settings: inout RAWSettings) { copying(others, &settings) }

  /// Clamps its number in `settings` to the range; NaN and infinity are replaced by the value in
  /// `others`.
  func clamp(_ settings: inout RAWSettings, else others: RAWSettings) {
    if let path = storage as? WritableKeyPath<RAWSettings, Float> {
      settings[keyPath: path] =
        property.clamped(settings[keyPath: path]) ?? others[keyPath: path]
    } else if let path = storage as? WritableKeyPath<RAWSettings, Float?> {
      guard let value = settings[keyPath: path] else { return }
      settings[keyPath: path] = property.clamped(value) ?? others[keyPath: path]
    }
  }

  /// Throws a `.badSetting` if the value in `settings` is not valid.
  func check(_ settings: RAWSettings) throws(RAWError) {
    guard let message = refusal(settings) else { return }
    throw RAWError(.badSetting, .settings, message, setting: name)
  }

  /// Its number in `filter`; 1 and 0 for a toggle that is on or off; nil if it has none.
  func number(in filter: RAWFilter) -> Float? {
    // Files without color have no white.
    if white != nil, !filter.isWhiteBalanceSupported, case .number = accessor { return nil }
    return switch accessor {
    case .number(let path): filter[keyPath: path]
    case .toggle(let path): filter[keyPath: path] ? 1 : 0
    case .code(let number): number(filter)
    case .other: nil
    }
  }
}

extension Adjustment {
  /// The property called `name`.
  package static func named(_ name: String) -> Adjustment? { all.first { $0.name == name } }

  /// All, in the order in which ``RAWSettings`` declares them, which is the order of options.
  package static let declared: [Adjustment] = Mirror(reflecting: RAWSettings()).children.flatMap {
    stored in
    all.filter { $0.storageName == stored.label }
  }

  /// The alternative white settings, of which one is in use; each is a group of properties.
  package static let whites: [[Adjustment]] = Dictionary(grouping: all.filter { $0.white != nil }) {
    $0.white ?? 0
  }.sorted { $0.key < $1.key }.map(\.value)

  /// `value` clamped to the range of the number at `path`; nil for NaN and infinity.
  static func clamped(_ value: Float, at path: PartialKeyPath<RAWSettings>) -> Float? {
    stored(at: path)?.property.clamped(value)
  }

  /// Throws a `.badSetting` if `value` is outside the range of the number at `path`; for stages
  /// created from numbers.
  static func check(_ value: Float, at path: PartialKeyPath<RAWSettings>) throws(RAWError) {
    guard let own = stored(at: path), let message = own.property.refusal(value) else { return }
    throw RAWError(.badSetting, .settings, message, setting: own.name)
  }

  private static func stored(at path: PartialKeyPath<RAWSettings>) -> Adjustment? {
    all.first { $0.storage == path }
  }
}

extension RAWProperty {
  /// `value` clamped to the range; nil for NaN and infinity.
  public func clamped(_ value: Float) -> Float? {
    guard value.isFinite else { return nil }
    return min(max(value, minimum ?? -.infinity), maximum ?? .infinity)
  }

  /// Why `value` is not valid; nil if it is.
  func refusal(_ value: Float) -> String? {
    guard let minimum, let maximum else { return nil }
    return (minimum...maximum).refusal(of: value, name)
  }

  /// The same for an integer.
  func refusal(_ value: Int) -> String? {
    refusal(Float(value)).map { _ in "\(name) is \(value); it takes \(range)" }
  }
}

extension RAWSettings: Codable {
  /// Reads settings as recipes store them: one key for each property. An absent key, or null, means
  /// the default. At most one white setting may be present.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Adjustment.Key.self)
    self.init()
    for adjustment in Adjustment.all where adjustment.white == nil {
      try adjustment.read(values, into: &self)
    }
    let whites = try Adjustment.whites.map { way -> WhiteBalance in
      var alone = RAWSettings()
      for adjustment in way { try adjustment.read(values, into: &alone) }
      return alone.neutral
    }.filter { $0 != .asShot }
    guard whites.count <= 1 else {
      let ways = Adjustment.whites.map { $0.map(\.name).joined(separator: " with ") }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: values.codingPath,
          debugDescription: "give one of " + ways.joined(separator: ", ")))
    }
    neutral = whites.first ?? .asShot
    guard isAutomaticAdjustmentEnabled else { return }
    try exceptFromAutomaticAdjustment {
      let key = Adjustment.Key(stringValue: $0)
      return try values.contains(key) && !values.decodeNil(forKey: key)
    }
  }

  /// Writes the settings; those that default to the file's value, or that
  /// automatic adjustment sets, are left out.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Adjustment.Key.self)
    let automatic = automaticNames
    for adjustment in Adjustment.all where !automatic.contains(adjustment.name) {
      try adjustment.write(self, to: &values)
    }
  }

  /// Throws a `.badSetting` that names the first property that is outside its range or conflicts
  /// with the look `scene`.
  public func validate() throws(RAWError) {
    for adjustment in Adjustment.all { try adjustment.check(self) }
    try checkScene()
  }

  /// These settings with every number clamped to its range, and NaN and infinity replaced by the
  /// default: the same as setting the properties of a new ``RAWFilter`` one by one, whereas
  /// ``RAWFilter/settings`` are rejected as a whole. ``WhiteBalance/location(_:)`` is clamped from
  /// below only, because the size of the picture is not known here. Values that are not amounts,
  /// such as a frame or the points of a curve, are unchanged; ``validate()`` rejects invalid ones.
  public func clamped() -> RAWSettings {
    var settings = self
    let standard = RAWSettings()
    for adjustment in Adjustment.all { adjustment.clamp(&settings, else: standard) }
    switch settings.neutral {
    case .chromaticity(let xy):
      settings.neutral = Self.clamped(xy).map { .chromaticity($0) } ?? standard.neutral
    case .location(let point):
      settings.neutral = .location(PixelPoint(x: max(point.x, 0), y: max(point.y, 0)))
    case .asShot, .temperature, .automatic, .reference: break
    }
    return settings
  }

  /// These settings with those of later stages than `stage`, and of the stages `others`, reset to
  /// their defaults: what the pixels after `stage` depend on.
  func upTo(_ stage: Adjustment.Stage, without others: Set<Adjustment.Stage> = []) -> RAWSettings {
    resetting { !$0.actsBefore && ($0.stage > stage || others.contains($0.stage)) }
  }

  /// These settings with those for which `isReset` is true reset to their defaults.
  package func resetting(_ isReset: (Adjustment) -> Bool) -> RAWSettings {
    var settings = self
    let standard = RAWSettings()
    for adjustment in Adjustment.all where isReset(adjustment) {
      adjustment.copy(from: standard, to: &settings)
    }
    return settings
  }
}

extension RAWFilter {
  /// Names of the adjustments that have an effect on this file.
  public var supportedAdjustments: [String] {
    Adjustment.all.filter { $0.support == nil }.map(\.name) + ["linearSpaceFilter"]
      + Adjustment.all.filter { $0.support?.includes(self) ?? false }.map(\.name)
  }

  mutating func set(_ path: WritableKeyPath<RAWSettings, Float>, _ value: Float) {
    if let value = Adjustment.clamped(value, at: path) { settings[keyPath: path] = value }
  }

  mutating func set(_ path: WritableKeyPath<RAWSettings, Float?>, _ value: Float) {
    if let value = Adjustment.clamped(value, at: path) { settings[keyPath: path] = value }
  }
}
