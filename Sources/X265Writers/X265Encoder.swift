import CX265
import Codecs
import Containers
package import Formats
import ImageCore
import Synchronization
package import Writers

/// One libx265 encoder for tiles of one size: each becomes an intra picture that decodes alone. The
/// bits depend on the settings and the pixels only, not on threads or on tiles encoded before. One
/// thread at a time.
///
/// Settings (see Docs/decisions/0005-heif-encoder.md): the ultrafast preset with no coding unit
/// below 32, constant quantizer. x265 must not know that its pictures are stills, else it signals
/// the range-extensions profile, which hardware decoders reject: hence a long `keyint` and an
/// unspecified number of frames.
@safe package final class X265Encoder: TileEncoder {
  /// Parameters of the encoder.
  struct Settings: Sendable {
    var size: PixelSize
    var bits: Int
    var chroma: ChromaFormat
    /// 0…51.
    var quantizer: Int
    var color: HEIFProperty.CodePoints
    /// chroma_sample_loc_type of H.265.
    var chromaLocation: Int

    /// nil for one channel: x265 has no name for it and signals the range extensions by itself.
    var profile: String? {
      switch (chroma, bits) {
      case (.yuv420, 8): "main"
      case (.yuv420, _): "main10"
      case (.yuv444, 8): "main444-8"
      case (.yuv444, _): "main444-10"
      case (.monochrome, _): nil
      }
    }

    /// x265's name of the chroma format.
    private var colorSpace: String {
      switch chroma {
      case .monochrome: "i400"
      case .yuv420: "i420"
      case .yuv444: "i444"
      }
    }

    /// Names and values as on x265's command line.
    var parameters: [(String, String)] {
      [
        ("log-level", "none"), ("input-res", "\(size.width)x\(size.height)"), ("fps", "1"),
        ("input-csp", colorSpace), ("min-cu-size", "32"),
        ("qp", "\(quantizer)"), ("ipratio", "1.0"), ("aq-mode", "0"), ("keyint", "250"),
        ("bframes", "0"), ("rc-lookahead", "0"), ("scenecut", "0"), ("open-gop", "0"),
        ("pools", "none"), ("frame-threads", "1"), ("wpp", "0"), ("info", "0"),
        ("repeat-headers", "0"), ("annexb", "0"), ("range", "full"),
        ("colorprim", "\(color.primaries)"), ("transfer", "\(color.transfer)"),
        ("colormatrix", "\(color.matrix)"),
      ]
        // At 4:4:4 the cheaper mode decision lowers the quantizer of chroma.
        + (chroma == .yuv444 ? [] : [("rd", "1")])
        + (chroma == .yuv420 ? [("chromaloc", "\(chromaLocation)")] : [])
    }
  }

  /// The parameter sets, each a NAL unit without length or start code.
  let parameterSets: [[UInt8]]
  /// libx265 fills its table of functions when it opens its first encoder, and takes a partly
  /// filled one as complete. Two concurrent opens could call missing functions.
  private static let opening = Mutex(())
  private let api: UnsafePointer<x265_api>
  private let parameters: UnsafeMutablePointer<x265_param>
  private let picture: UnsafeMutablePointer<x265_picture>
  private let encoder: OpaquePointer
  private let settings: Settings

  init(_ settings: Settings) throws(WriteError) {
    guard let api = unsafe cx265_api(Int32(settings.bits)) else {
      throw WriteError(
        .encoderFailed,
        "libx265 was built without \(settings.bits)-bit support; install the distribution's package"
      )
    }
    guard let parameters = unsafe cx265_param_alloc(api) else {
      throw Self.failure("out of memory")
    }
    guard let picture = unsafe Self.configure(api, parameters, settings) else {
      unsafe cx265_param_free(api, parameters)
      throw Self.failure("libx265 refused its settings; version 3.5 or later is needed")
    }
    unsafe picture.pointee.bitDepth = settings.bits == 8 ? 16 : Int32(settings.bits)
    unsafe picture.pointee.colorSpace =
      switch settings.chroma {
      case .monochrome: X265_CSP_I400
      case .yuv420: X265_CSP_I420
      case .yuv444: X265_CSP_I444
      }
    unsafe picture.pointee.sliceType = X265_TYPE_IDR
    let opened = Self.opening.withLock { _ in
      unsafe UInt(bitPattern: cx265_open(api, parameters))
    }
    guard let encoder = unsafe OpaquePointer(bitPattern: opened) else {
      unsafe cx265_picture_free(api, picture)
      unsafe cx265_param_free(api, parameters)
      throw Self.failure("libx265 cannot encode tiles of \(settings.size)")
    }
    self.settings = settings
    var units: UnsafeMutablePointer<x265_nal>?
    var count: UInt32 = 0
    let status = unsafe cx265_headers(api, encoder, &units, &count)
    parameterSets = (0..<Int(count)).compactMap { index in
      guard let unit = unsafe units?[index], unsafe unit.sizeBytes > 4 else { return nil }
      return unsafe Array(
        UnsafeBufferPointer(start: unit.payload, count: Int(unit.sizeBytes)).dropFirst(4))
    }
    unsafe (self.api, self.parameters, self.picture, self.encoder) = (
      api, parameters, picture, encoder
    )
    guard status >= 0, parameterSets.count >= 3 else {
      throw Self.failure("libx265 gave no parameter sets")
    }
  }

  deinit {
    unsafe cx265_close(api, encoder)
    unsafe cx265_picture_free(api, picture)
    unsafe cx265_param_free(api, parameters)
  }

  private static func failure(_ what: String) -> WriteError { WriteError(.encoderFailed, what) }

  /// A picture for these settings; nil when x265 refuses one of them.
  private static func configure(
    _ api: UnsafePointer<x265_api>, _ parameters: UnsafeMutablePointer<x265_param>,
    _ settings: Settings
  ) -> UnsafeMutablePointer<x265_picture>? {
    guard unsafe cx265_param_preset(api, parameters, "ultrafast") == 0 else { return nil }
    for (name, value) in settings.parameters
    where unsafe cx265_param_parse(api, parameters, name, value) != 0 { return nil }
    if let profile = settings.profile, unsafe cx265_param_profile(api, parameters, profile) != 0 {
      return nil
    }
    return unsafe cx265_picture_alloc(api, parameters)
  }

  package func record(tile: [UInt8]) throws(WriteError) -> [UInt8] {
    guard
      let configuration = HEVCConfiguration(
        parameterSets: parameterSets, bits: settings.bits, chromaFormat: settings.chroma.rawValue)
    else { throw Self.failure("libx265 gave no sequence parameter set") }
    return configuration.record
  }

  /// The picture in `codes` as NAL units, each preceded by its length in four bytes.
  package func encode(_ codes: YCbCrPlanes) throws(WriteError) -> [UInt8] {
    func stride(_ plane: Int) -> Int32 {
      Int32(codes.stride(plane) * MemoryLayout<UInt16>.stride)
    }
    unsafe cx265_picture_planes(
      picture, codes.row(0, 0).start, codes.hasChroma ? codes.row(1, 0).start : nil,
      codes.hasChroma ? codes.row(2, 0).start : nil, stride(0), stride(1))
    var units: UnsafeMutablePointer<x265_nal>?
    var count: UInt32 = 0
    guard unsafe cx265_encode(api, encoder, &units, &count, picture) == 1, let units = unsafe units,
      count > 0
    else {
      throw Self.failure("libx265 could not encode a tile; lower the quality or free some memory")
    }
    var bytes: [UInt8] = []
    for index in 0..<Int(count) {
      let unit = unsafe units[index]
      unsafe bytes.append(
        contentsOf: UnsafeBufferPointer(start: unit.payload, count: Int(unit.sizeBytes)))
    }
    unsafe picture.pointee.pts += 1
    SliceHeader.settle(&bytes, quantizer: settings.quantizer)
    return bytes
  }
}

extension X265Encoder.Settings {
  init(_ coding: TileCoding, size: PixelSize) {
    self.init(
      size: size, bits: coding.bits, chroma: coding.chroma, quantizer: coding.quantizer,
      color: coding.color, chromaLocation: coding.chromaLocation)
  }
}
