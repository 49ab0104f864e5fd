import Containers
import Foundation
import ImageCore

/// Arrays of NumPy (NEP 1, versions 1 to 3) as `ArrayWriter` writes them: little-endian floats of
/// 16, 32 or 64 bits in C order, rows × columns, or × 1 or 3, as linear BT.2020 values with 1.0 at
/// reference white, the writer's default.
struct NPYStill: StillContainer {
  /// The first bytes.
  static let signature: [UInt8] = [0x93] + Array("NUMPY".utf8)

  let info: StillInfo
  private let file: FileBytes
  private let policy: ReadPolicy
  private let start: Int
  private let bytes: Int

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    func refuse(_ what: String) -> ReadError {
      ReadError(
        .unsupported,
        "\(what); save rows × columns × 3 as float32 in C order, such as numpy.ascontiguousarray",
        path: file.path)
    }
    let isShort = file.integer(UInt8.self, at: 6, bigEndian: false) == 1
    let count =
      isShort
      ? file.integer(UInt16.self, at: 8, bigEndian: false).map(Int.init)
      : file.integer(UInt32.self, at: 8, bigEndian: false).map(Int.init)
    let first = isShort ? 10 : 12
    guard let count, count < 1 << 16, let header = file.bytes(first, count) else {
      throw ReadError(.damaged, "its header is damaged; copy it again", path: file.path)
    }
    let text = String(decoding: header, as: UTF8.self)
    func value(_ key: String) -> Substring? {
      text.range(of: "'\(key)':").map { text[$0.upperBound...].drop { $0 == " " } }
    }
    guard let type = value("descr")?.split(separator: "'").first,
      let order = value("fortran_order"),
      let shape = value("shape")?.dropFirst().prefix(while: { $0 != ")" })
    else { throw ReadError(.damaged, "its header is damaged; copy it again", path: file.path) }
    let sides = shape.split(separator: ",").map {
      Int($0.filter { !$0.isWhitespace }) ?? -1
    }
    let channels = sides.count == 3 ? sides[2] : 1
    guard order.hasPrefix("False") else { throw refuse("its array is in Fortran order") }
    guard ["<f2", "<f4", "<f8"].contains(type) else { throw refuse("its dtype is \(type)") }
    guard [2, 3].contains(sides.count), channels == 1 || channels == 3,
      sides.allSatisfy({ (1...PixelSize.largestSide).contains($0) })
    else { throw refuse("its shape is not rows × columns × channels") }
    (self.file, self.policy, start) = (file, policy, first + count)
    bytes = type == "<f2" ? 2 : type == "<f4" ? 4 : 8
    var info = StillInfo(
      storedSize: PixelSize(width: sides[1], height: sides[0]), bitDepth: 8 * bytes,
      channels: channels,
      color: ColorDescription(
        primaries: .bt2020, transfer: .linear, origin: .assumed, name: "linear BT.2020 (assumed)"))
    info.isFloat = true
    info.notes = ["an array declares no color space; linear BT.2020 is assumed"]
    self.info = info
  }

  func picture() throws(ReadError) -> DecodedSamples {
    let (size, channels) = (info.storedSize, info.channels)
    let format: DecodedSamples.Format = bytes == 2 ? .halves : .floats
    try file.limits.allow(size, channels: channels, format, file: file, ratio: 1)
    let rowBytes = size.width * channels * bytes
    let rows = min(max(file.count - start, 0) / rowBytes, size.height)
    guard rows == size.height || rows > 0 && policy.reads(.npyRow) else {
      throw ReadError(.damaged, "the file is truncated; copy it again", path: file.path)
    }
    return try DecodedSamples(size: size, channels: channels, format: format) {
      picture throws(ReadError) in
      if rows < size.height {
        picture.clear()
        picture.add(note: StillInfo.partNote(rows: rows, of: size))
      }
      for y in 0..<rows {
        if y % 64 == 0 {
          try ReadError.translating { () throws(FormatError) in try file.checkReading() }
        }
        let row = unsafe picture.row(y)
        guard let all = unsafe file.buffer.baseAddress else { return }
        let source = unsafe all + start + y * rowBytes
        guard bytes == 8 else {
          unsafe row.copyMemory(from: source, byteCount: rowBytes)
          continue
        }
        let floats = unsafe row.assumingMemoryBound(to: Float.self)
        for i in 0..<size.width * channels {
          unsafe floats[i] = Float(source.loadUnaligned(fromByteOffset: 8 * i, as: Double.self))
        }
      }
    }
  }
}
