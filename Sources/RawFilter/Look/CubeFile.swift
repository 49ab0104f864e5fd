import Containers
import Foundation
import HDRRender
import RawDecode

/// A LUT in a `.cube` file.
///
/// Source: Adobe, "Cube LUT Specification", version 1.0 (2013): lines of text; `TITLE`,
/// `DOMAIN_MIN` and `DOMAIN_MAX`, `LUT_1D_SIZE` 2…65536 or `LUT_3D_SIZE` 2…256, then a line of
/// three numbers for each entry, red fastest; `#` begins a comment. Resolve's `LUT_1D_INPUT_RANGE`
/// and `LUT_3D_INPUT_RANGE` are read as the domain. Known limits: cubes of more than ``maxSide``
/// entries a side, and curves and a cube in one file, are rejected.
enum CubeFile {
  /// Maximum number of entries along a side of a cube.
  static let maxSide = 128

  /// The text of a cube, with six decimals.
  static func text(_ table: ColorLookup, title: String) -> String {
    let title = title.filter { $0 != "\"" && !$0.isNewline }
    var lines = ["TITLE \"\(title)\"", "LUT_3D_SIZE \(table.side)"]
    for start in stride(from: 0, to: table.values.count, by: 3) {
      lines.append(
        table.values[start..<start + 3].map { String(format: "%.6f", $0) }.joined(separator: " "))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func read(_ file: FileBytes) throws(FormatError) -> ColorLookup {
    func damaged(_ reason: String, line: Int) -> FormatError {
      FormatError(
        .damaged, "line \(line) of the .cube file \(reason); export the look again",
        path: file.path)
    }
    var (side, isCube) = (0, false)
    var (first, last) = (SIMD3<Float>(0, 0, 0), SIMD3<Float>(1, 1, 1))
    var values: [Float] = []
    // Numbers in the complete table.
    var count: Int { 3 * (isCube ? side * side * side : side) }
    var number = 0
    var rest = (file.bytes(0, file.count) ?? [])[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0a }
      rest = rest.dropFirst(line.count + 1)
      number += 1
      // No line has more than four words, but its rest may be as long as the file.
      let words = line.split(maxSplits: 8) { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
        .map { String(decoding: $0, as: UTF8.self) }
      guard let keyword = words.first, !keyword.begins(with: "#") else { continue }
      guard Float(keyword) == nil else {
        let numbers = words.compactMap { Float($0) }
        guard numbers.count == 3, words.count == 3, numbers.allSatisfy(\.isFinite) else {
          throw damaged("is not three numbers", line: number)
        }
        guard side > 0 else { throw damaged("comes before the size of the table", line: number) }
        guard values.count < count else {
          throw damaged("is beyond the \(count / 3) colors of the table", line: number)
        }
        values += numbers
        continue
      }
      guard keyword.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw damaged("is no text", line: number)
      }
      let numbers = words.dropFirst().compactMap { Float($0) }
      switch keyword {
      case "TITLE": continue
      case "LUT_1D_SIZE", "LUT_3D_SIZE":
        guard side == 0 else { throw damaged("states a second size", line: number) }
        isCube = keyword == "LUT_3D_SIZE"
        guard words.count == 2, let size = Int(words[1]), size >= 2, size <= (isCube ? 256 : 65_536)
        else { throw damaged("states no size of a table", line: number) }
        guard !isCube || size <= maxSide else {
          throw FormatError(
            .tooLarge, "a cube of \(size) a side is more than \(maxSide); export a smaller one",
            path: file.path)
        }
        side = size
      case "DOMAIN_MIN", "DOMAIN_MAX":
        guard words.count == 4, numbers.count == 3, numbers.allSatisfy(\.isFinite) else {
          throw damaged("is not three numbers behind \(keyword)", line: number)
        }
        let bound = SIMD3(numbers[0], numbers[1], numbers[2])
        if keyword == "DOMAIN_MIN" { first = bound } else { last = bound }
      case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
        guard words.count == 3, numbers.count == 2, numbers.allSatisfy(\.isFinite) else {
          throw damaged("is not two numbers behind \(keyword)", line: number)
        }
        (first, last) = (SIMD3(repeating: numbers[0]), SIMD3(repeating: numbers[1]))
      default: throw damaged("begins with \"\(keyword.prefix(20))\"", line: number)
      }
    }
    guard side > 0, values.count == count else {
      throw FormatError(
        .damaged,
        "the .cube file has \(values.count / 3) of \(count / 3) colors; export the look again",
        path: file.path)
    }
    guard
      let table = ColorLookup(side: side, isCube: isCube, values: values, first: first, last: last)
    else {
      throw FormatError(
        .damaged, "the domain of the .cube file is empty; export the look again", path: file.path)
    }
    return table
  }
}
