import ImageCore

/// Olympus's lossless compression of 12 bits: from left, above and above left of the same color,
/// two columns and rows away, a prediction that follows the smaller gradient, or their plane where
/// both go the same way. The difference is its sign, its two lowest bits and a Golomb code of the
/// rest, whose length and offset adapt to the last differences of the same column parity.
///
/// The data begin with 7 bytes that older readers pass over: a version, 1, of five bytes, and two
/// zeros.
///
/// Source: published analyses (dcraw's and rawspeed's decoders), whose states are followed here
/// from the other side.
struct OlympusCompression {
  let bytes: [UInt8]

  /// What adapts: the last magnitude, the mean, and how many small ones came in a row.
  private struct State {
    var last = 0
    var mean = 0
    var small = 0
  }

  init(_ raw: CameraContainer) {
    var sink = BitSink()
    for y in 0..<raw.size.height {
      var states = [State(), State()]
      for x in 0..<raw.size.width {
        let difference =
          Int(raw.samples[y * raw.size.width + x]) - Self.prediction(raw, x, y)
        Self.put(difference, &states[x & 1], to: &sink)
      }
    }
    sink.finish()
    // A reader looks ahead.
    bytes = [0, 0, 0, 0, 1, 0, 0] + sink.bytes + [UInt8](repeating: 0, count: 9)
  }

  private static func put(_ difference: Int, _ state: inout State, to sink: inout BitSink) {
    let extra = state.small < 3 ? 2 : 0
    var length = 2 + extra
    while (state.last & 0xFFFF) >> (length + extra) != 0 { length += 1 }
    let rest = difference >> 2 - state.mean
    let isNegative = rest < 0
    let magnitude = isNegative ? -rest - 1 : rest
    sink.put(isNegative ? 1 : 0, 1)
    sink.put(UInt32(difference & 3), 2)
    let high = magnitude >> length
    if high < 12 {
      sink.putZeros(high)
    } else {
      sink.put(0, 12)
      sink.put(UInt32(high) << 1, UInt32(16 - length))
    }
    sink.put(UInt32(magnitude & (1 << length - 1)), UInt32(length))
    state.last = magnitude
    let whole = rest + state.mean
    state.mean = (whole * 3 + state.mean) >> 5
    state.small = magnitude > 16 ? 0 : state.small + 1
  }

  private static func prediction(_ raw: CameraContainer, _ x: Int, _ y: Int) -> Int {
    func sample(_ x: Int, _ y: Int) -> Int { Int(raw.samples[y * raw.size.width + x]) }
    switch (x < 2, y < 2) {
    case (true, true): return 0
    case (false, true): return sample(x - 2, y)
    case (true, false): return sample(x, y - 2)
    default: break
    }
    let (west, north, corner) = (sample(x - 2, y), sample(x, y - 2), sample(x - 2, y - 2))
    let (toWest, toNorth) = (abs(west - corner), abs(north - corner))
    guard west < corner && corner < north || north < corner && corner < west else {
      return toWest > toNorth ? west : north
    }
    return toWest > 32 || toNorth > 32 ? west + north - corner : (west + north) >> 1
  }
}
