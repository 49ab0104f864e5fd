package import ImageCore

/// The parameter sets and the slice header of an intra picture in one slice (H.265 (2021) 7.3.2.1
/// to 7.3.2.3, 7.3.6.1): units of 8 to 32 samples with transforms of their own size, none of the
/// tools that a still can do without.
package struct HEVCStillHeaders: Sendable {
  /// Multiples of 8.
  private let size: PixelSize
  private let bits: Int
  /// chroma_format_idc: 0, 1 or 3.
  private let chromaFormat: Int
  /// SliceQpY.
  private let quantizer: Int
  /// Of chroma's parameter to luma's.
  private let chromaOffset: Int
  private let color: HEIFProperty.CodePoints
  /// chroma_sample_loc_type, for 4:2:0.
  private let chromaLocation: Int
  /// Whether decoders smooth the edges of blocks.
  private let deblocks: Bool

  package init(
    size: PixelSize, bits: Int, chromaFormat: Int, quantizer: Int, chromaOffset: Int,
    color: HEIFProperty.CodePoints, chromaLocation: Int, deblocks: Bool
  ) {
    (self.size, self.bits, self.chromaFormat) = (size, bits, chromaFormat)
    (self.quantizer, self.chromaOffset) = (quantizer, chromaOffset)
    (self.color, self.chromaLocation, self.deblocks) = (color, chromaLocation, deblocks)
  }

  /// The video, sequence and picture parameter sets as complete units.
  package var parameterSets: [[UInt8]] {
    [(.video, video), (.sequence, sequence), (.picture, picture)].map { kind, payload in
      unsafe payload.withUnsafeBytes { unsafe HEVCUnit.bytes(kind, $0) }
    }
  }

  /// What precedes the coded samples in the unit of the slice.
  package var slice: [UInt8] {
    var writer = BitWriter()
    writer.bits(2, 0b10)  // the first slice; earlier pictures may be output
    writer.exponentialGolomb(0)  // picture parameter set
    writer.exponentialGolomb(2)  // intra
    writer.signedExponentialGolomb(0)  // quantizer as in the set
    writer.stop()
    return writer.bytes
  }

  private var video: [UInt8] {
    var writer = BitWriter()
    writer.bits(4, 0)  // number of this set
    writer.bits(2, 0b11)  // the base layer is in the stream
    writer.bits(6 + 3, 0)  // one layer and sublayer
    writer.bit(true)  // sublayers are nested
    writer.bits(16, 0xFFFF)
    putProfile(&writer)
    putBuffering(&writer)
    writer.bits(6, 0)  // highest layer
    writer.exponentialGolomb(0)  // sets of layers
    writer.bits(2, 0)  // no timing, no extension
    writer.stop()
    return writer.bytes
  }

  private var sequence: [UInt8] {
    var writer = BitWriter()
    writer.bits(4 + 3, 0)  // video parameter set; one sublayer
    writer.bit(true)
    putProfile(&writer)
    writer.exponentialGolomb(0)  // number of this set
    writer.exponentialGolomb(chromaFormat)
    if chromaFormat == 3 { writer.bit(false) }  // planes are coded together
    writer.exponentialGolomb(size.width)
    writer.exponentialGolomb(size.height)
    writer.bit(false)  // nothing is cut off
    for _ in 0..<2 { writer.exponentialGolomb(bits - 8) }
    writer.exponentialGolomb(0)  // bits of picture numbers, less 4
    putBuffering(&writer)
    // Minimum size and range of sizes of coding units, 8 to 32, and of transforms, 4 to 32; no
    // transform smaller than its unit.
    for value in [0, 2, 0, 3, 0, 0] { writer.exponentialGolomb(value) }
    writer.bits(4, 0)  // no scaling lists, asymmetric partitions, adaptive offsets, PCM
    writer.exponentialGolomb(0)  // sets of reference pictures
    writer.bits(2, 0)  // no long-term references, no motion
    writer.bit(true)  // strong smoothing of neighbors
    writer.bit(true)
    putUsability(&writer)
    writer.bit(false)  // no extension
    writer.stop()
    return writer.bytes
  }

  private var picture: [UInt8] {
    var writer = BitWriter()
    for _ in 0..<2 { writer.exponentialGolomb(0) }  // numbers of this and of the sequence's set
    writer.bits(1 + 1 + 3 + 1 + 1, 0)  // nothing more in slice headers, no hidden signs
    for _ in 0..<2 { writer.exponentialGolomb(0) }  // reference pictures
    writer.signedExponentialGolomb(quantizer - 26)
    writer.bits(3, 0)  // prediction from all samples, no skipped transforms, one quantizer
    for _ in 0..<2 { writer.signedExponentialGolomb(chromaOffset) }
    // No offsets in slices, weighted prediction, bypass, tiles, wavefronts, filters across slices.
    writer.bits(1 + 2 + 1 + 2 + 1, 0)
    writer.bit(!deblocks)
    if !deblocks { writer.bits(2, 0b01) }  // not signalled in slices; off
    writer.bits(2, 0)  // no scaling lists, no changed lists
    writer.exponentialGolomb(0)  // merging
    writer.bits(2, 0)  // no extensions
    writer.stop()
    return writer.bytes
  }

  /// profile_tier_level (7.3.3): Main, Main 10, else the format range extensions.
  private func putProfile(_ writer: inout BitWriter) {
    let profile = chromaFormat != 1 ? 4 : bits == 8 ? 1 : 2
    writer.bits(8, profile)
    // Profiles whose decoders can decode this, the first bit for profile 0.
    writer.bits(32, profile == 1 ? 3 << 29 : 1 << (31 - profile))
    writer.bits(4, 0b1001)  // frames
    // At most 12, 10 and 8 bits, 4:2:2, 4:2:0 and monochrome, intra, one picture, usual bit rates.
    let gray = chromaFormat == 0 ? 0b111 : 0
    let limits = 0b110 << 6 | (bits == 8 ? 1 << 6 : 0) | gray << 3 | 1
    writer.bits(9, profile == 4 ? limits : 0)
    writer.bits(32, 0)
    writer.bits(3, 0)
    writer.bits(8, level)
  }

  /// 30 times the lowest level (table A.8) whose limits of area and sides the picture keeps.
  private var level: Int {
    let areas = [
      (30, 36_864), (60, 122_880), (63, 245_760), (90, 552_960), (93, 983_040), (120, 2_228_224),
      (150, 8_912_896),
    ]
    let longest = max(size.width, size.height)
    return areas.first { size.area <= $0.1 && longest * longest <= 8 * $0.1 }?.0 ?? 180
  }

  /// One picture is buffered, none is output later than decoded.
  private func putBuffering(_ writer: inout BitWriter) {
    writer.bit(true)
    for _ in 0..<3 { writer.exponentialGolomb(0) }
  }

  /// Video usability information (E.2.1): what code values mean.
  private func putUsability(_ writer: inout BitWriter) {
    writer.bits(2, 0)  // no aspect ratio, no overscan
    writer.bit(true)
    writer.bits(3, 5)  // video format: not specified
    writer.bit(color.isFullRange)
    writer.bit(true)
    for value in [color.primaries, color.transfer, color.matrix] { writer.bits(8, Int(value)) }
    writer.bit(chromaFormat == 1)
    if chromaFormat == 1 { for _ in 0..<2 { writer.exponentialGolomb(chromaLocation) } }
    // No neutral chroma, fields, field descriptions, display window, timing, restrictions.
    writer.bits(6, 0)
  }
}
