import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Files that lie about their auxiliary pictures: one typed error, no memory, and a raw that is
/// well.
@Suite struct AuxiliaryPictureTests {
  private func error(_ change: (inout AuxiliaryDNG.Directory) -> Void) throws -> RAWError? {
    var dng = AuxiliaryDNG()
    var matte = AuxiliaryDNG.Directory.matte(
      PixelSize(width: 4, height: 2), "urn:aux:semanticskymatte", [1, 2, 3, 4, 5, 6, 7, 8])
    change(&matte)
    dng.directories = [matte]
    let filter = try dng.filter()
    let found = try #require(filter.semanticSegmentationSkyMatte)
    var caught: RAWError?
    do { _ = try found.image() } catch { caught = error }
    #expect(caught?.stage == .decode && caught?.description.contains("\n") == false)
    #expect(try filter.outputImage().image.size == filter.outputSize)
    return caught
  }

  @Test func hugeSizesTakeNoMemory() throws {
    #expect(
      try error { ($0.fields[256], $0.fields[257]) = ([16_000_000], [16_000_000]) }?.code
        == .tooLarge)
    #expect(try error { $0.fields[52536] = [0, 0, 16_000_000, 16_000_000] }?.code == .tooLarge)
  }

  @Test func subAreasThatContradictAreDamage() throws {
    for area: [UInt32] in [
      [0, 0, 3, 2], [1, 0, 4, 2], [0, 4_294_967_295, 4, 2], [4_294_967_295, 0, 4, 4_294_967_295],
      [0, 0, 4], [],
    ] {
      #expect(try error { $0.fields[52536] = area }?.code == .damaged)
    }
  }

  @Test func storageThatIsNoMatteIsRefused() throws {
    #expect(try error { $0.fields[277] = [3] }?.code == .unsupported)
    #expect(try error { $0.fields[258] = [64] }?.code == .unsupported)
    #expect(try error { $0.fields[258] = [0] }?.code == .unsupported)
    #expect(try error { $0.fields[259] = [12_345] }?.code == .unsupported)
    #expect(try error { $0.pixels.removeLast(3) }?.code == .damaged)
    #expect(try error { $0.pixels = [] }?.code == .damaged)
  }

  /// Each of many mattes of the same bytes costs as much as one with its own.
  @Test func mattesThatShareTheirBytesAreDamage() throws {
    let size = PixelSize(width: 100, height: 400)
    func failures(mattes count: Int) throws -> Set<RAWError.Code> {
      let first = AuxiliaryDNG.Directory.matte(
        size, "semantic_sky", [UInt8](repeating: 9, count: size.area))
      var other = AuxiliaryDNG.Directory.matte(size, "semantic_skin", [])
      var dng = AuxiliaryDNG()
      func share(_ start: Int) {
        other.fields.merge([273: [UInt32(start)], 279: [UInt32(size.area)]]) { $1 }
        dng.directories =
          [first] + [AuxiliaryDNG.Directory](repeating: other, count: count - 1)
      }
      share(0)
      // The bytes end where the others begin.
      let end = try dng.bytes().count - (count - 1) * other.encoded(at: 0).count
      share(end - size.area)
      let mattes = try dng.filter().semanticMattes
      #expect(mattes.count == count)
      return Set(
        mattes.compactMap { (matte) -> RAWError.Code? in
          do throws(RAWError) {
            _ = try matte.image()
            return nil
          } catch { return error.code }
        })
    }
    #expect(try failures(mattes: 6).isEmpty)
    #expect(try failures(mattes: 60) == [.damaged])
  }

  /// All of them together have the pixels of four pictures, or of the limit of the file.
  @Test func pixelsCountTogether() throws {
    func failures(_ sizes: [PixelSize], maxPixels: Int) throws -> [RAWError.Code?] {
      var dng = AuxiliaryDNG()
      dng.directories = sizes.map { size in
        .matte(size, "semantic_sky", [UInt8](repeating: 9, count: size.area))
      }
      let limits = DecodeLimits(maxPixels: maxPixels)
      let filter = try RAWFilter(data: Data(dng.bytes()), limits: limits)
      return filter.semanticMattes.map { (matte) -> RAWError.Code? in
        do throws(RAWError) {
          _ = try matte.image()
          return nil
        } catch { return error.code }
      }
    }
    let size = PixelSize(width: 100, height: 400)
    let three = [size, size, size]
    #expect(try failures(three, maxPixels: 3 * size.area) == [nil, nil, nil])
    #expect(try failures(three, maxPixels: 3 * size.area - 1) == [nil, nil, .tooLarge])
    // One that is too large by itself leaves the others.
    let tall = PixelSize(width: 100, height: 1201)
    #expect(try failures([tall, size], maxPixels: 3 * size.area) == [.tooLarge, nil])
  }

  /// Full tiles count, and each part with its minimum cost.
  @Test(arguments: [UInt32(1), 52546]) func smallPartsCount(compression: UInt32) throws {
    func pixels(_ matte: AuxiliaryDNG.Directory) throws -> [Int] {
      var dng = AuxiliaryDNG()
      dng.directories = [matte]
      return try dng.filter().picture.file.auxiliary.map(\.pixels)
    }
    var matte = AuxiliaryDNG.Directory.matte(
      PixelSize(width: 20, height: 3), "semantic_sky", [UInt8](repeating: 9, count: 60))
    matte.fields[259] = [compression]
    #expect(try pixels(matte) == [compression == 1 ? 256 : 128 * 128])
    matte.fields.merge([322: [4096], 323: [64], 324: [8], 325: [60]]) { $1 }
    #expect(try pixels(matte) == [4096 * 64])
  }

  @Test func picturesWithoutSidesAreNotListed() throws {
    var dng = AuxiliaryDNG()
    dng.directories = [.matte(PixelSize(width: 0, height: 9), "semantic_sky", [])]
    #expect(try dng.filter().semanticMattes.isEmpty)
  }

  @Test func transparencyIsFoundWholeBeforeReduced() throws {
    var dng = AuxiliaryDNG()
    dng.directories = [
      .plain(PixelSize(width: 2, height: 1), subfile: 5, photometric: 4, [0, 255]),
      .plain(PixelSize(width: 4, height: 1), subfile: 4, photometric: 4, [0, 255, 0, 255]),
    ]
    let mask = try #require(try dng.filter().transparencyMask)
    #expect(mask.size == PixelSize(width: 4, height: 1) && mask.bitsPerSample == 8)
    #expect(try mask.image().samples == [0, 1, 0, 1])
    #expect(try dng.filter().semanticMattes.isEmpty)
  }
}
