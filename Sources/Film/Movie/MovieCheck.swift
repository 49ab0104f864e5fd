import Foundation
import ImageCore

/// Reads a film back with ffprobe before it gets its name: exit codes of encoders prove little. An
/// unknown option, another pixel format and half a frame all end with success.
struct MovieCheck {
  let tools: FilmTools
  let settings: FilmSettings
  let size: PixelSize
  let rate: FrameRate

  private struct Report: Decodable {
    struct Stream: Decodable {
      var codec_tag_string, pix_fmt, profile: String?
      var color_range, color_space, color_transfer, color_primaries: String?
      var avg_frame_rate, nb_read_packets: String?
      var width, height: Int?
      var side_data_list: [SideData]?
    }
    struct SideData: Decodable {
      var side_data_type, max_luminance: String?
      var max_content, max_average: Int?
    }
    struct Frame: Decodable { var side_data_list: [SideData]? }
    var streams: [Stream]?
    var frames: [Frame]?
  }

  private func probe(_ path: String, _ options: [String]) throws(FilmError) -> Report {
    let child = try Child(
      [tools.ffprobe, "-v", "error", "-select_streams", "v:0"] + options
        + ["-of", "json", "file:" + path], takesInput: false, givesOutput: true)
    let text = try child.text(limit: 1 << 20)
    try child.finish()
    do { return try JSONDecoder().decode(Report.self, from: Data(text)) } catch {
      throw FilmError(.encoderFailed, "what was written cannot be read back: \(error)")
    }
  }

  /// The number of frames in the file at `path`.
  func frames(_ path: String) throws(FilmError) -> Int {
    let report = try probe(path, ["-count_packets", "-show_streams"])
    return report.streams?.first?.nb_read_packets.flatMap { Int($0) } ?? 0
  }

  /// Throws where the film at `path` is not one of `frames` as it was asked for.
  func check(
    _ path: String, frames: Int, mastering: HDRMetadata.MasteringDisplay?, light: ContentLightCode?
  ) throws(FilmError) {
    let report = try probe(path, ["-count_packets", "-show_streams"])
    guard let stream = report.streams?.first else {
      throw FilmError(.encoderFailed, "the film that was written has no pictures")
    }
    let names = settings.names
    // What is decoded from ProRes 4444 is announced in 12 bits.
    let format = settings.codec == .proRes4444 ? "yuv444p12le" : settings.pixelFormat
    let decoded = stream.pix_fmt?.replacing("yuvj", with: "yuv") ?? ""
    var wanted: [(what: String, asked: String, found: String)] = [
      ("frames", "\(frames)", stream.nb_read_packets ?? ""),
      ("size", "\(size)", "\(PixelSize(width: stream.width ?? 0, height: stream.height ?? 0))"),
      ("sample entry", settings.codec.row.tag, stream.codec_tag_string ?? ""),
      ("pixel format", format, decoded),
      ("primaries", names.primaries, stream.color_primaries ?? ""),
      ("transfer", names.transfer, stream.color_transfer ?? ""),
      ("matrix", names.matrix, stream.color_space ?? ""),
      ("range", settings.isFullRange ? "pc" : "tv", stream.color_range ?? ""),
    ]
    if frames > 1 {
      let found = stream.avg_frame_rate.flatMap { FrameRate($0) }
      wanted.append(("rate", "\(rate)", found.map { "\($0)" } ?? ""))
    }
    if settings.codec == .hevc, settings.bits == 10, settings.chroma == .yuv420 {
      wanted.append(("profile", "Main 10", stream.profile ?? ""))
    }
    if let light {
      let boxes = stream.side_data_list ?? []
      wanted += Self.levels(boxes, light, in: "")
      wanted.append(
        (
          "mastering display", "1",
          "\(boxes.count { $0.side_data_type == "Mastering display metadata" })"
        ))
      if settings.codec.row.light != .boxesAlone {
        let first = try probe(path, ["-show_frames", "-read_intervals", "%+#1"])
        wanted += Self.levels(first.frames?.first?.side_data_list ?? [], light, in: " of frames")
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
    _ data: [Report.SideData], _ light: ContentLightCode, in place: String
  ) -> [(what: String, asked: String, found: String)] {
    let found = data.first { $0.max_content != nil }
    return [
      ("MaxCLL" + place, "\(light.maximum)", found?.max_content.map { "\($0)" } ?? ""),
      ("MaxFALL" + place, "\(light.average)", found?.max_average.map { "\($0)" } ?? ""),
    ]
  }
}
