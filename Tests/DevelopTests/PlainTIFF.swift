import Foundation

/// The samples of an uncompressed little-endian TIFF of 32-bit floats, R, G and B interleaved: read
/// by the layout of TIFF 6.0, without any library.
struct PlainTIFF {
  let width: Int
  let height: Int
  let samples: [Float]

  init?(_ path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    func number(_ offset: Int, bytes: Int) -> Int {
      guard offset >= 0, offset + bytes <= data.count else { return 0 }
      return (0..<bytes).reduce(0) { $0 | Int(data[offset + $1]) << (8 * $1) }
    }
    guard number(0, bytes: 4) == 0x002A_4949 else { return nil }
    let directory = number(4, bytes: 4)
    var fields: [Int: [Int]] = [:]
    for i in 0..<number(directory, bytes: 2) {
      let entry = directory + 2 + 12 * i
      let size = number(entry + 2, bytes: 2) == 3 ? 2 : 4
      let count = number(entry + 4, bytes: 4)
      let offset = count * size <= 4 ? entry + 8 : number(entry + 8, bytes: 4)
      fields[number(entry, bytes: 2)] = (0..<min(count, 10_000)).map {
        number(offset + $0 * size, bytes: size)
      }
    }
    guard let width = fields[256]?.first, let height = fields[257]?.first, fields[259] == [1],
      fields[258] == [32, 32, 32], fields[339] == [3, 3, 3], let offsets = fields[273],
      let counts = fields[279]
    else { return nil }
    (self.width, self.height) = (width, height)
    samples = zip(offsets, counts).flatMap { offset, count in
      (0..<(count / 4)).map {
        Float(bitPattern: UInt32(truncatingIfNeeded: number(offset + 4 * $0, bytes: 4)))
      }
    }
    guard samples.count == width * height * 3 else { return nil }
  }
}
