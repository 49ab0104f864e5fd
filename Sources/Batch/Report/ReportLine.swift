public import Foundation

extension BatchEvent {
  /// Reads one line of a report. Keys that this version does not know are passed over.
  public init(line: Data) throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    self = try decoder.decode(BatchEvent.self, from: line)
  }

  /// One line of a report with its line feed. Line feeds in names are written as `\n`, numbers that
  /// JSON does not know as the texts `inf`, `-inf` and `nan`; keys are in order, so that the same
  /// event is the same line.
  public func line() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    var line = try encoder.encode(self)
    line.append(10)
    return line
  }
}
