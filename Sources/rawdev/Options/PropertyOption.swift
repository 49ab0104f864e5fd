public import ArgumentParser
import Foundation
import HDRRender
import ImageCore
public import RawFilter
import Recipes

extension DemosaicMethod: ExpressibleByArgument {}

/// How the value of a property is written on the command line.
enum PropertyOption {
  /// A number; may begin with a minus.
  case number
  /// An integer from a list of codes.
  case code
  /// On, and off by `--no-`.
  case toggle
  /// On.
  case flag
  /// A text.
  case text
  /// One of the demosaicing methods.
  case method
  /// Two numbers with a comma between them.
  case pair
  /// Numbers with commas between them.
  case numbers
  /// Two integers with a comma between them.
  case location

  /// The parser's definition: a property wrapper without a value.
  func definition(_ adjustment: Adjustment) -> Any {
    let name = NameSpecification(
      adjustment.options.map { NameSpecification.Element.customLong($0) })
    let help = ArgumentHelp(
      adjustment.property.help, visibility: HelpLevel.ofProperty(adjustment.name))
    return switch self {
    case .number: Option<Float?>(name: name, parsing: .unconditional, help: help)
    case .code: Option<Int?>(name: name, help: help)
    case .toggle: Flag<Bool?>(name: name, inversion: .prefixedNo, help: help)
    case .flag: Flag<Bool>(wrappedValue: false, name: name, help: help)
    case .text: Option<String?>(name: name, help: help)
    case .method: Option<DemosaicMethod?>(name: name, help: help)
    case .numbers:
      Option<[Double]?>(
        name: name, parsing: .unconditional, help: help, transform: Self.numbers)
    case .pair, .location: Option<[Double]?>(name: name, help: help, transform: Self.pair)
    }
  }

  /// The value of `key` on the command line, as documents write it; nil if absent.
  func value(
    _ options: KeyedDecodingContainer<PropertyKey>, _ key: PropertyKey
  ) throws -> RecipeValue? {
    func option<T: Decodable>(_ type: T.Type) throws -> T? {
      try options.decode(Option<T?>.self, forKey: key).wrappedValue
    }
    switch self {
    case .number:
      // As it was typed, not as its nearest float.
      return try option(Float.self).map { .number(Double("\($0)") ?? Double($0)) }
    case .code: return try option(Int.self).map { .number(Double($0)) }
    case .toggle:
      return try options.decode(Flag<Bool?>.self, forKey: key).wrappedValue.map { .bool($0) }
    case .flag:
      return try options.decode(Flag<Bool>.self, forKey: key).wrappedValue ? .bool(true) : nil
    case .text: return try option(String.self).map { .text($0) }
    case .method: return try option(DemosaicMethod.self).map { .text($0.rawValue) }
    case .pair, .numbers: return try option([Double].self).map { .list($0.map { .number($0) }) }
    case .location:
      return try option([Double].self).map {
        .list($0.map { .number($0.rounded(.towardZero)) })
      }
    }
  }

  static func numbers(_ text: String) throws -> [Double] {
    try text.split(separator: ",").map {
      guard let value = Double($0.trimmingCharacters(in: .whitespaces)), value.isFinite else {
        throw ValidationError("\"\($0)\" is not a number")
      }
      return value
    }
  }

  private static func pair(_ text: String) throws -> [Double] {
    let values = try numbers(text)
    guard values.count == 2 else { throw ValidationError("\"\(text)\" is not a pair x,y") }
    return values
  }
}

extension Adjustment {
  /// How its value is written on the command line.
  var option: PropertyOption {
    switch type {
    case is Float.Type: .number
    case is Orientation.Type, is Int.Type: .code
    case is Bool.Type: hasInverseOption ? .toggle : .flag
    case is DemosaicMethod.Type: .method
    case is NumberPair<Double>.Type: .pair
    case is PointCurve.Type: .numbers
    case is NumberPair<Int>.Type: .location
    default: .text
    }
  }
}

extension Adjustment {
  /// The option as it was typed, of those that set it.
  var typed: String { options.typed ?? options[0] }
}

extension [String] {
  /// The option of these that was typed; nil for none.
  var typed: String? {
    let typed = CommandLine.arguments.map { $0.prefix { $0 != "=" } }
    return first { typed.contains("--\($0)") }
  }
}

/// The key by which the parser identifies the option of a property.
struct PropertyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  static let colorMatrix = PropertyKey(stringValue: "colorMatrix")

  init(_ adjustment: Adjustment) { stringValue = adjustment.name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
