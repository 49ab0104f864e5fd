import CEXR
package import Containers
package import ImageCore

/// The owner of one context of OpenEXR's C core that reads a file in memory: the first part that is
/// a flat picture, of scan lines or tiles, at its full size, in any compression that the installed
/// core knows, and in DWA by ``DWAUnpacker``. Nothing is printed: messages go to the context's
/// channel, which keeps the first.
@safe package final class EXRDecoder: @unchecked Sendable {
  /// What a sample is.
  package enum Sample: Sendable, Hashable {
    case half, float
    /// Integers of 32 bits.
    case integer

    /// Bytes of one.
    package var bytes: Int { self == .half ? 2 : 4 }
  }

  /// One channel.
  package struct Channel: Sendable, Hashable {
    package let name: String
    package let sample: Sample
    /// Pixels from one sample to the next.
    package let stepX, stepY: Int
    /// Whether its values are coded without a curve.
    let isLinear: Bool
  }

  /// Samples of one channel in a part of the picture.
  @unsafe package struct Block {
    /// Index in the channels that were asked for.
    package let channel: Int
    package let sample: Sample
    /// The samples, row by row, in steps of the channel from the first pixel of the window on.
    package let rect: PixelRect
    package let samples: UnsafeRawPointer

    /// The sample in that column and row of ``rect``.
    package func value(_ x: Int, _ y: Int) -> Float {
      let at = unsafe (y * rect.width + x) * sample.bytes
      switch unsafe sample {
      case .half:
        return unsafe Float(anyHalf: samples.loadUnaligned(fromByteOffset: at, as: UInt16.self))
      case .float: return unsafe samples.loadUnaligned(fromByteOffset: at, as: Float.self)
      case .integer:
        return unsafe Float(samples.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      }
    }
  }

  /// The picture, and the part of it of which there are pixels.
  package let displayWindow: PixelRect
  package let dataWindow: PixelRect
  package let channels: [Channel]
  /// x and y of red, green, blue and white.
  package let chromaticities: [Double]?
  /// Width of a pixel by its height.
  package let pixelAspect: Double
  /// Number of parts in the file.
  package let parts: Int
  /// Maximum pixels that are coded together.
  package let chunkSize: PixelSize
  /// Number of chunks.
  package let chunkCount: Int
  private let isTiled: Bool
  private let isDWA: Bool

  private let file: FileBytes
  private let channel: UnsafeMutablePointer<cexr_channel>
  private let picture: UnsafeMutablePointer<cexr_picture>
  private var context: OpaquePointer?

  /// Reads the header of `file`. Throws where it is damaged, and for deep data.
  package init(_ file: FileBytes) throws(FormatError) {
    self.file = file
    let channel = UnsafeMutablePointer<cexr_channel>.allocate(capacity: 1)
    unsafe channel.initialize(to: cexr_channel())
    unsafe channel.pointee.bytes = file.buffer.bindMemory(to: UInt8.self).baseAddress
    unsafe channel.pointee.count = UInt64(file.count)
    var context: OpaquePointer?
    let picture = UnsafeMutablePointer<cexr_picture>.allocate(capacity: 1)
    unsafe picture.initialize(to: cexr_picture())
    var result = unsafe cexr_open(&context, channel, Int32(clamping: PixelSize.largestSide))
    let isOpen = result == 0
    if isOpen { result = unsafe cexr_describe(context, picture) }
    unsafe self.channel = channel
    unsafe self.context = context
    unsafe self.picture = picture
    let found = unsafe picture.pointee
    func rect(_ box: exr_attr_box2i_t) -> PixelRect {
      let (x, y) = (Int(box.min.x), Int(box.min.y))
      return PixelRect(
        x: x, y: y, width: max(Int(box.max.x) - x + 1, 0), height: max(Int(box.max.y) - y + 1, 0))
    }
    displayWindow = unsafe rect(found.display)
    dataWindow = unsafe rect(found.data)
    parts = unsafe Int(found.parts)
    chunkCount = unsafe Int(found.chunks)
    pixelAspect = unsafe Double(found.aspect)
    let tile = unsafe PixelSize(width: Int(found.tile_width), height: Int(found.tile_height))
    let lines = unsafe PixelSize(width: dataWindow.width, height: Int(found.lines_per_chunk))
    isTiled = unsafe found.is_tiled != 0
    isDWA = unsafe [EXR_COMPRESSION_DWAA, EXR_COMPRESSION_DWAB].contains(found.compression)
    chunkSize = isTiled ? tile : lines
    let c = unsafe found.chromaticities
    let points = [c.red_x, c.red_y, c.green_x, c.green_y, c.blue_x, c.blue_y, c.white_x, c.white_y]
    chromaticities = unsafe found.has_chromaticities == 0 ? nil : points.map(Double.init)
    var channels: [Channel] = []
    if result == 0, let list = unsafe found.channels {
      for index in 0..<Int(unsafe list.pointee.num_channels) {
        let entry = unsafe list.pointee.entries[index]
        let sample: Sample =
          switch unsafe entry.pixel_type {
          case EXR_PIXEL_HALF: .half
          case EXR_PIXEL_FLOAT: .float
          default: .integer
          }
        channels.append(
          Channel(
            name: unsafe String(cString: entry.name.str), sample: sample,
            stepX: unsafe max(Int(entry.x_sampling), 1),
            stepY: unsafe max(Int(entry.y_sampling), 1), isLinear: unsafe entry.p_linear != 0))
      }
    }
    self.channels = channels
    let isB44 = unsafe [EXR_COMPRESSION_B44, EXR_COMPRESSION_B44A].contains(found.compression)
    if isB44, channels.contains(where: { $0.sample != .half }) {
      // Version 3.1 of the core mixes up the lines of such channels, which B44 does not compress.
      throw FormatError(
        .unsupported,
        "its compression B44 is not read for other channels than half; save it in ZIP",
        path: file.path)
    }
    let longest = max(chunkSize.width, chunkSize.height)
    guard result == 0, longest <= PixelSize.largestSide else {
      let isDeep = isOpen && result == Int32(EXR_ERR_INVALID_ARGUMENT.rawValue)
      throw isDeep
        ? FormatError(
          .unsupported, "this OpenEXR has only deep data; flatten it in the program that made it",
          path: file.path) : refusal("its header is damaged")
    }
  }

  deinit {
    if unsafe context != nil { unsafe exr_finish(&context) }
    unsafe channel.deallocate()
    unsafe picture.deallocate()
  }

  private func refusal(_ what: String) -> FormatError {
    let message = unsafe withUnsafeBytes(of: channel.pointee.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let said = message.isEmpty ? "" : " (OpenEXR: \(message))"
    return FormatError(.damaged, "\(what)\(said); copy it again", path: file.path)
  }

  /// Maximum bytes of an uncompressed chunk.
  package var chunkBytes: Int {
    channels.reduce(0) { sum, channel in
      let (width, height) = (
        (chunkSize.width - 1) / channel.stepX + 1, (chunkSize.height - 1) / channel.stepY + 1
      )
      return sum + width * height * channel.sample.bytes
    }
  }

  /// The samples of channel `number` in the chunk of that column and row of chunks.
  private func rect(_ number: Int, _ across: Int, _ down: Int) -> PixelRect {
    let (channel, window) = (channels[number], dataWindow)
    let (x, y) = (across * chunkSize.width, down * chunkSize.height)
    func count(_ start: Int, _ length: Int, _ total: Int, _ step: Int) -> Int {
      // Samples are at multiples of the step.
      let end = min(start + length, total)
      return (end + step - 1) / step - (start + step - 1) / step
    }
    return PixelRect(
      x: (x + channel.stepX - 1) / channel.stepX, y: (y + channel.stepY - 1) / channel.stepY,
      width: count(x, chunkSize.width, window.width, channel.stepX),
      height: count(y, chunkSize.height, window.height, channel.stepY))
  }

  /// Decodes the channels with these indices, which must rise, as far as their chunks touch `rows`
  /// of the data window, and hands out each of a chunk. Not to be called on two threads at once.
  /// Where it `skipsDamage`, a damaged chunk is passed over, but not all of them. Returns how many
  /// were, and of how many.
  package func read(
    _ wanted: [Int], rows: Range<Int>, skipsDamage: Bool = false, _ take: (Block) -> Void
  ) throws(FormatError) -> (damaged: Int, count: Int) {
    var (damaged, count) = (0, 0)
    var failure: FormatError?
    func skip(_ error: FormatError) throws(FormatError) {
      guard skipsDamage, error.code == .damaged else { throw error }
      damaged += 1
      failure = failure ?? error
    }
    var decompressor = unsafe cexr_decompressor()
    defer { unsafe cexr_end_decompressor(context, &decompressor) }
    let capacity = chunkBytes
    let samples = UnsafeMutablePointer<UInt8>.allocate(capacity: max(capacity, 1))
    defer { unsafe samples.deallocate() }
    let mask = wanted.reduce(UInt64(0)) { $1 < 64 ? $0 | 1 << UInt64($1) : $0 }
    let window = dataWindow
    let columns = (window.width - 1) / max(chunkSize.width, 1) + 1
    let first = (rows.lowerBound - window.y) / chunkSize.height
    for down in first..<max((rows.upperBound - window.y - 1) / chunkSize.height + 1, first) {
      for across in 0..<columns {
        try file.checkReading()
        count += 1
        let row = isTiled ? down : window.y + down * chunkSize.height
        func hand(_ index: Int, _ number: Int, _ samples: UnsafeRawPointer) {
          unsafe take(
            Block(
              channel: index, sample: channels[number].sample, rect: rect(number, across, down),
              samples: samples))
        }
        if isDWA {
          let planes = planes(across, down)
          let samples: [UInt8]
          do throws(FormatError) { samples = try unpacked(planes, across, row) } catch {
            try skip(error)
            continue
          }
          unsafe samples.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for (index, number) in wanted.enumerated() {
              unsafe hand(index, number, start + planes[number].start)
            }
          }
          continue
        }
        let result = unsafe cexr_decode(
          context, &decompressor, picture, Int32(clamping: across), Int32(clamping: row), mask,
          samples, UInt64(capacity))
        guard result == 0 else {
          try skip(refusal("its pixels are damaged"))
          // What a failure leaves in it is for no other chunk.
          unsafe cexr_end_decompressor(context, &decompressor)
          continue
        }
        var offset = 0
        for (index, number) in wanted.enumerated() {
          unsafe hand(index, number, UnsafeRawPointer(samples + offset))
          let rect = rect(number, across, down)
          offset += rect.width * rect.height * channels[number].sample.bytes
        }
      }
    }
    if let failure, damaged == count { throw failure }
    return (damaged, count)
  }

  /// All channels of a chunk, one after the other.
  private func planes(_ across: Int, _ down: Int) -> [DWAUnpacker.Plane] {
    var start = 0
    return channels.enumerated().map { number, channel in
      let rect = rect(number, across, down)
      let plane = DWAUnpacker.Plane(
        name: channel.name, sample: channel.sample, isLinear: channel.isLinear,
        stepY: channel.stepY, width: rect.width, height: rect.height, start: start)
      start += plane.byteCount
      return plane
    }
  }

  private func unpacked(
    _ planes: [DWAUnpacker.Plane], _ across: Int, _ row: Int
  ) throws(FormatError) -> [UInt8] {
    let capacity = chunkBytes
    var result = Int32(0)
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      var stored: UInt64 = 0
      result = unsafe cexr_read_packed(
        context, picture, Int32(clamping: across), Int32(clamping: row), target.baseAddress,
        UInt64(capacity), &stored)
      count = result == 0 ? Int(stored) : 0
    }
    guard result == 0 else { throw refusal("its pixels are damaged") }
    do { return try DWAUnpacker.unpack(chunk, planes) } catch {
      guard error.isOtherVersion else { throw refusal("its pixels are damaged") }
      throw FormatError(
        .unsupported, "its DWA compression is of a version before 2; save it in ZIP or PIZ",
        path: file.path)
    }
  }
}
