import Foundation
import HDRRender
import ImageCore
import Synchronization

/// The frames of a movie, one after the other, as linear values: planes of the stream's own format
/// from ffmpeg, converted here. Not synchronized: for one thread.
///
/// Source: ITU-T H.273 (2021) equations 20–37 for range and matrix; PQ by ST 2084; HLG by BT.2100
/// for a display of 1000 cd/m²; SDR by sRGB's curve, as stills. Chroma is interpolated between its
/// samples, on the left in columns and as the film's own siting in rows.
final class MovieReader {
  let info: MovieInfo
  private let path: String
  private let tools: FilmTools
  private var child: Child?
  private var position = 0
  /// The first frame that is not there, and why not where that is a fault.
  private var end: (index: Int, failure: FilmError?)?
  private var bytes: [UInt8]
  private let conversion: MovieConversion

  init(path: String, _ info: MovieInfo, _ tools: FilmTools) {
    (self.path, self.info, self.tools) = (path, info, tools)
    bytes = [UInt8](repeating: 0, count: info.pixelFormat.bytes(info.size))
    conversion = MovieConversion(info)
  }

  /// Frame `index`, counted from 0; nil behind the last one. Frames are read in order: what lies
  /// before is decoded and dropped, and to go back is to start again.
  func frame(_ index: Int, workers: Int) throws -> Image<DisplayReferred>? {
    if let end, index >= end.index {
      if let failure = end.failure { throw failure }
      return nil
    }
    if child == nil || index < position {
      child = try start()
      position = 0
    }
    while position <= index {
      do throws(FilmError) {
        guard try read() else {
          (end, child) = ((position, nil), nil)
          return nil
        }
      } catch {
        (end, child) = ((position, error), nil)
        throw error
      }
      position += 1
    }
    return try conversion.image(bytes, workers: workers)
  }

  /// The number of frames, which are decoded for that where the file does not count them.
  func count() throws(FilmError) -> Int {
    if let frames = info.frames { return frames }
    child = try start()
    position = 0
    while try read() { position += 1 }
    child = nil
    return position
  }

  private func start() throws(FilmError) -> Child {
    try Child(
      [
        tools.ffmpeg, "-nostdin", "-v", "error", "-xerror", "-protocol_whitelist", "file,pipe",
        "-noautorotate", "-i", "file:" + path, "-map", "0:v:0", "-fps_mode", "passthrough",
        "-f", "rawvideo", "-pix_fmt", info.pixelFormat.name, "pipe:1",
      ], takesInput: false, givesOutput: true, memoryBytes: ProbeReport.memoryBytes)
  }

  /// Reads the next frame; false at the end.
  private func read() throws(FilmError) -> Bool {
    guard let child else { return false }
    var filled = 0
    while filled < bytes.count {
      let count: Int
      do { count = try child.read(into: &bytes, from: filled) } catch {
        throw FilmError(error.code, error.message, path: path)
      }
      if count == 0 {
        do { try child.finish() } catch {
          throw FilmError(
            .badInput, "frame \(position + 1) cannot be decoded: \(error.message)", path: path)
        }
        guard filled == 0 else {
          throw FilmError(.badInput, "frame \(position + 1) is incomplete", path: path)
        }
        return false
      }
      filled += count
    }
    return true
  }
}

/// Planes of code values to linear values.
struct MovieConversion: Sendable {
  private let info: MovieInfo
  private let table: [Float]
  private static let steps = 4096

  init(_ info: MovieInfo) {
    self.info = info
    table = (0...Self.steps + 1).map { step in
      let signal = min(Double(step) / Double(Self.steps), 1)
      return switch info.transfer {
      case .pq: Float(PQ.nits(signal: signal) / ReferenceWhite.nits)
      case .hlg: Float(HLG.scene(signal: signal))
      case .standard: Float(SRGB.linear(signal: signal))
      }
    }
  }

  /// The frame whose planes are `bytes`.
  func image(_ bytes: [UInt8], workers: Int) throws(PixelError) -> Image<DisplayReferred> {
    let display = DisplayReferred.Info(
      primaries: info.primaries, headroom: max(Float(info.headroom), transferPeak))
    return try Image(size: info.size, info: display) { buffer throws(PixelError) in
      try Parallel.forEach(count: info.size.height, workers: workers) { y, _ in
        unsafe bytes.withUnsafeBytes { unsafe convert($0, y, buffer.rows(y)) }
      }
    }
  }

  /// The largest value that a code can mean.
  private var transferPeak: Float {
    switch info.transfer {
    case .pq: ReferenceWhite.pqHeadroom
    case .hlg: ReferenceWhite.hlgHeadroom
    case .standard: 1
    }
  }

  private func convert(_ bytes: UnsafeRawBufferPointer, _ y: Int, _ rows: RGBRows) {
    let (format, size) = (info.pixelFormat, info.size)
    let wide = format.bits > 8
    let chroma = format.chromaSize(size)
    func code(_ plane: Int, _ x: Int, _ y: Int) -> Float {
      let width = plane == 0 ? size.width : chroma.width
      let start = plane == 0 ? 0 : size.area + (plane - 1) * chroma.area
      let at = start + y * width + x
      return unsafe wide
        ? Float(bytes.loadUnaligned(fromByteOffset: 2 * at, as: UInt16.self)) : Float(bytes[at])
    }
    let step = Float(1 << (format.bits - 8))
    let top = Float((1 << format.bits) - 1)
    let lumaScale = info.isFullRange ? 1 / top : 1 / (219 * step)
    let chromaScale = info.isFullRange ? 1 / top : 1 / (224 * step)
    let (offset, middle) = (info.isFullRange ? 0 : 16 * step, 128 * step)
    let weights: (red: Float, blue: Float) =
      switch info.matrix {
      case .bt2020: (0.2627, 0.0593)
      case .bt601: (0.299, 0.114)
      case .bt709, .rgb: (0.2126, 0.0722)
      }
    let green = 1 - weights.red - weights.blue
    let (toRed, toBlue) = (2 * (1 - weights.red), 2 * (1 - weights.blue))
    let (shiftX, shiftY) = format.chroma ?? (0, 0)
    let isTop = info.transfer != .standard
    for x in 0..<size.width {
      let luma = (code(0, x, y) - offset) * lumaScale
      var rgb = SIMD3<Float>(repeating: luma)
      if format.isRGB {
        rgb = SIMD3(
          (code(2, x, y) - offset) * lumaScale, luma, (code(1, x, y) - offset) * lumaScale)
      } else if format.chroma != nil {
        // Between two columns and rows where a sample lies at every second.
        let (x0, x1) = (x >> shiftX, min((x + shiftX) >> shiftX, chroma.width - 1))
        func sample(_ plane: Int, _ row: Int) -> Float {
          let row = min(max(row, 0), chroma.height - 1)
          return x0 == x1
            ? code(plane, x0, row) : 0.5 * (code(plane, x0, row) + code(plane, x1, row))
        }
        func value(_ plane: Int) -> Float {
          if shiftY == 0 { return (sample(plane, y) - middle) * chromaScale }
          let own = y >> 1
          let mixed: Float
          if isTop {
            mixed =
              y % 2 == 0 ? sample(plane, own) : 0.5 * (sample(plane, own) + sample(plane, own + 1))
          } else {
            mixed = 0.75 * sample(plane, own) + 0.25 * sample(plane, y % 2 == 0 ? own - 1 : own + 1)
          }
          return (mixed - middle) * chromaScale
        }
        let (cb, cr) = (value(1), value(2))
        rgb = SIMD3(
          luma + toRed * cr,
          luma - (weights.blue * toBlue * cb + weights.red * toRed * cr) / green,
          luma + toBlue * cb)
      }
      rows.red[x] = linear(rgb.x)
      rows.green[x] = linear(rgb.y)
      rows.blue[x] = linear(rgb.z)
    }
    if info.transfer == .hlg { show(rows) }
  }

  private func linear(_ signal: Float) -> Float {
    let index = min(max(signal, 0), 1) * Float(Self.steps)
    let at = Int(index)
    return table[at] + (table[at + 1] - table[at]) * (index - Float(at))
  }

  /// The OOTF of HLG.
  private func show(_ rows: RGBRows) {
    let weights = SIMD3<Float>(info.primaries.luminance)
    for x in 0..<rows.count {
      let rgb = SIMD3(rows.red[x], rows.green[x], rows.blue[x])
      let gain = pow(max((rgb * weights).sum(), 1e-20), 0.2) * ReferenceWhite.hlgHeadroom
      rows.red[x] = rgb.x * gain
      rows.green[x] = rgb.y * gain
      rows.blue[x] = rgb.z * gain
    }
  }
}
