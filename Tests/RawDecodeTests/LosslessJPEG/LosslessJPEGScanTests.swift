import ImageCore
import TestSupport
import Testing

@testable import RawDecode

@Suite struct LosslessJPEGScanTests {
  func decoded(_ stream: [UInt8], extended: Bool = false) -> [UInt16]? {
    stream.withUnsafeBytes { bytes -> [UInt16]? in
      guard let scan = try? LosslessJPEGScan(ByteView(bytes), extended: extended) else {
        return nil
      }
      var samples: [UInt16] = []
      let isSound = scan.forEachRow { _, row in
        samples += row.buffer.prefix(scan.header.samplesPerRow)
        return true
      }
      return isSound ? samples : nil
    }
  }

  func fault(_ stream: [UInt8]) -> LosslessJPEGHeader.Fault? {
    stream.withUnsafeBytes { bytes -> LosslessJPEGHeader.Fault? in
      do throws(LosslessJPEGHeader.Fault) {
        _ = try LosslessJPEGHeader(ByteView(bytes), extended: false)
        return nil
      } catch { return error }
    }
  }

  @Test(arguments: 1...7) func everyPredictorGivesTheSamplesBack(_ predictor: Int) {
    var numbers = TestNumbers(state: UInt64(predictor))
    for components in 1...4 {
      for (bits, restartRows) in [(2, 0), (8, 0), (12, 3), (14, 1), (16, 0), (16, 2)] {
        for columns in [1, 2, 33] {
          for codes: [LosslessJPEGStream.Code] in [[.flat], [.unary], [.flat, .unary]] {
            let kind = LosslessJPEGStream(
              columns: columns, rows: 21, components: components, bits: bits, predictor: predictor,
              restartRows: restartRows,
              codes: components == 1 ? [codes[codes.count - 1]] : codes)
            let samples = numbers.samples(columns * 21 * components, bits: bits)
            #expect(decoded(kind.encode(samples)) == samples, "\(kind)")
          }
        }
      }
    }
  }

  /// Every difference of 16 bits, with both definitions of category 16.
  @Test(arguments: [false, true]) func everyDifferenceIsRead(_ extended: Bool) {
    let samples = (0..<65536).flatMap { [UInt16(0), UInt16($0)] }
    for code: LosslessJPEGStream.Code in [.flat, .unary] {
      let kind = LosslessJPEGStream(
        columns: 256, rows: 512, codes: [code], extended: extended)
      #expect(decoded(kind.encode(samples), extended: extended) == samples)
    }
  }

  /// The point transform is not undone.
  @Test func thePointTransformOnlyMovesTheStart() {
    var numbers = TestNumbers(state: 5)
    let samples = numbers.samples(200, bits: 10)
    let kind = LosslessJPEGStream(
      columns: 20, rows: 10, bits: 12, predictor: 4, pointTransform: 2)
    #expect(decoded(kind.encode(samples)) == samples)
  }

  @Test func aSampleBeyondItsBitsIsDamage() {
    let samples = [UInt16](repeating: 255, count: 16)
    var kind = LosslessJPEGStream(columns: 4, rows: 4, bits: 8)
    #expect(decoded(kind.encode(samples)) != nil)
    #expect(decoded(kind.encode(samples.map { $0 + 1 })) == nil)
    kind.bits = 9
    #expect(decoded(kind.encode(samples.map { $0 + 1 })) != nil)
  }

  @Test func missingBitsAreDamage() {
    var numbers = TestNumbers(state: 7)
    let kind = LosslessJPEGStream(columns: 30, rows: 10, components: 2, restartRows: 2)
    let stream = kind.encode(numbers.samples(600, bits: 16))
    #expect(decoded(stream) != nil)
    // The end marker may be missing, nothing before it.
    #expect(decoded(Array(stream.dropLast(2))) != nil)
    for length in 0..<stream.count - 3 { #expect(decoded(Array(stream.prefix(length))) == nil) }
  }

  /// Streams long enough for many buffer refills, with every number of components, by every
  /// instruction set; each missing byte at their end is damage.
  @Test(arguments: 1...4) func longStreamsAreReadInChunks(components: Int) {
    var numbers = TestNumbers(state: 21)
    let kind = LosslessJPEGStream(
      columns: 900, rows: 180, components: components, codes: [.flat, .unary])
    let samples = numbers.samples(900 * 180 * components, bits: 16)
    let stream = kind.encode(samples)
    #expect(stream.count > 150_000)
    let sets = InstructionSets.results { decoded(stream) }
    #expect(sets.baseline == samples && sets.best == samples)
    for missing in 3..<40 { #expect(decoded(Array(stream.dropLast(missing))) == nil) }
  }

  /// With constant codes every bit shift is alike, and two readers need not synchronize; in a
  /// damaged stream they must not continue.
  @Test(arguments: 1...4, [[LosslessJPEGStream.Code.flat], [.unary], [.unary, .flat]])
  func longStreamsNeedNoMeeting(components: Int, codes: [LosslessJPEGStream.Code]) {
    var numbers = TestNumbers(state: 23)
    let kind = LosslessJPEGStream(
      columns: 700, rows: 90, components: components, bits: 14, restartRows: 40,
      codes: components == 1 ? [codes[0]] : codes)
    var samples = numbers.samples(700 * 90 * components, bits: 14)
    for row in stride(from: 3, to: 90, by: 4) {
      let first = row * 700 * components
      for i in first..<first + 700 * components { samples[i] = 9000 }
    }
    let stream = kind.encode(samples)
    #expect(decoded(stream) == samples)
    for _ in 0..<20 {
      var changed = stream
      changed[kind.header.count + numbers.next(stream.count - kind.header.count)] ^= 0x10
      let sets = InstructionSets.results { decoded(changed) }
      #expect(sets.baseline == sets.best)
    }
  }

  @Test func restartMarkersMustCount() {
    var numbers = TestNumbers(state: 9)
    let kind = LosslessJPEGStream(columns: 8, rows: 8, restartRows: 2)
    let stream = kind.encode(numbers.samples(64, bits: 16))
    let marker = (kind.header.count..<stream.count).first {
      stream[$0] == 0xFF && stream[$0 + 1] == 0xD1
    }
    var wrong = stream
    if let marker { wrong[marker + 1] = 0xD3 }
    #expect(marker != nil && decoded(wrong) == nil && decoded(stream) != nil)
  }

  @Test func headersAreJudged() throws {
    let kind = LosslessJPEGStream(columns: 5, rows: 4, components: 2, codes: [.flat, .unary])
    let header = kind.header
    #expect(fault(header) == nil)
    for length in 0..<header.count { #expect(fault(Array(header.prefix(length))) == .damaged) }
    func with(_ change: (inout LosslessJPEGStream) -> Void) -> [UInt8] {
      var other = kind
      change(&other)
      return other.header
    }
    #expect(fault(with { $0.predictor = 0 }) == .notCovered)
    #expect(fault(with { $0.predictor = 8 }) == .notCovered)
    #expect(fault(with { $0.rows = 0 }) == .notCovered)
    #expect(fault(with { $0.components = 5 }) == .notCovered)
    #expect(fault(with { $0.columns = 0 }) == .damaged)
    #expect(fault(with { $0.components = 0 }) == .damaged)
    #expect(fault(with { $0.bits = 17 }) == .damaged)
    #expect(fault(with { $0.bits = 1 }) == .damaged)
    #expect(fault(with { ($0.bits, $0.pointTransform) = (8, 8) }) == .damaged)
    let frame = try #require(header.indices.first { header[$0...].starts(with: [0xFF, 0xC3]) })
    func patched(_ offset: Int, _ value: UInt8) -> [UInt8] {
      var other = header
      other[offset] = value
      return other
    }
    #expect(fault(patched(frame + 1, 0xC1)) == .notCovered)
    #expect(fault(patched(frame + 11, 0x21)) == .notCovered)
    #expect(fault(patched(frame + 13, 0)) == .damaged)
    // Two codes of one bit, and a third; a category of 17; the second table missing.
    #expect(fault(patched(7, 3)) == .damaged)
    #expect(fault(patched(2 + 5 + 16, 17)) == .damaged)
    #expect(fault(patched(2 + 38 + 4, 2)) == .damaged)
    // A restart interval that is not a multiple of the row length.
    let odd: [UInt8] = [0xFF, 0xDD, 0, 4, 0, 7]
    #expect(fault(header.prefix(2) + odd + header.dropFirst(2)) == .damaged)
  }

  @Test func unknownCodesAreDamage() {
    // 17 of the 32 codes of 5 bits exist: the highest does not.
    let kind = LosslessJPEGStream(columns: 2, rows: 1)
    #expect(decoded(kind.header + [0b1111_1000, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(decoded(kind.header + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == [32768, 32768])
  }
}
