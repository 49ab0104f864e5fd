import CIntraCoding
import Codecs
import Containers
import Formats
import Foundation
import ImageCore

/// Codes tiles of one size in HEVC, each as an intra picture that decodes alone. The bits depend on
/// the settings and the pixels only. One thread at a time. Working memory: 2 bytes for each sample,
/// and what a coded tile takes.
///
/// Source: ITU-T H.265 (2021). Units of 8, 16 and 32 pixels, each with one transform for each
/// component; planar, DC, horizontal and vertical prediction, chosen with the sizes in the source
/// by Hadamard coefficients (HEVCAnalysis.h); constant quantizer, a third of a step added before
/// rounding down; deblocking by the decoder. Why, and what it costs:
/// Docs/decisions/0020-hevc-coder.md.
///
/// Known limits: no oblique prediction, so slanted edges take more bits; noise at high quality is
/// coded as it is.
@safe final class HEVCIntraEncoder: TileEncoder {
  /// Parameters of the encoder.
  struct Settings: Sendable {
    /// Multiples of 32.
    var size: PixelSize
    /// 8 or 10.
    var bits: Int
    var chroma: ChromaFormat
    /// QP of H.265, 0…51.
    var quantizer: Int
    var color: HEIFProperty.CodePoints
    /// chroma_sample_loc_type of H.265.
    var chromaLocation: Int
    /// Whether decoders smooth the edges of blocks, which from QP 16 on gains up to 0.6 dB.
    var deblocks = true

    /// Of chroma's quantization parameter to luma's: at full resolution half the precision. Nothing
    /// above 51, which libde265 does not limit as the standard does.
    var chromaOffset: Int { chroma == .yuv444 ? min(6, 51 - quantizer) : 0 }
  }

  private let settings: Settings
  private let headers: HEVCStillHeaders
  private let memory: IntraWorkspace
  /// Modes, then depths, of 8 × 8 pixels.
  private let units: UnsafeMutablePointer<UInt8>

  init(_ settings: Settings) throws(WriteError) {
    let size = settings.size
    guard size.width % 32 == 0, size.height % 32 == 0, size.area > 0,
      [8, 10].contains(settings.bits)
    else {
      throw WriteError(
        .encoderFailed, "tiles of \(size) pixels of \(settings.bits) bits cannot be coded in HEVC")
    }
    self.settings = settings
    headers = HEVCStillHeaders(
      size: size, bits: settings.bits, chromaFormat: Int(settings.chroma.rawValue),
      quantizer: settings.quantizer, chromaOffset: settings.chromaOffset, color: settings.color,
      chromaLocation: settings.chromaLocation, deblocks: settings.deblocks)
    memory = try WriteError.translating { () throws(PixelError) in
      try IntraWorkspace(size, settings.chroma, rows: 32, sampleBytes: Int(ck_hevcSampleBytes))
    }
    unsafe units = .allocate(capacity: 2 * (size.area / 64))
  }

  deinit { unsafe units.deallocate() }

  func record(tile: [UInt8]) throws(WriteError) -> [UInt8] {
    guard
      let configuration = HEVCConfiguration(
        parameterSets: headers.parameterSets, bits: settings.bits,
        chromaFormat: settings.chroma.rawValue)
    else { throw WriteError(.encoderFailed, "the sequence parameter set is too short") }
    return configuration.record
  }

  /// The picture in `codes` as a NAL unit after its length in four bytes.
  func encode(_ codes: YCbCrPlanes) throws(WriteError) -> [UInt8] {
    precondition(codes.size == settings.size, "a tile of another size")
    var picture = unsafe picture(codes)
    unsafe ck_hevcBegin(&picture.coder, Int32(settings.quantizer), memory.start)
    for y in stride(from: 0, to: settings.size.height, by: 32) {
      unsafe memory.makeRoom(&picture.coder.out)
      unsafe ck_hevcRow(&picture, Int64(y))
    }
    unsafe memory.makeRoom(&picture.coder.out)
    unsafe ck_hevcEnd(&picture.coder)
    let data = unsafe memory.bytes(to: picture.coder.out)
    let unit = unsafe headers.slice.withUnsafeBytes {
      unsafe HEVCUnit.bytes(.instantaneousPicture, $0, data)
    }
    return unsafe withUnsafeBytes(of: UInt32(unit.count).bigEndian) { unsafe Array($0) } + unit
  }

  /// The decoder's samples of the last coded picture, before deblocking: consecutive rows of
  /// `plane`.
  func decoded(plane: Int) -> [UInt16] { memory.decoded(plane: plane) }

  private func picture(_ codes: YCbCrPlanes) -> ck_hevcPicture {
    let size = settings.size
    var picture = unsafe ck_hevcPicture()
    unsafe (picture.width, picture.height) = (Int32(size.width), Int32(size.height))
    unsafe picture.planeCount = Int32(memory.planeCount)
    unsafe picture.chromaShift = settings.chroma == .yuv420 ? 1 : 0
    unsafe picture.depth = Int32(settings.bits)
    // Code values of 8 bits are stored in the upper half of 16-bit words.
    unsafe picture.sourceShift = settings.bits == 8 ? 8 : 0
    unsafe picture.bitCost = Self.bitCost(settings)
    unsafe (picture.modes, picture.depths) = (units, units + size.area / 64)
    unsafe picture.planes.0 = plane(0, codes)
    if memory.planeCount > 1 {
      unsafe (picture.planes.1, picture.planes.2) = (plane(1, codes), plane(2, codes))
    }
    return unsafe picture
  }

  private func plane(_ index: Int, _ codes: YCbCrPlanes) -> ck_hevcPlane {
    let parameter = index == 0 ? settings.quantizer : Self.chromaQuantizer(settings)
    return unsafe ck_hevcPlane(
      source: codes.row(index, 0).start, sourceStride: Int64(codes.stride(index)),
      made: memory.samples(of: index), stride: Int64(memory.size(of: index).width),
      quantizer: Int32(parameter + 6 * (settings.bits - 8)))
  }

  /// QpC (8.6.1), which in 4:2:0 falls behind luma's parameter from 30 on (table 8-10).
  private static func chromaQuantizer(_ settings: Settings) -> Int {
    let parameter = settings.quantizer + settings.chromaOffset
    let middle = [29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37]
    guard settings.chroma == .yuv420, parameter >= 30 else { return parameter }
    return parameter >= 43 ? parameter - 6 : middle[parameter - 30]
  }

  /// A bit in sums of absolute Hadamard coefficients: √(0.57 · 2^((QP − 12) / 3)) steps of 8 bits,
  /// the usual multiplier of distortion against rate for intra pictures.
  private static func bitCost(_ settings: Settings) -> Float {
    Float(
      (0.57 * pow(2, Double(settings.quantizer - 12) / 3)).squareRoot()
        * Double(1 << (settings.bits - 8)))
  }
}

extension HEVCIntraEncoder.Settings {
  init(_ coding: TileCoding, size: PixelSize) {
    self.init(
      size: size, bits: coding.bits, chroma: coding.chroma, quantizer: coding.quantizer,
      color: coding.color, chromaLocation: coding.chromaLocation)
  }
}
