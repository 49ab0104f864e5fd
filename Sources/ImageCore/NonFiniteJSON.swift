package import Foundation

/// Numbers that JSON lacks, in every JSON that a command, a report, a service or the page writes:
/// the texts `Infinity`, `-Infinity` and `NaN` in their place, as in the JSON of Protocol Buffers,
/// which JavaScript, Python and others convert. Files may lead to such numbers by what they
/// declare, and one of them is no reason to say nothing of a file.
enum NonFiniteJSON {
  static let infinity = "Infinity"
  static let minusInfinity = "-Infinity"
  static let notANumber = "NaN"
}

extension JSONEncoder {
  /// An encoder of one line: keys sorted, so that equal values are equal lines, and texts for
  /// numbers that JSON lacks.
  package static func ofLines() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: NonFiniteJSON.infinity, negativeInfinity: NonFiniteJSON.minusInfinity,
      nan: NonFiniteJSON.notANumber)
    return encoder
  }
}

extension JSONDecoder {
  /// A decoder of what `JSONEncoder.ofLines()` writes.
  package static func ofLines() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: NonFiniteJSON.infinity, negativeInfinity: NonFiniteJSON.minusInfinity,
      nan: NonFiniteJSON.notANumber)
    return decoder
  }
}
