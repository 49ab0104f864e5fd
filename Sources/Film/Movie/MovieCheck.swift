import ImageCore

/// Reads a film back with ffprobe before it gets its name: exit codes of encoders prove little. An
/// unknown option, another pixel format and half a frame all end with success.
struct MovieCheck {
  let tools: FilmTools
  let settings: FilmSettings
  let size: PixelSize
  let rate: FrameRate

  /// The number of frames in the file at `path`.
  func frames(_ path: String) throws(FilmError) -> Int {
    let report = try ProbeReport.read(path, .pictures, ProbeReport.packets, tools, isTrusted: true)
    return report.streams?.first?.nbReadPackets.flatMap { Int($0) } ?? 0
  }

  /// Throws where the film at `path` is not one of `frames` as it was asked for.
  func check(
    _ path: String, frames: Int, mastering: HDRMetadata.MasteringDisplay?, light: ContentLightCode?
  ) throws(FilmError) {
    let report = try ProbeReport.read(path, .pictures, ProbeReport.packets, tools, isTrusted: true)
    guard let stream = report.streams?.first else {
      throw FilmError(.encoderFailed, "the film that was written has no pictures")
    }
    let names = settings.names
    // What is decoded from ProRes 4444 is announced in 12 bits.
    let format = settings.codec == .proRes4444 ? "yuv444p12le" : settings.pixelFormat
    let decoded = stream.pixFmt?.replacing("yuvj", with: "yuv") ?? ""
    var wanted: [(what: String, asked: String, found: String)] = [
      ("frames", "\(frames)", stream.nbReadPackets ?? ""),
      ("size", "\(size)", "\(PixelSize(width: stream.width ?? 0, height: stream.height ?? 0))"),
      ("sample entry", settings.codec.row.tag, stream.codecTagString ?? ""),
      ("pixel format", format, decoded),
      ("primaries", names.primaries, stream.colorPrimaries ?? ""),
      ("transfer", names.transfer, stream.colorTransfer ?? ""),
      ("matrix", names.matrix, stream.colorSpace ?? ""),
      ("range", settings.isFullRange ? "pc" : "tv", stream.colorRange ?? ""),
    ]
    if frames > 1 {
      let found = stream.avgFrameRate.flatMap { FrameRate($0) }
      wanted.append(("rate", "\(rate)", found.map { "\($0)" } ?? ""))
    }
    if settings.codec == .hevc, settings.bits == 10, settings.chroma == .yuv420 {
      wanted.append(("profile", "Main 10", stream.profile ?? ""))
    }
    if let light {
      let boxes = stream.sideDataList ?? []
      wanted += Self.levels(boxes, light, in: "")
      wanted.append(
        (
          "mastering display", "1",
          "\(boxes.count { $0.sideDataType == "Mastering display metadata" })"
        ))
      if settings.codec.row.light != .boxesAlone {
        let first = try ProbeReport.read(
          path, .pictures, ProbeReport.firstFrame, tools, isTrusted: true)
        wanted += Self.levels(first.frames?.first?.sideDataList ?? [], light, in: " of frames")
      }
    }
    for value in wanted where value.asked != value.found {
      throw FilmError(
        .encoderFailed,
        "the encoder wrote \(value.what) \(value.found.isEmpty ? "none" : value.found) instead of "
          + "\(value.asked); take another version of it, or another codec")
    }
  }

  private static func levels(
    _ data: [ProbeReport.SideData], _ light: ContentLightCode, in place: String
  ) -> [(what: String, asked: String, found: String)] {
    let found = data.first { $0.maxContent != nil }
    return [
      ("MaxCLL" + place, "\(light.maximum)", found?.maxContent.map { "\($0)" } ?? ""),
      ("MaxFALL" + place, "\(light.average)", found?.maxAverage.map { "\($0)" } ?? ""),
    ]
  }
}
