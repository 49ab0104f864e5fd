import HDRRender
import ImageCore
import Writers

/// The command lines by which ffmpeg codes segments and joins them. Every option was tried; what an
/// encoder does with one that it does not know is to go on without it.
struct EncoderCommand: Sendable {
  let tools: FilmTools
  let settings: FilmSettings
  let size: PixelSize
  let rate: FrameRate
  /// Frames of a segment, and of a group of pictures.
  let segment: Int
  /// Where the frames are PQ.
  let mastering: HDRMetadata.MasteringDisplay?
  private let level: HEVCLevel?

  /// Content light levels in the bit stream until those of all frames are known. Neither contains
  /// what has to be escaped (``ContentLightCode``), so that both are as long.
  static let heldContentLight = ContentLightCode(maximum: 1000, average: 400)

  /// Throws where no level holds the frames.
  init(
    _ tools: FilmTools, _ settings: FilmSettings, size: PixelSize, rate: FrameRate, segment: Int,
    mastering: HDRMetadata.MasteringDisplay?
  ) throws(FilmError) {
    (self.tools, self.settings, self.size, self.rate) = (tools, settings, size, rate)
    (self.segment, self.mastering) = (segment, mastering)
    guard settings.codec == .hevc else {
      level = nil
      return
    }
    var bitRate: Int?
    if case .bitRate(let rate) = settings.coding { bitRate = rate }
    level = HEVCLevel.of(size, rate, bitRate: bitRate)
    guard level != nil else {
      throw FilmError(
        .badSetting,
        "no level of HEVC holds \(size) at \(rate) frames per second"
          + (bitRate == nil ? "" : " and this bit rate") + "; take a smaller size or rate")
    }
  }

  /// How a child codes frames from its standard input into the file at `path`.
  func encoding(to path: String) -> [String] {
    let names = settings.names
    var command = [
      tools.ffmpeg, "-nostdin", "-hide_banner", "-v", "error", "-y", "-f", "rawvideo",
      "-pixel_format", settings.pixelFormat, "-video_size", "\(size.width)x\(size.height)",
      "-framerate", rate.description, "-i", "pipe:0", "-map", "0:v:0", "-c:v",
      settings.codec.row.encoder,
    ]
    command += coding
    command += [
      "-color_range", settings.isFullRange ? "pc" : "tv", "-color_primaries", names.primaries,
      "-color_trc", names.transfer, "-colorspace", names.matrix,
    ]
    return command + bitexact + ["-f", settings.container.rawValue, "file:" + path]
  }

  /// What makes the same bytes everywhere: no versions of libraries.
  private var bitexact: [String] { ["-fflags", "+bitexact", "-flags:v", "+bitexact"] }

  private var coding: [String] {
    switch settings.codec {
    case .hevc: hevc
    case .av1: av1
    case .h264: h264
    case .proRes422, .proRes4444: proRes
    }
  }

  /// Constant rate factors of x264 and x265: 18 at the usual quality, 10 near 1.
  private func rateFactor(_ quality: Double) -> String {
    "\(Int((51 - 41 * min(quality, 0.999)).rounded()))"
  }

  private var hevc: [String] {
    // Options of x265 itself; `info` would name the processor.
    var options = [
      "log-level=error", "info=0", "repeat-headers=1", "open-gop=0", "keyint=\(group)",
      "min-keyint=\(group)", "frame-threads=2",
    ]
    if settings.chroma == .yuv420, settings.isHDR { options.append("chromaloc=2") }
    var rates: [String] = []
    switch settings.coding {
    case .quality where settings.isLossless: options.append("lossless=1")
    case .quality(let quality):
      rates = ["-crf", rateFactor(quality)]
      if let level {
        options += [
          "level-idc=\(level.name)", "high-tier=0", "vbv-maxrate=\(level.main / 1000)",
          "vbv-bufsize=\(level.main / 1000)", "const-vbv=1",
        ]
      }
    case .bitRate(let rate):
      rates = ["-b:v", "\(rate)"]
      if let level {
        let isHigh = rate > level.main
        let most = (isHigh ? level.high : nil) ?? level.main
        options += [
          "level-idc=\(level.name)", "high-tier=\(isHigh ? 1 : 0)",
          "vbv-maxrate=\(most / 1000)", "vbv-bufsize=\(most / 1000)", "const-vbv=1",
        ]
      }
    }
    if let mastering {
      let light = Self.heldContentLight
      options += [
        "hdr10=1", "master-display=" + Self.text(mastering, times: 50_000, luminance: 10_000),
        "max-cll=\(light.maximum),\(light.average)",
      ]
    }
    return ["-preset", "medium"] + rates + ["-x265-params", options.joined(separator: ":")]
      // Parameter sets are in the sample entry alone.
      + ["-bsf:v", "filter_units=remove_types=32-35", "-tag:v", "hvc1"]
  }

  private var av1: [String] {
    var options = ["keyint=\(group)", "irefresh-type=2"]
    var rates: [String] = []
    switch settings.coding {
    case .quality(let quality): rates = ["-crf", "\(Int((63 - 48 * quality).rounded()))"]
    case .bitRate(let rate): rates = ["-b:v", "\(rate)"]
    }
    if let mastering {
      let light = Self.heldContentLight
      options += [
        "enable-hdr=1", "mastering-display=" + Self.text(mastering),
        "content-light=\(light.maximum),\(light.average)",
      ]
    }
    return ["-preset", "8", "-g", "\(group)"] + rates
      + ["-svtav1-params", options.joined(separator: ":")]
  }

  private var h264: [String] {
    let options =
      "keyint=\(group):min-keyint=\(group):open-gop=0:threads=4:lookahead-threads=1"
    let rates: [String] =
      switch settings.coding {
      case .quality(let quality): ["-crf", rateFactor(quality)]
      case .bitRate(let rate): ["-b:v", "\(rate)"]
      }
    return ["-preset", "medium"] + rates + ["-x264-params", options]
  }

  private var proRes: [String] {
    let names = settings.names
    var finest: [String] = []
    if settings.codec == .proRes4444, case .quality(FilmSettings.usualQuality...) = settings.coding
    {
      // The rate of the profile costs photographs over a code of 10 bits in the mean; this 0.27.
      finest = ["-quant_mat", "default", "-qscale:v", "1"]
    }
    return [
      "-profile:v", settings.codec == .proRes422 ? "2" : "4", "-vendor", "apl0",
    ] + finest + [
      // The headers of frames, which options of the output leave unspecified, and the filter of
      // streams for them does not know headers without matrices.
      "-vf",
      "setparams=range=tv:color_primaries=\(names.primaries):color_trc=\(names.transfer)"
        + ":colorspace=\(names.matrix)",
    ]
  }

  /// Frames from one random access point to the next.
  private var group: Int { min(segment, Self.usualSegment(rate)) }

  /// Two seconds.
  static func usualSegment(_ rate: FrameRate) -> Int { max(Int((2 * rate.value).rounded()), 1) }

  /// As encoders take a mastering display: each number times `times`, where that is an integer.
  private static func text(
    _ display: HDRMetadata.MasteringDisplay, times: Double? = nil, luminance: Double? = nil
  ) -> String {
    func number(_ value: Double, _ times: Double?) -> String {
      times.map { "\(Int((value * $0).rounded()))" } ?? "\((value * 1e5).rounded() / 1e5)"
    }
    func point(_ name: String, _ xy: Chromaticity) -> String {
      "\(name)(\(number(xy.x, times)),\(number(xy.y, times)))"
    }
    return point("G", display.green) + point("B", display.blue) + point("R", display.red)
      + point("WP", display.white)
      + "L(\(number(display.maximumNits, luminance)),\(number(display.minimumNits, luminance)))"
  }
}

extension EncoderCommand {
  /// What is written beside the pictures.
  struct Extras: Sendable, Hashable {
    var timecode: Timecode?
    var audio: String?
    var cover: String?
    /// When the first frame was taken, `2026-11-29T01:02:03Z`.
    var date: String?
    /// Names of ffmpeg and their texts.
    var tags: [String: String] = [:]
  }

  /// How the segments of the list at `list`, of `frames` in all, become the film at `path`.
  func joining(list: String, frames: Int, _ extras: Extras, to path: String) -> [String] {
    var command = [
      tools.ffmpeg, "-nostdin", "-hide_banner", "-v", "error", "-y", "-auto_convert", "0", "-f",
      "concat", "-safe", "0", "-i", "file:" + list,
    ]
    var maps = ["-map", "0:v:0"]
    var input = 1
    if let audio = extras.audio {
      command += ["-protocol_whitelist", "file,pipe", "-i", "file:" + audio]
      maps += ["-map", "\(input):a:0"]
      input += 1
    }
    if let cover = extras.cover {
      command += ["-protocol_whitelist", "file,pipe", "-i", "file:" + cover]
      maps += ["-map", "\(input):v:0", "-disposition:v:1", "attached_pic"]
    }
    command += maps + ["-c", "copy"]
    if settings.codec == .hevc { command += ["-tag:v:0", "hvc1"] }
    if extras.audio != nil { command += ["-t", "\(rate.duration(of: frames))"] }
    // Edit lists count in this, by default in milliseconds.
    let steps = (599 + rate.frames) / rate.frames
    command += bitexact + ["-movie_timescale", "\(rate.frames * steps)"]
    if let timecode = extras.timecode {
      command += ["-metadata:s:v:0", "timecode=" + timecode.description]
    }
    if let date = extras.date { command += ["-metadata", "creation_time=" + date] }
    for (name, text) in extras.tags.sorted(by: { $0.key < $1.key }) {
      command += ["-metadata", "\(name)=\(text)"]
    }
    return command + ["-f", settings.container.rawValue, "file:" + path]
  }

  /// The list of segments: names, and how long each is, which files round to milliseconds.
  func list(_ segments: [(name: String, frames: Int)]) -> String {
    segments.map { segment in
      let micro = (rate.duration(of: segment.frames) * 1e6).rounded() / 1e6
      return "file '\(segment.name)'\nduration \(micro)\n"
    }.joined()
  }
}
