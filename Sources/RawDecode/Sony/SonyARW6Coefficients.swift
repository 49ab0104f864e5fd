import Containers
import ImageCore

/// Decodes the coefficients of one component in one region of a tile of Sony's ARW 6.
///
/// A row is coded in groups of four. Each group has a number of bits, 0 at the start of a row,
/// which is updated before the first group and within each: bit 0 keeps it; 10 and a run of zeros
/// adds the length of the run and 1; 11 and a run subtracts them, and the bit after the run is
/// omitted if that results in 0. A group of n bits has four magnitudes of n bits, the update for
/// the next group unless it is the last, and a sign for each nonzero magnitude. If n is 0, the
/// number of zero groups follows, an Elias gamma code whose run of zeros ends early if it is long
/// enough for the rest of the row (empty for one group), and, unless the row ends with them, a run
/// of zeros, one less than the bits of the next group.
///
/// A magnitude m shifted by q bits is ((2 m + 1) << (q − 1)) − (m & 1), except that 0 stays 0.
///
/// Damage is a truncated chunk, more bits than coefficients have, or a run beyond the row.
struct SonyARW6Coefficients {
  /// Maximum number of bits of a coefficient.
  private static let maxBits = 16

  let region: SonyARW6Geometry.Region
  let component: SonyARW6Header.Component

  /// The bands in stream order; nil if damaged. Rows without data in the file are 0.
  func bands(_ file: FileBytes) throws(PixelError) -> [SubbandPlane<Int16>]? {
    var planes: [SubbandPlane<Int16>] = []
    for band in region.bands {
      planes.append(
        try SubbandPlane(PixelSize(width: region.width, height: band.rows.count)))
    }
    let line = RowMemory<Int16>(count: (region.width + 3) / 4 * 4)
    for (index, chunk) in component.chunks.enumerated() where chunk.bytes > 0 {
      guard !file.clock.isOver, let view = file.view(chunk.offset, chunk.bytes),
        var bits = HighBits(view)
      else { return nil }
      for (number, band) in region.bands.enumerated() {
        for row in band.rows(ofChunk: index) {
          let shift = Int(chunk.shifts[number])
          guard Self.read(&bits, shift: shift, into: line.row) else { return nil }
          planes[number].row(row - band.rows.lowerBound)
            .update(from: line.row, count: region.width)
        }
      }
      guard !bits.isPastEnd else { return nil }
    }
    return planes
  }

  /// Reads a row, whose length is a multiple of four. False if it is damaged.
  static func read(
    _ source: inout HighBits, shift: Int, into row: SampleRow<Int16>
  ) -> Bool {
    // A local reader stays in registers.
    var bits = source
    defer { source = bits }
    let groups = row.count / 4
    var length = changed(0, &bits)
    var group = 0
    while group < groups {
      guard length > 0 else {
        let run = length < 0 ? nil : zeroGroups(groups - group, &bits)
        guard let run else { return false }
        row.from(4 * group).update(repeating: 0, count: 4 * run)
        group += run
        if group < groups { length = 1 + bits.zeros(atMost: maxBits) }
        continue
      }
      guard length <= maxBits else { return false }
      // Numbers of up to 14 bits are read at once.
      var magnitudes = SIMD4<Int32>()
      if length <= 14 {
        let word = bits.bits(4 * length)
        let mask = (UInt64(1) &<< UInt64(length)) &- 1
        for i in 0..<4 {
          magnitudes[i] = Int32(
            truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: (3 &- i) &* length) & mask)
        }
      } else {
        for i in 0..<4 { magnitudes[i] = Int32(truncatingIfNeeded: bits.bits(length)) }
      }
      let next = group + 1 < groups ? changed(length, &bits) : length
      let count = Int(SIMD4<Int32>.one.replacing(with: 0, where: magnitudes .== 0).wrappedSum())
      var signs = bits.bits(count) &<< UInt64(truncatingIfNeeded: 64 &- max(count, 1))
      let values = shift == 0 ? magnitudes : restored(magnitudes, shift)
      for i in 0..<4 {
        guard magnitudes[i] != 0 else {
          row[4 &* group &+ i] = 0
          continue
        }
        let value = signs &>> 63 == 0 ? values[i] : 0 &- values[i]
        signs = signs &<< 1
        row[4 &* group &+ i] = Int16(truncatingIfNeeded: value)
      }
      length = next
      group += 1
    }
    return true
  }

  /// The number of bits after `length`, updated as stored; out of range for an invalid update.
  @inline(__always)
  private static func changed(_ length: Int, _ bits: inout HighBits) -> Int {
    guard bits.bits(1) == 1 else { return length }
    guard bits.bits(1) == 1 else { return length &+ 1 &+ bits.zeros(atMost: maxBits) }
    return length == 0 ? -1 : length &- 1 &- bits.zeros(atMost: length &- 1)
  }

  /// The number of zero groups among the `remaining` ones; nil if it is too large.
  private static func zeroGroups(_ remaining: Int, _ bits: inout HighBits) -> Int? {
    guard remaining > 1 else { return remaining }
    let enough = Int.bitWidth - (remaining - 1).leadingZeroBitCount
    let exponent = bits.zeros(atMost: enough)
    guard 1 << exponent < remaining else { return remaining }
    let run = 1 << exponent + Int(bits.bits(exponent))
    return run <= remaining ? run : nil
  }

  /// `magnitudes` at the center of the interval given by a shift of `shift` bits.
  @inline(__always)
  private static func restored(_ magnitudes: SIMD4<Int32>, _ shift: Int) -> SIMD4<Int32> {
    let middle = (magnitudes &<< 1 | 1) &<< Int32(truncatingIfNeeded: shift &- 1)
    return middle &- magnitudes & 1
  }
}
