public import ImageCore

/// A picture whose every pixel is known, sampled through a color filter: what a demosaic makes of
/// it can be compared with the picture itself. Camera values are the picture's linear BT.2020
/// values, neutral (1, 1, 1), black 0, white 65535, no noise.
public struct Remosaic: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  /// Linear red, green, blue of each pixel, 65535 = 1.0.
  public let pixels: [UInt16]

  /// A picture of `pixels`, three for each of `size.area`.
  public init(size: PixelSize, pixels: [UInt16]) throws(DNGWriter.Problem) {
    guard size.area > 0, pixels.count == size.area * 3 else {
      throw DNGWriter.Problem(
        description: "\(size) needs \(size.area * 3) values, not \(pixels.count)")
    }
    self.size = size
    self.pixels = pixels
  }

  /// The picture of a binary PPM file (P6) with a maximum of 65535, most significant byte first.
  public init(ppm: [UInt8]) throws(DNGWriter.Problem) {
    var numbers: [Int] = []
    var position = 2
    while numbers.count < 3, position < ppm.count {
      let byte = ppm[position]
      if byte == 0x23 {
        while position < ppm.count, ppm[position] != 0x0A { position += 1 }
      } else if (0x30...0x39).contains(byte) {
        var number = 0
        while position < ppm.count, (0x30...0x39).contains(ppm[position]), number < 1 << 20 {
          number = number * 10 + Int(ppm[position] - 0x30)
          position += 1
        }
        numbers.append(number)
      } else {
        position += 1
      }
    }
    position += 1
    guard ppm.starts(with: [0x50, 0x36]), numbers.count == 3, numbers[2] == 65_535,
      numbers[0] < 65_536, numbers[1] < 65_536, ppm.count - position >= numbers[0] * numbers[1] * 6
    else {
      throw DNGWriter.Problem(
        description: "not a complete 16-bit binary PPM; convert the picture with maximum 65535")
    }
    let size = PixelSize(width: numbers[0], height: numbers[1])
    let start = position
    try self.init(
      size: size,
      pixels: (0..<(size.area * 3)).map { i in
        UInt16(ppm[start + 2 * i]) << 8 | UInt16(ppm[start + 2 * i + 1])
      })
  }

  /// The picture seen through `pattern`.
  public func file(_ pattern: MosaicPattern) -> DNGWriter {
    var samples: [UInt16] = []
    samples.reserveCapacity(size.area)
    for y in 0..<size.height {
      for x in 0..<size.width {
        samples.append(pixels[(y * size.width + x) * 3 + pattern.channel(x: x, y: y)])
      }
    }
    var file = DNGWriter(size: size, layout: .mosaic(pattern), samples: samples)
    file.white = [65_535]
    file.compression = .losslessJPEG
    file.metadata = SunsetFixture.metadata(uniqueModel: file.camera.uniqueModel)
    return file
  }

  /// The picture as a binary PPM file.
  public var ppm: [UInt8] {
    Array("P6\n\(size.width) \(size.height)\n65535\n".utf8)
      + pixels.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  /// A scene clipped at `peak`, which becomes 65535.
  public init(scene: SyntheticScene, samplesPerAxis: Int = 2, peak: Float = 1) {
    size = scene.size
    var pixels: [UInt16] = []
    pixels.reserveCapacity(size.area * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = scene.pixel(x: x, y: y, samples: samplesPerAxis) / peak
        for c in 0..<3 { pixels.append(UInt16((min(1, max(0, color[c])) * 65_535).rounded())) }
      }
    }
    self.pixels = pixels
  }
}
