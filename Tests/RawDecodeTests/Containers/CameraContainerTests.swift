import Containers
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode

/// Makers' containers that are read through LibRaw, written with known samples: one raw for each
/// decoder for which a published description exists (Docs/camera-containers.md).
@Suite struct CameraContainerTests {
  @Test func everyCodingIsTried() {
    #expect(
      Set(CameraSample.all.map(\.raw.coding)) == Set(CameraContainer.Coding.allCases))
  }

  /// The samples read equal the stored ones: bit for bit, or according to the description of the
  /// coding, within the stated loss.
  @Test(arguments: CameraSample.all) func samplesAreThoseStored(_ sample: CameraSample) throws {
    let raw = sample.busy()
    let written = try raw.written()
    let losses = zip(written.samples, raw.samples).map {
      abs(Int($0) - Int($1) << (sample.isQuadrupled ? 2 : 0))
    }
    let loss = losses.max() ?? 0
    #expect(loss <= sample.loss && (loss == 0) == raw.coding.isExact, "\(loss)")
    guard let file = try open(written.bytes, sample) else { return }
    let data = try file.decode()
    try #require(data.size == sample.visible.size)
    #expect(file.info.size == sample.visible.size)
    let (area, width) = (sample.visible, raw.size.width)
    for y in 0..<area.height {
      let start = (area.y + y) * width + area.x
      let row = unsafe UnsafeBufferPointer(start: data.samples.counts(row: y), count: area.width)
      let isEqual = unsafe row.elementsEqual(written.samples[start..<start + area.width])
      #expect(isEqual, "row \(y)")
      if !isEqual { return }
    }
  }

  /// Offsets in Canon's note are relative to the header of its block, in a CR3 a separate block. It
  /// stays readable after another block of eight bytes.
  @Test func notesOfCanonKeepTheirMeaning() throws {
    for sample in CameraSample.all where [.cr2, .cr3].contains(sample.raw.coding) {
      guard let file = try open(sample.busy().written().bytes, sample) else { continue }
      let note = try #require(file.metadata.makerNote, "\(sample)")
      guard case .at(let offset, bigEndian: false) = note.placement else {
        Issue.record("\(sample): \(note.placement)")
        continue
      }
      let header =
        Array("II".utf8) + UInt16(42).bytes(bigEndian: false)
        + UInt32(offset).bytes(bigEndian: false)
      let block = header + [UInt8](repeating: 0, count: offset - header.count) + note.bytes
      let directory = try #require(try TIFFFile(FileBytes(block))).first
      #expect(directory[0x10]?.integer == (sample.raw.coding == .cr3 ? 0x8000_0465 : 0x8000_0289))
      // Color data, far after the directory, start with their version.
      let colors = try #require(directory[0x4001]?.bytes, "\(sample)")
      #expect(colors.prefix(2) == (sample.raw.coding == .cr3 ? [18, 0] : [11, 0]))
    }
  }

  /// Levels, areas, orientation, filters and white balance equal the file's, or the table's.
  @Test(arguments: CameraSample.all) func metadataEqualsTheStored(_ sample: CameraSample) throws {
    var raw = sample.busy()
    raw.gains = SIMD3(2.125, 1, 1.5)
    guard let file = try open(raw.written().bytes, sample) else { return }
    let info = file.info
    #expect(info.crop == sample.crop)
    #expect(info.orientation == sample.raw.orientation)
    #expect(!info.isDNG && info.pixelAspect == 1)
    #expect(file.metadata.entries.contains { $0.tag == 34855 && $0.value == .shorts([200]) })
    guard case .neutral(let neutral) = info.asShot else {
      Issue.record("no white balance")
      return
    }
    let balanced = neutral * raw.gains
    #expect(balanced.max() / balanced.min() < 1.002)

    let data = try file.decode()
    guard case .mosaic(let cfa) = data.layout else {
      Issue.record("no mosaic")
      return
    }
    for index in 0..<36 {
      let (x, y) = (index % 6, index / 6)
      #expect(cfa.channel(x: x, y: y) == sample.raw.pattern.channel(x: x, y: y), "\(x), \(y)")
    }
    let factor: Float = sample.isQuadrupled ? 4 : 1
    let levels = data.levels
    let black = sample.black ?? sample.raw.black.map { Float($0) * factor }
    for index in 0..<4 {
      let (x, y) = (index % 2, index / 2)
      let read = levels.black[
        y % levels.patternHeight * levels.patternWidth + x % levels.patternWidth]
      #expect(read == black[index], "\(x), \(y)")
    }
    let white = sample.white ?? Double(sample.saturation)
    for channel in 0..<3 {
      let read = 1 / Double(levels.scale[channel]) + Double(black.max() ?? 0)
      #expect(abs(read - white) < 0.01, "\(read)")
    }
  }

  /// A format that the installed LibRaw would misread is rejected by name.
  @Test func undecodedStorageIsNamed() throws {
    guard LibRawVersion.installed < LibRawVersion(major: 0, minor: 21) else { return }
    var raw = try #require(CameraSample.all.first { $0.raw.coding == .orfCompressed }).busy()
    raw.make = "OM Digital Solutions"
    let bytes = try raw.written().bytes
    let error = #expect(throws: RAWError.self) { try RawFile.open(bytes: bytes) }
    #expect(error?.code == .unsupported && error?.message.contains("OM System ORF") == true)
  }

  /// The opened file; nil if the installed LibRaw does not decode it, which must be an error.
  private func open(_ bytes: [UInt8], _ sample: CameraSample) throws -> RawFile? {
    if sample.decoders.contains(LibRawVersion.installed.minor) {
      return try RawFile.open(bytes: bytes)
    }
    #expect(throws: RAWError.self) { try RawFile.open(bytes: bytes).decode() }
    return nil
  }
}
