import ImageCore
public import RawDecode

/// One adjustable property of ``RAWFilter``: everything that is known of it beside what it does to
/// the pixels. The table is ``all``, in `RAWSettings.swift`, beside the stored properties and
/// accessors.
///
/// From a descriptor follow the clamping of the accessor, validation, coding, support, the listing
/// of values, the option of the command line, the key of recipes with its check and its JSON
/// Schema, what is measured anew, and the documents. Stages that are made of
/// settings trust them: whatever makes a plan validates them first (`RAWFilter.check()`); stages
/// that are made of numbers ask the row (``check(_:at:)``).
///
/// What is outside the range, NaN and infinity included, is treated in two ways, both here: code
/// that sets the property of a filter gets the nearest value in the range, or for NaN and infinity
/// no change, as with CIRAWFilter (``RAWProperty/clamped(_:)``); documents, options and
/// ``RAWFilter/settings`` are refused with the name of the property (``check(_:)``).
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
    /// Neither, with a number by which it is listed.
    case code(@Sendable (RAWFilter) -> Float)
    case other
  }

  /// Its description.
  package let property: RAWProperty
  /// Where it acts.
  package let stage: Stage
  /// Whether stages in front of that one depend on it, too.
  package private(set) var actsBefore = false
  /// The names of its option on the command line, without dashes, the usual one first.
  package let options: [String]
  /// Whether the option of a toggle can be turned off.
  package let hasInverseOption: Bool
  /// The type of its value, which is what its key decodes.
  package let type: any (Codable & Sendable).Type
  /// The property of the filter.
  package let accessor: Accessor
  /// The number, from 0, of the alternative setting of the white that it is part of; nil for other
  /// properties.
  package let white: Int?
  /// The files on which it has an effect; nil for one that has on every file.
  let support: Support?
  /// What of the settings it needs to have one; nil for nothing.
  let needs: Need?
  /// The property of ``RAWSettings`` that stores it.
  let storage: any PartialKeyPath<RAWSettings> & Sendable
  /// The name of the stored property of ``RAWSettings`` that it is, or is a part of.
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

  /// The property stored at `path`, which always has a value of its own.
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

  /// The same for one on which stages in front of its own depend, too.
  var actingBefore: Adjustment {
    var own = self
    own.actsBefore = true
    return own
  }

  /// Whether it has an effect on the file of `filter`.
  func isSupported(by filter: RAWFilter) -> Bool { support?.includes(filter) ?? true }

  /// Reads its key, where it is there, into `settings`.
  func read(_ values: KeyedDecodingContainer<Key>, into settings: inout RAWSettings) throws {
    try reading(values, Key(stringValue: name), &settings)
  }

  /// Writes its key, where `settings` have a value.
  func write(_ settings: RAWSettings, to values: inout KeyedEncodingContainer<Key>) throws {
    try writing(settings, &values, Key(stringValue: name))
  }

  /// Whether `settings` have a value of it.
  func isGiven(_ settings: RAWSettings) -> Bool { has(settings) }

  /// Gives `settings` the value that it has in `others`.
  func copy(from others: RAWSettings, to settings: inout RAWSettings) { copying(others, &settings) }

  /// Moves its number in `settings` to the nearest one that it takes; one that is none becomes that
  /// of `others`.
  func clamp(_ settings: inout RAWSettings, else others: RAWSettings) {
    if let path = storage as? WritableKeyPath<RAWSettings, Float> {
      settings[keyPath: path] =
        property.clamped(settings[keyPath: path]) ?? others[keyPath: path]
    } else if let path = storage as? WritableKeyPath<RAWSettings, Float?> {
      guard let value = settings[keyPath: path] else { return }
      settings[keyPath: path] = property.clamped(value) ?? others[keyPath: path]
    }
  }

  /// Throws a `.badSetting` where the value in `settings` is not one that it takes.
  func check(_ settings: RAWSettings) throws(RAWError) {
    guard let message = refusal(settings) else { return }
    throw RAWError(.badSetting, .settings, message, setting: name)
  }

  /// Its number in `filter` or, of a toggle, 1 for on and 0 for off; nil where it has none.
  func number(in filter: RAWFilter) -> Float? {
    // The white of a file without colors is none.
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

  /// All, in the order in which ``RAWSettings`` declares them: that of options.
  package static let declared: [Adjustment] = Mirror(reflecting: RAWSettings()).children.flatMap {
    stored in
    all.filter { $0.storageName == stored.label }
  }

  /// The alternative settings of the white, of which one is in use: properties that belong
  /// together.
  package static let whites: [[Adjustment]] = Dictionary(grouping: all.filter { $0.white != nil }) {
    $0.white ?? 0
  }.sorted { $0.key < $1.key }.map(\.value)

  /// The nearest value that the number at `path` takes; nil for NaN and infinity.
  static func clamped(_ value: Float, at path: PartialKeyPath<RAWSettings>) -> Float? {
    stored(at: path)?.property.clamped(value)
  }

  /// Throws a `.badSetting` unless the number at `path` takes `value`: for stages that are made of
  /// numbers.
  static func check(_ value: Float, at path: PartialKeyPath<RAWSettings>) throws(RAWError) {
    guard let own = stored(at: path), let message = own.property.refusal(value) else { return }
    throw RAWError(.badSetting, .settings, message, setting: own.name)
  }

  private static func stored(at path: PartialKeyPath<RAWSettings>) -> Adjustment? {
    all.first { $0.storage == path }
  }
}

extension RAWProperty {
  /// The nearest number that it takes; nil for NaN and infinity, which have none.
  public func clamped(_ value: Float) -> Float? {
    guard value.isFinite else { return nil }
    return min(max(value, minimum ?? -.infinity), maximum ?? .infinity)
  }

  /// Why it does not take `value`; nil where it does.
  func refusal(_ value: Float) -> String? {
    guard let minimum, let maximum else { return nil }
    return (minimum...maximum).refusal(of: value, name)
  }

  /// The same of a whole number.
  func refusal(_ value: Int) -> String? {
    refusal(Float(value)).map { _ in "\(name) is \(value); it takes \(range)" }
  }
}

extension RAWSettings: Codable {
  /// Reads settings as recipes store them: one key for each property. An absent key has its
  /// default; so has one whose value is null. At most one setting of the white may be present.
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
  }

  /// Writes the settings; those that follow the file are left out.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Adjustment.Key.self)
    for adjustment in Adjustment.all { try adjustment.write(self, to: &values) }
  }

  /// Throws a `.badSetting` that names the first property outside its range, or the first that has
  /// no place beside the look `scene`.
  public func validate() throws(RAWError) {
    for adjustment in Adjustment.all { try adjustment.check(self) }
    try checkScene()
  }

  /// These settings with every number at the nearest value that its property takes, and one that is
  /// NaN or infinite at its default: as by setting the properties of a new ``RAWFilter`` one by
  /// one, where ``RAWFilter/settings`` are refused as a whole. ``WhiteBalance/location(_:)`` is
  /// clamped from below, as the size of the picture is not known here. What is no amount, such as
  /// a frame or the points of a curve, is left; ``validate()`` refuses what is not valid of it.
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

  /// These settings as far as pixels behind `stage` depend on them: later ones have their defaults,
  /// and so have those that act in `others`.
  func upTo(_ stage: Adjustment.Stage, without others: Set<Adjustment.Stage> = []) -> RAWSettings {
    resetting { !$0.actsBefore && ($0.stage > stage || others.contains($0.stage)) }
  }

  /// These settings with the defaults of those for which `isReset` is true.
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
