import ImageCore

/// What the coded data of one picture say of themselves, before they are decoded.
struct CodedStill: Equatable {
  enum Codec: String { case hevc = "hvc1", av1 = "av01" }

  let codec: Codec
  /// Columns and rows that a decoder gives.
  let size: PixelSize
  let bits: Int
  let isGrey: Bool
  /// The code points in the data; nil where they have none.
  let codePoints: HEIFProperty.CodePoints?
  /// Whether the numbers use the whole range, where the data say so.
  let isFullRange: Bool?
  /// The decoder's configuration, as the file of one picture states it.
  let configuration: [UInt8]

  static func unreadable(_ what: String) -> ReadError {
    ISOCursor.damaged("the coded picture's own description \(what)")
  }
}

extension CodedStill {
  /// Reads `configuration` of an item of `type`; `data` are its bytes, asked for when they are needed.
  init(
    type: String, configuration: [UInt8], data: () throws(ReadError) -> [UInt8]
  ) throws(ReadError) {
    switch Codec(rawValue: type) {
    case .hevc: self = try HEVCConfiguration(configuration).still
    case .av1: self = try AV1Sequence.still(configuration, try data())
    case nil:
      throw ReadError(
        .unsupported,
        "it is coded as \(ISOBox.shown(type)); pictures of HEVC and AV1 are read, convert it to one"
      )
    }
  }

  /// `data` in the form that ``configuration`` states: only what belongs to the one picture.
  func cleaned(_ data: [UInt8], itemConfiguration: [UInt8]) throws(ReadError) -> [UInt8] {
    switch codec {
    case .hevc: return try HEVCConfiguration(itemConfiguration).slices(of: data)
    case .av1: return try AV1Sequence.units(itemConfiguration, data)
    }
  }
}
