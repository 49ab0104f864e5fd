public import ArgumentParser
import Develop
public import Formats
import Foundation
public import HDRRender
import ImageCore
public import Recipes

extension OutputFormat: ExpressibleByArgument {
  /// The format of this name or of one that means the same, as jpg.
  public init?(argument: String) { self.init(name: argument) }
}
extension MetadataPolicy: ExpressibleByArgument {}
extension ColorSpace: ExpressibleByArgument {}
extension OutputProfile.Intent: ExpressibleByArgument {}
extension ChromaSubsampling: ExpressibleByArgument {}
extension TileLayout: ExpressibleByArgument {}
extension GainMapChoice.Base: ExpressibleByArgument {}
extension GainMapCreation.Scale: ExpressibleByArgument {}
extension TIFFCompressionChoice: ExpressibleByArgument {}
extension EXRCompression: ExpressibleByArgument {}
extension EXRLayout: ExpressibleByArgument {}
extension DNGChoice.Samples: ExpressibleByArgument {}
extension DNGChoice.Bits: ExpressibleByArgument {}
extension DNGChoice.Compression: ExpressibleByArgument {}
extension DNGChoice.Preview: ExpressibleByArgument {}

/// The options of an output, made from the table of its settings (`Recipe.Output.settings`), as
/// ``RAWOptions`` are made from the table of properties.
struct OutputOptions: ParsableArguments, CustomReflectable {
  private typealias Setting = RecipeSetting<Recipe.Output>

  private static let options = Recipe.Output.settings.flatMap(\.options)
  /// The options that were given, by name.
  private let given: [String: any Sendable]

  init() { given = [:] }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: PropertyKey.self)
    var given: [String: any Sendable] = [:]
    for option in Self.options {
      func value<T: Codable & Sendable>(_ type: T.Type) throws -> T? {
        let key = PropertyKey(stringValue: option.name)
        return try values.decode(Option<T?>.self, forKey: key).wrappedValue
      }
      given[option.name] = try value(option.type)
    }
    self.given = given
  }

  var customMirror: Mirror {
    func definition<T: ExpressibleByArgument>(_ option: Setting.Option, _: T.Type) -> Any {
      Option<T?>(
        name: NameSpecification(option.names.map { .customLong($0) }),
        help: ArgumentHelp(option.help, visibility: HelpLevel.ofOutput(option.name)))
    }
    return Mirror(
      self,
      children: Self.options.map { (label: $0.name, value: definition($0, $0.argument)) })
  }

  func validate() throws {
    for option in Self.options {
      if let takes = given[option.name].flatMap(option.refusal) {
        throw ValidationError("--\(option.name) takes \(takes)")
      }
    }
  }

  /// Whether the format was given.
  var hasFormat: Bool { given["format"] != nil }
  /// Whether the color space was given.
  var hasColorSpace: Bool { given["color-space"] != nil }

  /// Notes a format that the name of `file` selected, where people may expect another.
  func note(_ reports: [DevelopReport], to file: String?) {
    guard let file, !hasFormat, reports.contains(where: { $0.format == OutputFormat.png.rawValue })
    else { return }
    Terminal.note(
      "a .png is HDR (PQ), which viewers without HDR show pale; --format png-sdr is for all",
      about: file)
  }

  /// Bits per sample, where they were given.
  var bits: Int? { given["bits"] as? Int }

  /// The first, as typed, of those that were given other than `names`; nil for none.
  func given(besides names: Set<String>) -> String? {
    Self.options.first { given[$0.name] != nil && !names.contains($0.name) }
      .map { "--\($0.names.typed ?? $0.name)" }
  }

  /// Whether any was given, so that the outputs of recipes do not count.
  var isGiven: Bool { !given.isEmpty }

  /// The only output of recipes with these options; where recipes have several, only these options.
  func chosen(
    output: String? = nil, metadata: HDRMetadata = HDRMetadata()
  ) -> @Sendable ([String: Recipe.Output]) throws -> [String: Recipe.Output] {
    { outputs in
      let base = outputs.count == 1 ? outputs.values.first : nil
      let settings = try settings(
        output: output, metadata: metadata, changing: base ?? Recipe.Output())
      return [(outputs.count == 1 ? outputs.keys.first : nil) ?? Recipe.onlyOutput: settings]
    }
  }

  /// The options as an output; `output` may decide the format, so that it preserves the range of
  /// `source`, and SDR its `colorSpace`.
  func settings(
    output: String?, metadata: HDRMetadata = HDRMetadata(), keeping source: DynamicRangeMix? = nil,
    hasGainMap: Bool = false, colorSpace: ColorSpace? = nil,
    changing base: Recipe.Output = Recipe.Output()
  ) throws -> Recipe.Output {
    let suffix = output.map { URL(fileURLWithPath: $0).pathExtension } ?? ""
    let named =
      source.map {
        OutputFormat(pathExtension: suffix, keeping: $0, hasGainMap: hasGainMap)
      } ?? OutputFormat(pathExtension: suffix)
    // Folders and standard output do not determine it; then it is the default, unless it depends on
    // a source.
    let isOpen =
      source != nil
      || !suffix.isEmpty && output.map { !FileManager.default.fileExists(atPath: $0) } ?? false
    if given["format"] == nil, named == nil, isOpen {
      let known = OutputFormat.usualExtensions.map { ".\($0)" }
      throw ValidationError(
        "\(output ?? "the output") does not determine its format; give --format, or name a file "
          + "\(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")")
    }
    var settings = base
    settings.format = named ?? base.format
    if given["icc"] == nil, let space = source.flatMap(ColorSpace.init(keeping:)) {
      settings.colorSpace = space
    }
    // The format first, on which others depend.
    for option in Self.options {
      if let value = given[option.name] { option.set(value, &settings) }
    }
    if let colorSpace, settings.keepsColorSpace, given["color-space"] == nil {
      settings.colorSpace = colorSpace
    }
    if let named, let output, named.container != settings.format.container {
      throw ValidationError(
        "--format \(settings.format.rawValue) writes .\(settings.format.pathExtension), not "
          + "\(output); leave one of them out")
    }
    if metadata != HDRMetadata() { settings.light = metadata }
    for option in Self.options where given[option.name] != nil {
      guard let scope = option.scope, !scope.contains(settings) else { continue }
      throw ValidationError(
        "--\(option.names.typed ?? option.name) has no effect on "
          + "\(settings.format.rawValue); it is for \(scope.name)"
      )
    }
    do { try settings.validate() } catch {
      let option = Recipe.Output.setting(named: error.key)?.options.first { given[$0.name] != nil }
      throw ValidationError((option.map { "--\($0.name): " } ?? "") + "\(error)")
    }
    return settings
  }
}

extension RecipeSetting.Option {
  /// Its names, the present one first.
  fileprivate var names: [String] { [name] + (formerName.map { [$0] } ?? []) }

  /// How the parser reads its value.
  fileprivate var argument: any ExpressibleByArgument.Type {
    guard let type = type as? any ExpressibleByArgument.Type else {
      preconditionFailure("--\(name): make \(type) ExpressibleByArgument above")
    }
    return type
  }
}
