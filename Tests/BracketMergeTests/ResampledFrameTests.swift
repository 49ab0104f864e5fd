import Testing

@testable import BracketMerge

@Suite struct ResampledFrameTests {
  /// Stored rows are read as rounded ones, within half precision.
  @Test func storedRowsEqualRoundedOnes() throws {
    let count = 40
    let values = (0..<count).map { i -> Float in
      i == 3 ? .nan : Float(i) * Float(i) * 0.000_731 - 0.01
    }
    let trust = (0..<count).map { i -> Float in i == 3 ? 0 : i == 4 ? 1e-6 : Float(i) / 39 }
    let frame = try ResampledFrame(stride: count, rows: 2)
    var rounded = (values: values + Array(repeating: 0, count: 8), trust: trust)
    rounded.values.withUnsafeMutableBufferPointer { values in
      rounded.trust.withUnsafeMutableBufferPointer { trust in
        guard let value = values.baseAddress, let trusted = trust.baseAddress else { return }
        frame.store(row: 1, value, trusted)
        ResampledFrame.round(value, trusted, count: count)
      }
    }
    var stored = (values: [Float](repeating: 9, count: count), trust: trust)
    stored.values.withUnsafeMutableBufferPointer { values in
      stored.trust.withUnsafeMutableBufferPointer { trust in
        guard let value = values.baseAddress, let trusted = trust.baseAddress else { return }
        frame.read(row: 1, into: value, trusted)
      }
    }
    #expect(stored.values == Array(rounded.values.prefix(count)))
    #expect(stored.trust == rounded.trust)
    #expect(stored.values[3] == 0 && stored.trust[3] == 0)
    #expect(stored.trust[4] > 0 && stored.trust[39] == 1)
    for i in 5..<count {
      #expect(abs(stored.values[i] - values[i]) <= abs(values[i]) * 0x1p-11 + 0x1p-24)
      #expect(stored.trust[i] >= trust[i] && stored.trust[i] - trust[i] < 0.01)
    }
  }
}
