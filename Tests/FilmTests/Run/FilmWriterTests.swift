import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Film

/// Films of a few small frames, read back by ffprobe. Need ffmpeg.
@Suite(.enabled(if: (try? FilmTools()) != nil)) struct FilmWriterTests {
  private static let size = PixelSize(width: 96, height: 64)

  private func picture(_ level: Float) -> any PixelSource<DisplayReferred> {
    EditScene.flat(SIMD3(level, level * 0.8, level * 0.5), Self.size.width, Self.size.height)
  }

  private func write(_ settings: FilmSettings, frames: Int = 5, to path: String) throws
    -> FilmReport
  {
    let film = try FilmWriter(
      settings, size: Self.size, rate: .usual, to: .file(URL(fileURLWithPath: path)))
    for frame in 0..<frames {
      let source = picture(0.2 + 0.1 * Float(frame))
      film.append(image: source, in: settings.primaries)
    }
    return try film.finish()
  }

  @Test("Every codec writes a film that is what was asked for", arguments: FilmCodec.allCases)
  func codecs(_ codec: FilmCodec) throws {
    guard try FilmTools().has(codec), let container = codec.row.containers.first else { return }
    let files = try TestFolder()
    for format in FilmFormat.allCases where format == .sdr || !codec.row.hdrBits.isEmpty {
      let path = files.file("\(format.rawValue).\(container.rawValue)")
      let report = try write(try FilmSettings(codec, in: container, format), to: path)
      #expect(report.frames == 5 && report.bytes > 0)
      #expect((report.maxCLL != nil) == (format == .pq))
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(files.names.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("Frames that are coded already survive lossless HEVC bit for bit")
  func packed() throws {
    let files = try TestFolder()
    let path = files.file("a.mov")
    let settings = try FilmSettings(.hevc, in: .mov, .pq, coding: .quality(1))
    let film = try FilmWriter(
      settings, size: Self.size, rate: .usual, to: .file(URL(fileURLWithPath: path)))
    let frames = (0..<3).map { frame in
      (0..<film.frameBytes / 2).flatMap { index -> [UInt8] in
        let code = 64 + (index * 7 + frame * 31) % 800
        return [UInt8(code & 255), UInt8(code >> 8)]
      }
    }
    for frame in frames { try film.append(packed: frame) }
    #expect(throws: FilmError.self) { try film.append(packed: [1, 2, 3]) }
    _ = try film.finish()
    let tools = try FilmTools()
    let child = try Child(
      [
        tools.ffmpeg, "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p10le",
        "pipe:1",
      ], takesInput: false, givesOutput: true)
    #expect(try child.text(limit: 1 << 24) == frames.flatMap { $0 })
  }

  @Test("A film that is cancelled, or has no frame, leaves nothing")
  func cancelled() throws {
    let files = try TestFolder()
    let settings = try FilmSettings(.hevc, in: .mov, .hlg)
    let url = URL(fileURLWithPath: files.file("a.mov"))
    let film = try FilmWriter(settings, size: Self.size, rate: .usual, to: .file(url))
    film.append(image: picture(0.5), in: settings.primaries)
    film.cancel()
    let empty = try FilmWriter(settings, size: Self.size, rate: .usual, to: .file(url))
    #expect(throws: FilmError.self) { try empty.finish() }
    empty.cancel()
    #expect(files.names.isEmpty)
  }
}

extension FilmWriter {
  /// Adds a picture whose values mean what they do in other primaries.
  fileprivate func append(image: any PixelSource<DisplayReferred>, in primaries: Primaries) {
    let own = Relabelled(source: image, primaries: primaries)
    do { try append(own) } catch { Issue.record(error) }
  }
}

/// The same values in other primaries.
private struct Relabelled: PixelSource {
  typealias State = DisplayReferred
  let source: any PixelSource<DisplayReferred>
  let primaries: Primaries

  var size: PixelSize { source.size }
  var info: DisplayReferred.Info {
    DisplayReferred.Info(primaries: primaries, headroom: source.info.headroom)
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
  }
}
