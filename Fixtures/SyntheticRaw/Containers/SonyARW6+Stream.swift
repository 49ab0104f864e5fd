import ImageCore

extension SonyARW6 {
  /// The bytes of what region `region` has of `plane`, whose coefficients become those that a
  /// reader gets.
  func component(_ plane: inout Plane, region: Int) -> [UInt8] {
    let step = [8, 8, 4, 2, 1][region]
    let isWavelet = (1...3).contains(region)
    // Where the coefficients of a band are odd: columns, rows.
    let bands = isWavelet ? [(1, 0), (0, 1), (1, 1)] : [(0, 0)]
    let half = isWavelet ? step / 2 : step
    var table = BitSink()
    var data: [UInt8] = []
    let chunks = (plane.rows.upperBound - 4 + 7) / 8
    for chunk in 0..<chunks {
      var sink = BitSink()
      let shifts = bands.indices.map { max(options.shifts[region] + (chunk + $0) % 3 - 1, 0) }
        .map { options.shifts[region] == 0 ? 0 : $0 }
      for (band, shift) in zip(bands, shifts) {
        let own = (4 + 8 * chunk..<12 + 8 * chunk).clamped(to: plane.rows)
        for y in own where y % half == 0 && (!isWavelet || y / half % 2 == band.1) {
          let columns = Array(stride(from: band.0 * half, to: plane.width, by: step))
          var magnitudes: [Int] = []
          var last = 0
          for x in columns {
            let value = region == 0 ? plane[x, y] - last : plane[x, y]
            let stored = value.signum() * (abs(value) >> shift)
            magnitudes.append(stored)
            plane[x, y] = (region == 0 ? last : 0) + Self.restored(stored, shift)
            last = plane[x, y]
          }
          Self.put(magnitudes, to: &sink)
        }
      }
      sink.finish()
      // A chunk of zeros alone may have no bytes.
      let isEmpty = chunk % 2 == 1 && sink.bytes.allSatisfy { $0 == 0 }
      table.put(UInt32(isEmpty ? 0 : sink.bytes.count), 16)
      for shift in shifts { table.put(UInt32(shift), 4) }
      data += isEmpty ? [] : sink.bytes
    }
    table.finish()
    let tableBytes = Self.padded(table.bytes)
    let dataBytes = Self.padded(data)
    var head = ByteStream(order: .big)
    head.append(UInt16(tableBytes.count / 16))
    head.bytes += Self.blocks(dataBytes)
    head.bytes += [0x40, UInt8(bands.count << 6)]
    head.append(UInt16(chunks))
    head.append(UInt8(0x10))
    return Self.padded(head.bytes) + tableBytes + dataBytes
  }

  /// The headers of a tile of `size`, and its `parts`, by region and component.
  func tile(_ size: PixelSize, _ parts: [[[UInt8]]], number: Int) -> [UInt8] {
    var head = ByteStream(order: .big)
    head.bytes += Array("A000".utf8)
    head.append(UInt32(number))
    head.append(UInt16(size.width))
    head.append(UInt16(size.height / 2))
    // Bits, components, mode, and what else was seen.
    let fields: [(UInt32, UInt32)] = [(15, 26), (16, 20), (3, 13), (3, 10), (512, 0)]
    head.append(fields.reduce(UInt32(0)) { $0 | $1.0 << $1.1 })
    for part in parts { head.bytes += Self.blocks(part.flatMap { $0 }) }
    head.bytes = Self.padded(head.bytes) + [UInt8](repeating: 0, count: 48 - 32)
    for part in parts {
      head.bytes += Self.padded([UInt8(part.count)] + part.flatMap { Self.blocks($0) })
    }
    return head.bytes + parts.flatMap { $0.flatMap { $0 } }
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
  }

  /// The number of blocks of 16 bytes, in 24 bits.
  private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
    let count = bytes.count / 16
    return [count >> 16, count >> 8, count].map { UInt8(truncatingIfNeeded: $0) }
  }

  /// What a reader makes of a number that lost bits.
  private static func restored(_ stored: Int, _ shift: Int) -> Int {
    guard stored != 0, shift > 0 else { return stored }
    let magnitude = (2 * abs(stored) + 1) << (shift - 1) - abs(stored) & 1
    return stored.signum() * magnitude
  }

  /// Writes one row of coefficients.
  private static func put(_ row: [Int], to sink: inout BitSink) {
    let groups = stride(from: 0, to: row.count, by: 4).map { start in
      (0..<4).map { start + $0 < row.count ? row[start + $0] : 0 }
    }
    let widths = groups.map { group in
      Int.bitWidth - (group.map(abs).max() ?? 0).leadingZeroBitCount
    }
    change(from: 0, to: widths[0], &sink)
    var index = 0
    while index < groups.count {
      guard widths[index] == 0 else {
        for value in groups[index] { sink.put(UInt32(abs(value)), UInt32(widths[index])) }
        if index + 1 < groups.count { change(from: widths[index], to: widths[index + 1], &sink) }
        for value in groups[index] where value != 0 { sink.put(value < 0 ? 1 : 0, 1) }
        index += 1
        continue
      }
      let left = groups.count - index
      let run = widths[index...].prefix { $0 == 0 }.count
      index += run
      if run == left {
        // Zeros until they reach the end of the row.
        var count = 1
        while count < left {
          sink.put(0, 1)
          count *= 2
        }
        continue
      }
      let exponent = Int.bitWidth - 1 - run.leadingZeroBitCount
      sink.putZeros(exponent)
      sink.put(UInt32(run - 1 << exponent), UInt32(exponent))
      sink.putZeros(widths[index] - 1)
    }
  }

  private static func change(from old: Int, to new: Int, _ sink: inout BitSink) {
    switch new - old {
    case 0: sink.put(0, 1)
    case let more where more > 0:
      sink.put(0b10, 2)
      sink.putZeros(more - 1)
    case let less:
      sink.put(0b11, 2)
      for _ in 1..<max(-less, 1) { sink.put(0, 1) }
      if new > 0 { sink.put(1, 1) }
    }
  }
}
