import Writers

/// How frames are compressed. The raw value is the name on the command line.
public enum FilmCodec: String, Sendable, Hashable, Codable, CaseIterable {
  /// HEVC, by libx265 in a process of its own.
  case hevc
  /// AV1, by SVT-AV1.
  case av1
  /// Apple ProRes 422.
  case proRes422 = "prores-422"
  /// Apple ProRes 4444.
  case proRes4444 = "prores-4444"
  /// H.264, by libx264; SDR.
  case h264
}

/// The file that holds the film. The raw value is its extension.
public enum FilmContainer: String, Sendable, Hashable, Codable, CaseIterable {
  /// QuickTime.
  case mov
  /// MPEG-4.
  case mp4
}

/// The transfer function of a film. The raw value is the name on the command line.
public enum FilmFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Hybrid log-gamma (BT.2100).
  case hlg
  /// The perceptual quantizer (BT.2100), with static metadata: HDR10.
  case pq
  /// Standard dynamic range.
  case sdr
}

/// The resolution of chroma. The raw value is the name on the command line.
public enum FilmChroma: String, Sendable, Hashable, Codable, CaseIterable {
  /// Half the columns and rows.
  case yuv420 = "420"
  /// Half the columns.
  case yuv422 = "422"
  /// All.
  case yuv444 = "444"

  var coded: VideoEncoding.Chroma {
    switch self {
    case .yuv420: .yuv420
    case .yuv422: .yuv422
    case .yuv444: .yuv444
    }
  }
}

/// What a codec can do, and by which encoder: the one table of it.
struct FilmCodecRow: Sendable {
  /// For people.
  let name: String
  /// What ffmpeg calls its encoder.
  let encoder: String
  /// The type of the sample entry.
  let tag: String
  let containers: [FilmContainer]
  /// Bits of samples in HDR and in SDR, the usual first.
  let hdrBits, sdrBits: [Int]
  /// The usual first.
  let chroma: [FilmChroma]
  let holdsFullRange: Bool
  let holdsBitRate: Bool
  let isLossy: Bool
  /// Where the bit stream holds light levels and the mastering display; all have boxes.
  let light: LightPlace

  enum LightPlace: Sendable {
    case messages, metadataUnits, boxesAlone
  }
}

extension FilmCodec {
  var row: FilmCodecRow {
    switch self {
    case .hevc:
      FilmCodecRow(
        name: "HEVC", encoder: "libx265", tag: "hvc1", containers: [.mov, .mp4], hdrBits: [10],
        sdrBits: [8, 10], chroma: [.yuv420, .yuv422, .yuv444], holdsFullRange: true,
        holdsBitRate: true, isLossy: false, light: .messages)
    case .av1:
      FilmCodecRow(
        name: "AV1", encoder: "libsvtav1", tag: "av01", containers: [.mp4], hdrBits: [10],
        sdrBits: [8, 10], chroma: [.yuv420], holdsFullRange: true, holdsBitRate: true,
        isLossy: true, light: .metadataUnits)
    case .proRes422:
      FilmCodecRow(
        name: "ProRes 422", encoder: "prores_ks", tag: "apcn", containers: [.mov], hdrBits: [10],
        sdrBits: [10], chroma: [.yuv422], holdsFullRange: false, holdsBitRate: false,
        isLossy: true, light: .boxesAlone)
    case .proRes4444:
      FilmCodecRow(
        name: "ProRes 4444", encoder: "prores_ks", tag: "ap4h", containers: [.mov], hdrBits: [10],
        sdrBits: [10], chroma: [.yuv444], holdsFullRange: false, holdsBitRate: false,
        isLossy: true, light: .boxesAlone)
    case .h264:
      FilmCodecRow(
        name: "H.264", encoder: "libx264", tag: "avc1", containers: [.mov, .mp4], hdrBits: [],
        sdrBits: [8], chroma: [.yuv420], holdsFullRange: false, holdsBitRate: true, isLossy: true,
        light: .boxesAlone)
    }
  }
}
