import Foundation
import ImageCore

/// VC-5 as GoPro's cameras store a Bayer mosaic: SMPTE ST 2073-1 and -3 with GoPro's raw profile
/// (github.com/gopro/gpr), three levels of the 2/6 wavelet, code book 17.
///
/// Without quantization a level gives integers back exactly where its prescale is 0, and details of
/// up to 27 codes keep their magnitude. Known failure: edges beyond 130 quantization steps are
/// rounded off, as only the code book's shorter codes are here.
public struct VC5Encoder: Sendable {
  /// What of the format a file uses.
  public struct Settings: Sendable, Hashable {
    /// Factors of the high-pass subbands 1…9: horizontal, vertical, diagonal of levels 3, 2, 1.
    public var quantization = [Int](repeating: 1, count: 9)
    /// Bits, 0…3, by which the input of levels 1, 2 and 3 is shifted to the right.
    public var prescale = [0, 2, 2]
    /// Bits of the logarithmic code: 12, 14 or 16.
    public var bits = 12
    /// The default settings: finest quantization, GoPro's prescale and code.
    public init() {}
  }

  /// Columns and rows; both are even, and at least 34.
  let size: PixelSize
  let pattern: MosaicPattern
  /// Bits of a sample, 12, 14 or 16, from the white level.
  let sampleBits: Int
  let settings: Settings

  /// The stream for `samples`; nil when they do not fit the settings.
  func encode(_ samples: [UInt16]) -> [UInt8]? {
    guard pattern.period == 2, size.width % 2 == 0, size.height % 2 == 0,
      min(size.width, size.height) >= 34
    else { return nil }
    let s = settings
    var out = VC5Sink()
    out.bytes = Array("VC-5".utf8)
    let prescale = s.prescale[0] << 14 | s.prescale[1] << 12 | s.prescale[2] << 10
    for (tag, value) in [
      (12, 4), (20, size.width), (21, size.height), (84, 4), (106, 2), (107, 2), (108, 1),
      (102, s.bits), (109, prescale),
    ] {
      out.segment(tag, value)
    }
    // Two elements that a reader need not know, data of 8 bytes and a section.
    out.segment(-0x4004, 2)
    out.bytes += [UInt8](repeating: 0x35, count: 8)
    out.segment(-0x2400, 0)
    for (channel, plane) in channels(samples).enumerated() {
      out.segment(62, channel)
      var plane = plane
      var bands: [Plane] = []
      for prescale in s.prescale {
        let level = plane.forward(prescale: prescale)
        bands = [level.high, level.vertical, level.diagonal] + bands
        plane = level.low
      }
      guard plane.values.allSatisfy({ (0...65535).contains($0) }) else { return nil }
      out.segment(48, 0)
      out.segment(35, 16)
      out.codeblock { sink in plane.values.forEach { sink.put(UInt32($0), 16) } }
      for (subband, band) in bands.enumerated() {
        out.segment(48, subband + 1)
        out.segment(53, s.quantization[subband])
        out.codeblock { $0.put(band.values, quantization: s.quantization[subband]) }
      }
    }
    return out.bytes
  }

  /// The value of each logarithmic code, as a reader makes it.
  var curve: [UInt16] {
    let top = Double((1 << settings.bits) - 1)
    let half = settings.bits == 12 ? 0 : 0.5
    return (0...Int(top)).map { code in
      let value = 65535 * (pow(113, Double(code) / top) - 1) / 112
      return UInt16(min(value + half, 65535)) >> UInt16(16 - sampleBits)
    }
  }

  /// Green, red, blue and the difference of the greens in logarithmic codes.
  private func channels(_ samples: [UInt16]) -> [Plane] {
    let curve = curve
    // The highest code whose value comes nearest to each sample.
    var codes = [Int](repeating: 0, count: 65536)
    var code = 0
    for value in codes.indices {
      while code + 1 < curve.count,
        abs(Int(curve[code + 1]) - value) <= abs(Int(curve[code]) - value)
      {
        code += 1
      }
      codes[value] = code
    }
    let half = PixelSize(width: size.width / 2, height: size.height / 2)
    let offset = 1 << settings.bits
    var planes = [Plane](repeating: Plane(half), count: 4)
    for y in 0..<half.height {
      for x in 0..<half.width {
        var (greens, colors) = ([Int](), [0, 0, 0])
        for (i, channel) in pattern.channels.enumerated() {
          let code = codes[Int(samples[(2 * y + i / 2) * size.width + 2 * x + i % 2])]
          if channel == 1 { greens.append(code) } else { colors[Int(channel)] = code }
        }
        let green = (greens[0] + greens[1]) >> 1
        let at = y * half.width + x
        planes[0].values[at] = green
        planes[1].values[at] = (colors[0] - green + offset) >> 1
        planes[2].values[at] = (colors[2] - green + offset) >> 1
        planes[3].values[at] = (greens[0] - greens[1] + offset) >> 1
      }
    }
    return planes
  }

  /// A picture of integers.
  struct Plane: Sendable {
    let size: PixelSize
    var values: [Int]

    init(_ size: PixelSize) {
      self.size = size
      values = [Int](repeating: 0, count: size.area)
    }

    /// One level: low-pass, high-pass along rows, along columns, along both, each of half the size,
    /// rounded up; the last column and row are then repeated.
    func forward(prescale: Int) -> (low: Plane, high: Plane, vertical: Plane, diagonal: Plane) {
      let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
      let rows = (0..<size.height).map { y in
        let row = values[y * size.width..<(y + 1) * size.width]
        return Self.filter(Array(row) + (size.width % 2 == 1 ? [row.last ?? 0] : []), prescale)
      }
      func columns(_ part: ((low: [Int], high: [Int])) -> [Int]) -> (Plane, Plane) {
        var (low, high) = (Plane(half), Plane(half))
        for x in 0..<half.width {
          let column = rows.map { part($0)[x] }
          let pair = Self.filter(column + (size.height % 2 == 1 ? [column.last ?? 0] : []), 0)
          for y in 0..<half.height {
            low.values[y * half.width + x] = pair.low[y]
            high.values[y * half.width + x] = pair.high[y]
          }
        }
        return (low, high)
      }
      let (low, vertical) = columns(\.low)
      let (high, diagonal) = columns(\.high)
      return (low, high, vertical, diagonal)
    }

    /// The low-pass and the high-pass coefficients of a line of even length.
    private static func filter(_ line: [Int], _ prescale: Int) -> (low: [Int], high: [Int]) {
      let round = (1 << prescale) - 1
      let pairs = line.count / 2
      let scaled = line.map { ($0 + round) >> prescale }
      let low = (0..<pairs).map { (line[2 * $0] + line[2 * $0 + 1] + round) >> prescale }
      let high = (0..<pairs).map { i -> Int in
        let taps =
          switch i {
          case 0: [5, -11, 4, 4, -1, -1]
          case pairs - 1: [1, 1, -4, -4, 11, -5]
          default: [-1, -1, 8, -8, 1, 1]
          }
        let first = min(max(2 * i - 2, 0), line.count - 6)
        return ((0..<6).reduce(4) { $0 + taps[$1] * scaled[first + $1] }) >> 3
      }
      return (low, high)
    }
  }
}

/// A VC-5 stream that is written.
private struct VC5Sink {
  var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var count = 0

  mutating func segment(_ tag: Int, _ value: Int) {
    for number in [UInt16(bitPattern: Int16(tag)), UInt16(value)] {
      bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
  }

  /// A codeblock that `fill` writes, padded to a multiple of a segment.
  mutating func codeblock(_ fill: (inout VC5Sink) -> Void) {
    var data = VC5Sink()
    fill(&data)
    data.put(0, 7)
    while data.bytes.count % 4 > 0 { data.bytes.append(0) }
    let length = data.bytes.count / 4
    segment(0x6000 | length >> 16, length & 0xFFFF)
    bytes += data.bytes
  }

  /// The lower `length` bits of `value`.
  mutating func put(_ value: UInt32, _ length: Int) {
    pending = pending << UInt64(length) | UInt64(value)
    count += length
    while count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(count)))
    }
  }

  /// A code with a 1 before it.
  private mutating func put(code: UInt32) {
    let length = 31 - code.leadingZeroBitCount
    put(code & (1 << UInt32(length) - 1), length)
  }

  /// The coefficients of a high-pass band.
  mutating func put(_ coefficients: [Int], quantization: Int) {
    var zeros = 0
    func flush(_ sink: inout VC5Sink) {
      for (run, code) in Self.runs {
        while zeros >= run {
          sink.put(code: code)
          zeros -= run
        }
      }
    }
    for coefficient in coefficients {
      let magnitude = Self.companded[
        min((abs(coefficient) + quantization / 2) / quantization, Self.companded.count - 1)]
      guard magnitude > 0 else {
        zeros += 1
        continue
      }
      flush(&self)
      put(code: Self.magnitudes[magnitude - 1])
      put(coefficient < 0 ? 1 : 0, 1)
    }
    flush(&self)
    put(0x311_4BA3, 26)
  }

  /// The coded magnitude of each quantized one: that whose value m + ⌊768 · m³ / 255³⌋ is nearest.
  private static let companded: [Int] = {
    let values = (0...magnitudes.count).map { $0 + 768 * $0 * $0 * $0 / 16_581_375 }
    return (0...values[magnitudes.count]).map { value in
      values.indices.min { abs(values[$0] - value) < abs(values[$1] - value) } ?? 0
    }
  }()

  /// Codes of runs of zeros, and of magnitudes from 1 on, with a 1 before them.
  private static let runs: [(Int, UInt32)] = [
    (320, 0x3BA5), (180, 0x38BF), (100, 0xE85), (60, 0x743), (32, 0x38A), (20, 0x1D1), (12, 0xE9),
    (1, 0x2),
  ]
  private static let magnitudes: [UInt32] = [
    0x6, 0xF, 0x39, 0x70, 0x76, 0xE3, 0xEB, 0xEF, 0x1D4, 0x1DC, 0x389, 0x3A0, 0x3AB, 0x710, 0x716,
    0x754, 0x775, 0x777, 0xE23, 0xE84, 0xEAB, 0xEEC, 0x1C44, 0x1C5C, 0x1C5E, 0x1D55, 0x1DD1, 0x1DD3,
    0x1DDB, 0x388B, 0x38BB, 0x3AA8, 0x3BA0, 0x3BA4, 0x3BB5, 0x7115, 0x7175, 0x717D, 0x7553, 0x7768,
    0xE228, 0xE2E8, 0xE2F8, 0xEAA4, 0xEE85, 0xEE87, 0xEED3, 0x1C453, 0x1C5D3, 0x1C5F3, 0x1DD08,
    0x1DD0C, 0x1DDA4, 0x388A4, 0x38BA5, 0x38BE5, 0x3AA95, 0x3AA97, 0x3BA13, 0x3BB4A, 0x3BB4B,
    0x71748, 0x717C8, 0x75528, 0x7552C, 0x77424, 0x77434, 0x77436, 0xE2294, 0xE2E92, 0xE2F92,
    0xEAA52, 0xEAA5A, 0xEE84A, 0xEE86A, 0xEE86E, 0x1C452A, 0x1C5D27, 0x1C5F26, 0x1D54A6, 0x1D54B6,
    0x1DD096, 0x1DD0D6, 0x1DD0DE, 0x388A56, 0x38BA4D, 0x38BE4E, 0x38BE4F, 0x3AA96E, 0x3BA12E,
    0x3BA12F, 0x3BA1AF, 0x3BA1BF,
  ]
}
