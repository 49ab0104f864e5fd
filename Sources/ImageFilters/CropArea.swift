public import HDRRender
public import ImageCore

/// A part of a picture: the position of its first pixel, its width and its height, each in pixels
/// or in percent of the picture's width or height.
public struct CropArea: Sendable, Hashable {
  /// A length along one side of a picture.
  public enum Length: Sendable, Hashable {
    /// Pixels.
    case pixels(Int)
    /// A fraction of the side, 0…1.
    case fraction(Double)
  }

  /// From the left edge.
  public let x: Length
  /// From the upper edge.
  public let y: Length
  /// Columns.
  public let width: Length
  /// Rows.
  public let height: Length

  /// The part in pixels, which begins within 0…`Int.max` minus its length.
  init(_ rect: PixelRect) {
    (x, y) = (.pixels(rect.x), .pixels(rect.y))
    (width, height) = (.pixels(rect.width), .pixels(rect.height))
  }

  /// The part given as `x,y,width,height`, each an integer of pixels, or with `%` a percentage of
  /// the picture's side. Throws where the text is invalid or the part has no pixel.
  public init(_ text: String) throws(OperatorError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let lengths = parts.compactMap { Self.length($0) }
    guard parts.count == 4, lengths.count == 4,
      ![lengths[2], lengths[3]].contains(where: \.isEmpty)
    else {
      throw OperatorError(
        "crop", "\(text.prefix(40)); give x,y,width,height in pixels or percent, as 10%,0,80%,100%")
    }
    (x, y, width, height) = (lengths[0], lengths[1], lengths[2], lengths[3])
    for (start, length) in [(x, width), (y, height)] {
      if case .fraction(let a) = start, case .fraction(let b) = length, a + b > 1 + 1e-9 {
        throw OperatorError("crop", "\(text.prefix(40)) leaves the picture; 100% is the full side")
      }
    }
  }

  private static func length(_ text: Substring) -> Length? {
    let text = String(text).filter { $0 != " " }
    guard text.hasSuffix("%") else {
      return Int(text).flatMap { (0...PixelSize.largestSide).contains($0) ? .pixels($0) : nil }
    }
    let digits = text.dropLast()
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let percent = Double(digits), (0...100).contains(percent)
    else { return nil }
    return .fraction(percent / 100)
  }

  /// Left, upper, right and lower edge as fractions of the sides; nil where one is in pixels.
  public var fractions: [Double]? {
    guard case .fraction(let x) = x, case .fraction(let y) = y, case .fraction(let width) = width,
      case .fraction(let height) = height
    else { return nil }
    return [x, y, min(x + width, 1), min(y + height, 1)]
  }

  /// Left, upper, right and lower edge as fractions of the sides of a picture of `size`.
  public func edges(in size: PixelSize) -> [Double] {
    if let fractions { return fractions }
    let rect = rect(in: size)
    let (width, height) = (Double(size.width), Double(size.height))
    return [
      Double(rect.x) / width, Double(rect.y) / height, Double(rect.endX) / width,
      Double(rect.endY) / height,
    ]
  }

  /// The part of a picture of `size`, at least a pixel; its edges are rounded to integers.
  func rect(in size: PixelSize) -> PixelRect {
    let (left, columns) = Self.stretch(x, width, of: size.width)
    let (top, rows) = Self.stretch(y, height, of: size.height)
    return PixelRect(x: left, y: top, width: columns, height: rows)
  }

  private static func stretch(_ start: Length, _ length: Length, of side: Int) -> (Int, Int) {
    let side = min(side, PixelSize.largestSide)
    func position(_ fraction: Double) -> Int { Int((fraction * Double(side)).rounded()) }
    switch (start, length) {
    case (.pixels(let first), .pixels(let count)): return (first, count)
    case (.pixels(let first), .fraction(let fraction)): return (first, max(position(fraction), 1))
    case (.fraction(let fraction), .pixels(let count)): return (position(fraction), count)
    case (.fraction(let from), .fraction(let fraction)):
      let first = min(position(from), max(side - 1, 0))
      return (first, max(position(from + fraction) - first, 1))
    }
  }
}

/// As text, as on the command line.
extension CropArea: Codable, CustomStringConvertible {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    do { self = try CropArea(text) } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "crop is \(error.message)"))
    }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }

  /// `x,y,width,height`.
  public var description: String {
    [x, y, width, height].map(\.description).joined(separator: ",")
  }

  /// The part between these edges, left, upper, right and lower, in 0…1 of the sides; nil for
  /// others.
  public init?(edges: [Double]) {
    guard edges.count == 4, edges.allSatisfy({ (0...1).contains($0) }), edges[0] < edges[2],
      edges[1] < edges[3]
    else { return nil }
    (x, y) = (.fraction(edges[0]), .fraction(edges[1]))
    (width, height) = (.fraction(edges[2] - edges[0]), .fraction(edges[3] - edges[1]))
  }
}

extension CropArea.Length: CustomStringConvertible {
  /// Pixels, or percent with their sign.
  public var description: String {
    switch self {
    case .pixels(let count): return String(count)
    case .fraction(let fraction):
      let decimals = 8
      // Without an exponent, which is not read.
      let digits = String(Int((fraction * 1e10).rounded()))
      let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
      var fraction = padded.suffix(decimals)
      while fraction.last == "0" { fraction.removeLast() }
      return padded.dropLast(decimals) + (fraction.isEmpty ? "" : "." + fraction) + "%"
    }
  }

  fileprivate var isEmpty: Bool {
    switch self {
    case .pixels(let count): count <= 0
    case .fraction(let fraction): fraction <= 0
    }
  }
}
