import Testing

@testable import BracketMerge

@Suite struct ResampledFrameTests {
  /// What is kept comes back as what is rounded without being kept, within half precision.
  @Test func keptRowsAreThoseThatAreRounded() throws {
    let count = 40
    let values = (0..<count).map { i -> Float in
      i == 3 ? .nan : Float(i) * Float(i) * 0.000_731 - 0.01
    }
    let trust = (0..<count).map { i -> Float in i == 3 ? 0 : i == 4 ? 1e-6 : Float(i) / 39 }
    let frame = try ResampledFrame(stride: count, rows: 2)
    var rounded = (values: values + Array(repeating: 0, count: 8), trust: trust)
    rounded.values.withUnsafeMutableBufferPointer { values in
      rounded.trust.withUnsafeMutableBufferPointer { trust in
        guard let value = values.baseAddress, let share = trust.baseAddress else { return }
        frame.store(row: 1, value, share)
        ResampledFrame.round(value, share, count: count)
      }
    }
    var kept = (values: [Float](repeating: 9, count: count), trust: trust)
    kept.values.withUnsafeMutableBufferPointer { values in
      kept.trust.withUnsafeMutableBufferPointer { trust in
        guard let value = values.baseAddress, let share = trust.baseAddress else { return }
        frame.read(row: 1, into: value, share)
      }
    }
    #expect(kept.values == Array(rounded.values.prefix(count)))
    #expect(kept.trust == rounded.trust)
    #expect(kept.values[3] == 0 && kept.trust[3] == 0)
    #expect(kept.trust[4] > 0 && kept.trust[39] == 1)
    for i in 5..<count {
      #expect(abs(kept.values[i] - values[i]) <= abs(values[i]) * 0x1p-11 + 0x1p-24)
      #expect(kept.trust[i] >= trust[i] && kept.trust[i] - trust[i] < 0.01)
    }
  }
}
