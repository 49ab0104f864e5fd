import Containers

/// The scan lines of a Radiance picture, one after the other.
struct RadianceScan {
  private let file: FileBytes
  private let width: Int
  private var at: Int
  /// The four components of the line, one after the other.
  private var line: [UInt8]

  init(_ file: FileBytes, at start: Int, width: Int) {
    (self.file, self.width, at) = (file, width, start)
    line = [UInt8](repeating: 0, count: 4 * width)
  }

  private mutating func byte() -> UInt8? {
    guard let value = file.integer(UInt8.self, at: at, bigEndian: true) else { return nil }
    at += 1
    return value
  }

  /// Reads the next line; false where it is damaged or missing.
  mutating func next() -> Bool {
    guard let mark = file.bytes(at, 4) else { return false }
    if mark[0] == 2, mark[1] == 2, mark[2] < 128, (8..<0x8000).contains(width) {
      guard Int(mark[2]) << 8 | Int(mark[3]) == width else { return false }
      at += 4
      return (0..<4).allSatisfy { component($0) }
    }
    return pixels()
  }

  /// One component in runs.
  private mutating func component(_ number: Int) -> Bool {
    var x = 0
    while x < width {
      guard let code = byte() else { return false }
      let (isRun, count) = (code > 128, Int(code > 128 ? code - 128 : code))
      guard count > 0, count <= width - x else { return false }
      var value: UInt8 = 0
      if isRun {
        guard let found = byte() else { return false }
        value = found
      }
      for index in 0..<count {
        if !isRun {
          guard let found = byte() else { return false }
          value = found
        }
        line[number * width + x + index] = value
      }
      x += count
    }
    return true
  }

  /// Interleaved pixels, or repeat counts for the previous pixel.
  private mutating func pixels() -> Bool {
    var (x, shift) = (0, 0)
    while x < width {
      guard let pixel = file.bytes(at, 4) else { return false }
      at += 4
      if pixel[0] == 1, pixel[1] == 1, pixel[2] == 1 {
        guard x > 0, shift <= 24 else { return false }
        let count = Int(pixel[3]) << shift
        guard count <= width - x else { return false }
        for _ in 0..<count {
          for part in 0..<4 { line[part * width + x] = line[part * width + x - 1] }
          x += 1
        }
        shift += 8
      } else {
        for part in 0..<4 { line[part * width + x] = pixel[part] }
        x += 1
        shift = 0
      }
    }
    return true
  }

  /// Linear RGB of a pixel of the line.
  func rgb(_ x: Int) -> SIMD3<Float> {
    let exponent = Int(line[3 * width + x])
    guard exponent > 0 else { return .zero }
    // 2^(e − 136) is a product, since 2^−135 is no normal float.
    let scale = Float(sign: .plus, exponent: exponent - 128, significand: 1) / 256
    return SIMD3(
      Float(line[x]) * scale, Float(line[width + x]) * scale, Float(line[2 * width + x]) * scale)
  }
}
