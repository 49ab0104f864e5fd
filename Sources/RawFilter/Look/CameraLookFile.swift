import Containers
import Foundation
import HDRRender
import ImageCore
import RawDecode

/// A ``CameraLook`` in a `.rawlook` file: lines of text, each a keyword and its value.
///
///     rawlook 1                     the version, first
///     name Canon PowerShot S40
///     camera Canon PowerShot S40
///     style …                       the camera's picture style, where its user says one
///     pictures 5                    and what else was measured, by `standard`, `fitted`, `heldOut`
///     cast 0.00122 -0.00305
///     tone … lightness … stretch … turn …       ten numbers in a line
///
/// Numbers of the mapping are multiples of 2⁻¹⁴, for which five decimals suffice. Known limits:
/// mappings that are not monotone, and numbers above 1, are rejected.
package struct CameraLookFile: Sendable, Hashable {
  /// The signature, the same for all versions.
  static let beginning = Array("rawlook ".utf8)
  private static let version = "1"
  private static let perLine = 10

  /// Its name.
  package var name: String
  /// The camera that it was fitted to.
  package var camera: String
  /// The camera's picture style; nil if not given.
  package var style: String?
  /// Number of pictures that it was fitted to.
  package var pictures: Int
  /// Mean ΔE2000 between their cells and the previews: rendered by standard, with this mapping, and
  /// with mappings fitted to other pictures; the last is nil for a single picture.
  package var standard: Double
  package var fitted: Double
  package var heldOut: Double?
  var mapping: CameraLook

  /// The file.
  package var text: String {
    func number(_ value: Double) -> String { String(format: "%.5f", value) }
    func block(_ keyword: String, _ values: [Double]) -> [String] {
      stride(from: 0, to: values.count, by: Self.perLine).map { start in
        let row = values[start..<min(start + Self.perLine, values.count)]
        return ([keyword] + row.map(number)).joined(separator: " ")
      }
    }
    var lines = ["rawlook \(Self.version)", "name \(name)", "camera \(camera)"]
    if let style { lines.append("style \(style)") }
    lines += [
      "# Mean dE2000 of the cells of its pictures from their previews.",
      "pictures \(pictures)", "standard \(number(standard))", "fitted \(number(fitted))",
    ]
    if let heldOut { lines.append("heldOut \(number(heldOut))") }
    lines += block("cast", [mapping.cast.x, mapping.cast.y])
    lines += block("tone", mapping.tone) + block("lightness", mapping.lightness)
    lines += block("stretch", mapping.stretch) + block("turn", mapping.turn)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The mapping in `file`.
  static func read(_ file: FileBytes) throws(FormatError) -> CameraLookFile {
    func damaged(_ reason: String) -> FormatError {
      FormatError(.damaged, "the .rawlook file \(reason); make it again", path: file.path)
    }
    var texts: [String: String] = [:]
    var numbers: [String: [Double]] = [:]
    var rest = (file.bytes(0, file.count) ?? [])[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0a }
      rest = rest.dropFirst(line.count + 1)
      guard line.count <= 1000 else { throw damaged("has a line of over 1000 bytes") }
      let keyword = String(decoding: line.prefix { $0 != 0x20 }, as: UTF8.self)
      let value = String(decoding: line.dropFirst(keyword.utf8.count + 1), as: UTF8.self)
      switch keyword {
      case "cast", "tone", "lightness", "stretch", "turn":
        for word in value.split(whereSeparator: \.isWhitespace) {
          guard let number = Double(word), abs(number) <= 1 else {
            throw damaged("has an invalid number, or one above 1, after \(keyword)")
          }
          numbers[keyword, default: []].append((number * 16_384).rounded() / 16_384)
          guard numbers[keyword, default: []].count <= CameraLook.nodes else {
            throw damaged("has too many numbers after \(keyword)")
          }
        }
      case "rawlook", "name", "camera", "style", "pictures", "standard", "fitted", "heldOut":
        texts[keyword] = value.trimmingCharacters(in: .whitespacesAndNewlines)
      default: continue
      }
    }
    guard texts["rawlook"] == version else {
      throw FormatError(
        .unsupported, "this version of .rawlook files is not known; make it again",
        path: file.path)
    }
    func block(_ keyword: String, _ count: Int) throws(FormatError) -> [Double] {
      guard let values = numbers[keyword], values.count == count else {
        throw damaged("does not have \(count) numbers after \(keyword)")
      }
      return values
    }
    var mapping = CameraLook()
    let cast = try block("cast", 2)
    mapping.cast = SIMD2(cast[0], cast[1])
    mapping.tone = try block("tone", CameraLook.toneNodes)
    mapping.lightness = try block("lightness", CameraLook.nodes)
    mapping.stretch = try block("stretch", CameraLook.nodes)
    mapping.turn = try block("turn", CameraLook.nodes)
    guard mapping.isMonotone else { throw damaged("is not monotone") }
    func measured(_ keyword: String) -> Double? {
      texts[keyword].flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
    return CameraLookFile(
      name: texts["name"] ?? "", camera: texts["camera"] ?? "", style: texts["style"],
      pictures: texts["pictures"].flatMap(Int.init) ?? 0, standard: measured("standard") ?? 0,
      fitted: measured("fitted") ?? 0, heldOut: measured("heldOut"), mapping: mapping)
  }

  /// The mapping as tables of a camera profile; nil if it cannot be converted.
  package func profile() throws(RAWError) -> CameraLookProfile? {
    try RAWError.translating(.color) { () throws(PixelError) in try CameraLookProfile(mapping) }
  }

  /// Whether grays get a visible tint.
  package var hasCast: Bool { (mapping.cast * mapping.cast).sum().squareRoot() > 0.004 }

  /// The mapping as a `.cube` file with sRGB signals; nil if it cannot be converted.
  package var cube: String? {
    mapping.table(.srgb).map { CubeFile.text($0, title: name) }
  }
}
