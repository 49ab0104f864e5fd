public import ImageCore

/// The picture in IFD 0 of a DNG whose raw picture is in a SubIFD: baseline JPEG in one strip.
public struct DNGPreview: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  let jpeg: [UInt8]

  /// The preview of 8-bit sRGB `pixels`, three for each of `size.area`; nil when they do not fit.
  public init?(size: PixelSize, srgb pixels: [UInt8], quality: Int = 90) {
    guard size.area > 0,
      let jpeg = BaselineJPEG.encode(pixels, size: size, components: 3, quality: quality)
    else { return nil }
    self.size = size
    self.jpeg = jpeg
  }

  var node: TIFFNode {
    var node = TIFFNode(chunks: [jpeg])
    node.directory.merge([
      254: .longs([1]), 256: .longs([UInt32(size.width)]), 257: .longs([UInt32(size.height)]),
      258: .shorts([8, 8, 8]), 259: .shorts([7]), 262: .shorts([6]), 277: .shorts([3]),
      278: .longs([UInt32(size.height)]), 284: .shorts([1]),
    ])
    return node
  }
}

/// A semantic mask of a DNG 1.6: 8 bits, baseline JPEG in one strip, as Apple writes it.
public struct DNGMatte: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  /// SemanticName.
  public let semanticName: String
  /// What was stored, row by row.
  public let pixels: [UInt8]
  /// XMP of its own; nil for none.
  public var xmp: String?
  private let jpeg: [UInt8]

  /// The mask of `pixels`, one for each of `size.area`; nil when they do not fit.
  public init?(size: PixelSize, semanticName: String, pixels: [UInt8], quality: Int = 95) {
    guard size.area > 0,
      let jpeg = BaselineJPEG.encode(pixels, size: size, components: 1, quality: quality)
    else { return nil }
    self.size = size
    self.semanticName = semanticName
    self.pixels = pixels
    self.jpeg = jpeg
  }

  var node: TIFFNode {
    var node = TIFFNode(chunks: [jpeg])
    node.directory.merge([
      254: .longs([65_540]), 256: .longs([UInt32(size.width)]), 257: .longs([UInt32(size.height)]),
      258: .shorts([8]), 259: .shorts([34892]), 262: .shorts([52527]), 277: .shorts([1]),
      278: .longs([UInt32(size.height)]), 284: .shorts([1]), 52526: .ascii(semanticName),
    ])
    if let xmp { node.directory[700] = .bytes(Array(xmp.utf8)) }
    return node
  }
}
