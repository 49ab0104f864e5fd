import ArgumentParser
import RawFilter
import Recipes

/// One option for each adjustable property, made from the table of properties; unset options keep
/// the property's default.
///
/// The parser finds options by reflection and reads them by their keys. Both are given here from
/// the table, so that a property needs no line of its own.
struct RAWOptions: ParsableArguments, CustomReflectable {
  /// The options that were given, as the `raw` part of a recipe.
  let values: [String: RecipeValue]
  /// XYZ under D65 to camera values; nil unless given.
  let colorMatrix: [Double]?

  init() { (values, colorMatrix) = ([:], nil) }

  init(from decoder: any Decoder) throws {
    let options = try decoder.container(keyedBy: PropertyKey.self)
    var values: [String: RecipeValue] = [:]
    for adjustment in Adjustment.declared {
      values[adjustment.name] = try adjustment.option.value(options, PropertyKey(adjustment))
    }
    // A file of colors is a look, too.
    if LookPath.isPath(values["look"]) {
      values["lutPath"] = values["lutPath"] ?? values["look"]
      values["look"] = nil
    }
    self.values = values
    colorMatrix = try options.decode(Option<[Double]?>.self, forKey: .colorMatrix).wrappedValue
  }

  var customMirror: Mirror {
    let matrix = Option<[Double]?>(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        Nine comma-separated numbers, XYZ under D65 to camera values row by row, for cameras whose \
        colors are not known.
        """, visibility: HelpLevel.rest), transform: PropertyOption.numbers)
    var options: [Mirror.Child] = Adjustment.declared.map {
      (label: PropertyKey($0).stringValue, value: $0.option.definition($0))
    }
    options.append((label: PropertyKey.colorMatrix.stringValue, value: matrix))
    return Mirror(self, children: options)
  }

  /// The first that was given, as typed; nil for none.
  var firstGiven: String? {
    if let first = Adjustment.declared.first(where: { values[$0.name] != nil }) {
      return "--\(first.typed)"
    }
    return colorMatrix == nil ? nil : "--color-matrix"
  }

  /// The properties that were given to act.
  var acting: [String] {
    Adjustment.declared.map(\.name).filter { ![nil, .bool(false)].contains(values[$0]) }
  }

  /// How the options call a property.
  static func called(_ property: String) -> String {
    Adjustment.named(property).map { "--\($0.typed)" } ?? property
  }

  func validate() throws {
    let whites = Adjustment.whites.filter { way in
      way.contains { ![nil, .bool(false)].contains(values[$0.name]) }
    }
    if whites.count > 1 {
      let ways = Adjustment.whites.map { way in
        way.map { "--\($0.options[0])" }.joined(separator: "/")
      }
      throw ValidationError("give one of " + ways.joined(separator: ", "))
    }
    for adjustment in Adjustment.declared {
      guard let value = values[adjustment.name] else { continue }
      let path = RecipePath([.key("raw"), .key(adjustment.name)])
      if case .number(let number) = value, !number.isFinite {
        throw ValidationError("--\(adjustment.typed) is \(number); it takes a number")
      }
      if let refusal = RecipeKey.at(path)?.refusal(value) {
        throw ValidationError("--\(adjustment.typed) is \(refusal)")
      }
    }
    if let colorMatrix, colorMatrix.count != 9 {
      throw ValidationError("--color-matrix takes nine comma-separated numbers")
    }
  }
}
