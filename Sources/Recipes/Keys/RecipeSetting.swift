/// A part of a recipe whose settings are the rows of a table: the rendering, an output.
package protocol RecipeSection: Sendable {
  /// The defaults.
  init()
  /// A row for each stored property, in the order of documents.
  static var settings: [RecipeSetting<Self>] { get }
}

/// One setting of a section: all its properties except its effect. From the row follow
/// the coding, the keys with their checks, schema and documents, the validation, and the options of
/// the command line.
package struct RecipeSetting<Section: RecipeSection>: Sendable {
  /// An option of the command line.
  package struct Option: Sendable {
    /// Its name without dashes.
    package let name: String
    /// The name that it had before, which is taken, too.
    package var formerName: String?
    /// Its help.
    package let help: String
    /// The type of its value.
    package let type: any (Codable & Sendable).Type
    /// Type and range, for an invalid `value`; nil for a valid one.
    package let refusal: @Sendable (_ value: any Sendable) -> String?
    /// Sets `value`, which is of `type`.
    package let set: @Sendable (_ value: any Sendable, inout Section) -> Void
    /// Where it has an effect; nil for everywhere.
    package var scope: Scope?

    /// The sections in which an option has an effect, and their name.
    package struct Scope: Sendable {
      package let name: String
      package let contains: @Sendable (Section) -> Bool

      init(_ name: String, _ contains: @escaping @Sendable (Section) -> Bool) {
        (self.name, self.contains) = (name, contains)
      }
    }

    init<Value: Codable & Sendable>(
      _ name: String, formerName: String? = nil, help: String, takes: String = "",
      scope: Scope? = nil, where isTaken: @escaping @Sendable (Value) -> Bool = { _ in true },
      set: @escaping @Sendable (Value, inout Section) -> Void
    ) {
      (self.name, self.formerName) = (name, formerName)
      (self.help, type, self.scope) = (help, Value.self, scope)
      refusal = { ($0 as? Value).map(isTaken) ?? false ? nil : takes }
      self.set = { value, section in (value as? Value).map { set($0, &section) } }
    }

    /// An option of the value at `path`, with the help of its key.
    init<Value: Codable & Sendable>(
      _ name: String, _ path: any WritableKeyPath<Section, Value?> & Sendable, _ key: RecipeKey,
      scope: Scope? = nil
    ) {
      self.init(name, help: key.help(), scope: scope) { (value: Value, section) in
        section[keyPath: path] = value
      }
    }
  }

  /// Name of the stored property and of its key.
  let name: String
  /// The name that it had before, which is read, too; nil for none.
  let formerName: String?
  /// What its key takes, or of a group each key in it: `quality`, `gainMap.base`.
  let keys: [RecipeKey]
  /// The options that set it.
  package let options: [Option]
  fileprivate let read:
    @Sendable (KeyedDecodingContainer<SettingName>, SettingName, inout Section) throws -> Void
  fileprivate let write:
    @Sendable (Section, inout KeyedEncodingContainer<SettingName>, SettingName) throws -> Void
  fileprivate let refusal: @Sendable (Section) -> String?

  /// A setting that always has a value, by default the one of `Section()`.
  init<Value: RecipeSettingValue>(
    _ name: String, _ path: any WritableKeyPath<Section, Value> & Sendable,
    in range: ClosedRange<Double>? = nil, unit: String = "", _ summary: String,
    _ interplay: String = "", option: String? = nil, optionDefault: String? = nil,
    formerName: (key: String, option: String)? = nil, scope: Option.Scope? = nil,
    refusal: (@Sendable (Value, Section) -> String?)? = nil
  ) {
    var row = RecipeKey(
      name, Value.kind, range, choices: Value.choices, unit: unit,
      standard: Section()[keyPath: path].text, summary, interplay)
    row.otherNames = Value.otherNames
    let key = row
    (self.name, self.formerName, keys) = (name, formerName?.key, [key])
    options =
      option.map {
        [
          Option(
            $0, formerName: formerName?.option, help: key.help(default: optionDefault), scope: scope
          ) { $1[keyPath: path] = $0 }
        ]
      } ?? []
    read = { values, name, section in
      section[keyPath: path] =
        try values.decodeIfPresent(Value.self, forKey: name) ?? section[keyPath: path]
    }
    write = { section, values, name in try values.encode(section[keyPath: path], forKey: name) }
    self.refusal = { section in
      refusal?(section[keyPath: path], section) ?? key.refusal(of: section[keyPath: path])
    }
  }

  /// A setting that is nil unless set; `standard` is its default in words. `refusal` gives reasons
  /// against a value other than its range.
  init<Value: RecipeSettingValue>(
    _ name: String, ifSet path: any WritableKeyPath<Section, Value?> & Sendable,
    _ range: ClosedRange<Double>? = nil, from minimum: Double? = nil, count: Int? = nil,
    choices: [Int] = [], unit: String = "", standard: String, _ summary: String,
    _ interplay: String = "", option: String? = nil, options: [Option] = [],
    scope: Option.Scope? = nil, refusal: (@Sendable (Value, Section) -> String?)? = nil
  ) {
    let key = RecipeKey(
      name, Value.kind, range, from: minimum, count: count,
      choices: choices.isEmpty ? Value.choices : choices.map(String.init), unit: unit,
      standard: standard, summary, interplay)
    (self.name, formerName, keys) = (name, nil, [key])
    self.options =
      options
      + (option.map { option in
        [
          Option(
            option, help: key.help(), takes: key.range, scope: scope,
            where: { key.refusal(of: $0) == nil }
          ) { (value: Value, section) in section[keyPath: path] = value }
        ]
      } ?? [])
    read = { values, name, section in
      section[keyPath: path] = try values.decodeIfPresent(Value.self, forKey: name)
    }
    write = { section, values, name in
      try values.encodeIfPresent(section[keyPath: path], forKey: name)
    }
    self.refusal = { section in
      section[keyPath: path].flatMap { refusal?($0, section) ?? key.refusal(of: $0) }
    }
  }

  /// A group of `keys`, stored as one value. A value equal to `omitted` is not written, so that a
  /// group added later does not change IDs of files and journals of batches.
  init<Value: Codable & Hashable & Sendable>(
    group name: String, _ path: any WritableKeyPath<Section, Value> & Sendable,
    keys: [RecipeKey], options: [Option] = [], omitted: Value? = nil,
    refusal: @escaping @Sendable (Value, Section) -> String?
  ) {
    (self.name, formerName) = (name, nil)
    self.keys = keys.map { $0.inside(name) }
    self.options = options
    read = { values, name, section in
      section[keyPath: path] =
        try values.decodeIfPresent(Value.self, forKey: name) ?? section[keyPath: path]
    }
    write = { section, values, name in
      let value = section[keyPath: path]
      if value != omitted { try values.encode(value, forKey: name) }
    }
    self.refusal = { section in refusal(section[keyPath: path], section) }
  }
}

/// Names of settings as keys.
private struct SettingName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}

extension RecipeSection {
  /// Reads the settings; absent keys and null keep the default.
  init(settingsFrom decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SettingName.self)
    self.init()
    for setting in Self.settings {
      let former = setting.formerName.map { SettingName(stringValue: $0) }
      let name = SettingName(stringValue: setting.name)
      let isFormer = former.map { values.contains($0) && !values.contains(name) } ?? false
      try setting.read(values, isFormer ? former ?? name : name, &self)
    }
  }

  /// Writes the settings; those that are nil are left out. `JSONEncoder.canonical()` gets former
  /// names.
  func encodeSettings(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingName.self)
    let isCanonical = CodingUserInfoKey.canonicalText.map { encoder.userInfo[$0] != nil } ?? false
    for setting in Self.settings {
      let name = isCanonical ? setting.formerName ?? setting.name : setting.name
      try setting.write(self, &values, SettingName(stringValue: name))
    }
  }

  /// The setting of the key that an error of ``validateSettings()`` names; nil for an unknown key.
  package static func setting(named key: RecipePath?) -> RecipeSetting<Self>? {
    settings.first { key == RecipePath(keys: $0.name) }
  }

  /// Throws for the first setting that cannot have its value; the error's key is its name.
  func validateSettings() throws(RecipeError) {
    for setting in Self.settings {
      guard let message = setting.refusal(self) else { continue }
      throw RecipeError(.badSetting, message, key: RecipePath(keys: setting.name))
    }
  }
}

extension ClosedRange<Double> {
  /// A range of a setting, as keys state it.
  init(_ range: ClosedRange<Int>) {
    self = Double(range.lowerBound)...Double(range.upperBound)
  }

  /// The same for floats.
  init(_ range: ClosedRange<Float>) {
    self = Double(range.lowerBound)...Double(range.upperBound)
  }
}

/// A type of the values of one key.
package protocol RecipeSettingValue: Codable, Sendable {
  static var kind: RecipeKey.Kind { get }
  /// The texts that it takes; empty for any.
  static var choices: [String] { get }
  /// Other accepted texts, and the choices that they mean.
  static var otherNames: [String: String] { get }
  /// The value as documents write it.
  var text: String { get }
  /// The value that has to be within the range of a key; nil for values without a range.
  var number: Double? { get }
}

extension RecipeSettingValue {
  package static var choices: [String] { [] }
  package static var otherNames: [String: String] { [:] }
  package var text: String { "\(self)" }
  package var number: Double? { nil }
}

extension RecipeSettingValue where Self: RawRepresentable<String> & CaseIterable {
  package static var kind: RecipeKey.Kind { .text }
  package static var choices: [String] { allCases.map(\.rawValue) }
  package var text: String { rawValue }
}

extension Float: RecipeSettingValue {
  package static var kind: RecipeKey.Kind { .number }
  package var number: Double? { Double(self) }
}

extension Double: RecipeSettingValue {
  package static var kind: RecipeKey.Kind { .number }
  package var text: String { RecipeText.number(self) }
  package var number: Double? { self }
}

extension Int: RecipeSettingValue {
  package static var kind: RecipeKey.Kind { .integer }
  package var number: Double? { Double(self) }
}

extension Bool: RecipeSettingValue {
  package static var kind: RecipeKey.Kind { .toggle }
  package var text: String { self ? "on" : "off" }
}

extension String: RecipeSettingValue {
  package static var kind: RecipeKey.Kind { .text }
}

extension [Double]: RecipeSettingValue {
  package static var kind: RecipeKey.Kind { .numbers }
}
