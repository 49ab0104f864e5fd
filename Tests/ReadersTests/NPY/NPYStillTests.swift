import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

@Suite struct NPYStillTests {
  private func array(_ type: String, _ shape: String, bytes: Int, order: String = "False")
    -> [UInt8]
  {
    var text = "{'descr': '\(type)', 'fortran_order': \(order), 'shape': (\(shape)), }"
    text += String(repeating: " ", count: 117 - text.utf8.count) + "\n"
    return [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(text.utf8)
      + (0..<bytes).map { UInt8($0 % 60) }
  }

  @Test func writtenArrays() throws {
    let folder = try TestFolder()
    let picture = try KnownPicture.picture(.bt2020, headroom: 12)
    _ = try ArrayWriter(.init(.npy, bits: 32)).write(
      picture, to: .replacing(folder.path + "/a.npy"))
    let still = try StillImage(contentsOf: URL(filePath: folder.path + "/a.npy"))
    #expect(try KnownPicture.pixels(still.base()) == KnownPicture.pixels(picture))
    #expect(try abs(still.picture().contentHeadroom - 12) < 1e-6)
  }

  @Test func shapes() throws {
    let gray = try StillImage(array("<f8", "3, 2", bytes: 48))
    #expect(gray.channels == 1 && gray.size == PixelSize(width: 2, height: 3))
    _ = try gray.base()
    #expect(try StillImage(array("<f2", "3, 2, 3", bytes: 36)).channels == 3)
    for (type, shape, order) in [
      ("<i4", "3, 2", "False"), ("<f4", "3, 2", "True"), ("<f4", "3", "False"),
      ("<f4", "3, 2, 4", "False"), ("<f4", "-3, 2", "False"), ("<f4", "0, 2", "False"),
    ] {
      #expect(PNGHostileTests.read(array(type, shape, bytes: 96, order: order)) == .unsupported)
    }
    #expect(PNGHostileTests.read(array("<f4", "3, 2", bytes: 20)) == .damaged)
  }

  @Test func damagedFiles() {
    let file = array("<f4", "9, 7, 3", bytes: 756)
    for seed in 0..<UInt64(Damage.count(1000)) {
      _ = PNGHostileTests.read(Damage.damaged(file, seed: seed))
    }
  }
}
