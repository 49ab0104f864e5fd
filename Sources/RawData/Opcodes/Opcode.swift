/// One opcode of a DNG (DNG 1.7.1 chapter 7): its action, and whether a reader may skip it.
package struct Opcode: Sendable {
  package let id: Int
  /// Minimum DNG version, four numbers.
  package let version: [Int]
  /// Whether a reader that does not support it may continue without it.
  package let isOptional: Bool
  /// Whether it may be skipped for a quick preview.
  package let isSkippedForPreview: Bool
  /// Nil if it is unknown, requires a newer reader, or is invalid.
  package let action: Action?

  /// The operation.
  package enum Action: Sendable {
    case warp(LensWarp)
    case vignette(RadialVignette)
    case badPixels(BadPixels)
    /// Top, left, bottom, right.
    case trim([Int])
    case map(LookupTable)
    case gains(GainMap)
    case lines(RowColumnOpcode)
  }

  private static let names = [
    "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "FixBadPixelsConstant",
    "FixBadPixelsList", "TrimBounds", "MapTable", "MapPolynomial", "GainMap", "DeltaPerRow",
    "DeltaPerColumn", "ScalePerRow", "ScalePerColumn", "WarpRectilinear2",
  ]

  /// Its name in the specification, or its number.
  package var name: String {
    Self.names.indices.contains(id - 1) ? Self.names[id - 1] : "opcode \(id)"
  }

  /// Whether it corrects the lens and not the sensor.
  package var correctsLens: Bool { [1, 2, 3, 14].contains(id) }

  /// Whether it is defined in the supported version of the specification.
  var isKnown: Bool { Self.isKnown(id, version) }

  private static func isKnown(_ id: Int, _ version: [Int]) -> Bool {
    names.indices.contains(id - 1) && version.lexicographicallyPrecedes([1, 7, 1, 1])
  }

  init(_ reader: inout OpcodeReader) throws(OpcodeDamage) {
    id = try reader.word()
    let number = try reader.word()
    version = [24, 16, 8, 0].map { number >> $0 & 0xFF }
    let flags = try reader.word()
    isOptional = flags & 1 != 0
    isSkippedForPreview = flags & 2 != 0
    let length = try reader.word()
    var data = OpcodeReader(try reader.slice(length))
    action = Self.isKnown(id, version) ? (try? Self.action(id, &data)) ?? nil : nil
  }

  private static func action(
    _ id: Int, _ data: inout OpcodeReader
  ) throws(OpcodeDamage) -> Action? {
    switch id {
    case 1: return .warp(try LensWarp(rectilinear: &data))
    case 2: return .warp(try LensWarp(fisheye: &data))
    case 3: return .vignette(try RadialVignette(&data))
    case 4: return .badPixels(try BadPixels(constant: &data))
    case 5: return .badPixels(try BadPixels(list: &data))
    case 6:
      return .trim([try data.word(), try data.word(), try data.word(), try data.word()])
    case 7: return .map(try LookupTable(table: &data))
    case 8: return .map(try LookupTable(polynomial: &data))
    case 9: return .gains(try GainMap(&data))
    case 10: return .lines(try RowColumnOpcode(&data, .add, per: .row))
    case 11: return .lines(try RowColumnOpcode(&data, .add, per: .column))
    case 12: return .lines(try RowColumnOpcode(&data, .multiply, per: .row))
    case 13: return .lines(try RowColumnOpcode(&data, .multiply, per: .column))
    case 14: return .warp(try LensWarp(rectilinear2: &data))
    default: return nil
    }
  }
}

extension Opcode.Action {
  /// Whether it changes no value.
  var isIdentity: Bool {
    switch self {
    case .warp(let warp): warp.isIdentity
    case .vignette(let vignette): vignette.isIdentity
    case .badPixels(let pixels): pixels.isIdentity
    case .trim: false
    case .map(let map): map.isIdentity
    case .gains(let map): map.isIdentity
    case .lines(let values): values.isIdentity
    }
  }

  package var isTrim: Bool { if case .trim = self { true } else { false } }
  var isWarp: Bool { if case .warp = self { true } else { false } }
}

/// An opcode list as stored: a count, and that many opcodes. The initializer checks all declared
/// lengths.
package struct OpcodeList: Sendable {
  package let opcodes: [Opcode]

  /// No opcodes.
  package init() { opcodes = [] }

  /// Parses `bytes`; empty for no bytes.
  init(_ bytes: [UInt8]) throws(OpcodeDamage) {
    guard !bytes.isEmpty else {
      opcodes = []
      return
    }
    var reader = OpcodeReader(bytes[...])
    let count = try reader.word()
    try reader.require(count, of: 16)
    var found: [Opcode] = []
    for _ in 0..<count { found.append(try Opcode(&reader)) }
    opcodes = found
  }
}
