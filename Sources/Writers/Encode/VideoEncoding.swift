package import Formats
import HDRRender
package import ImageCore

/// Display-linear pictures to the YCbCr frames that video encoders take: the conversion of HEIF, in
/// the range and the chroma format of films.
package struct VideoEncoding: Sendable {
  /// Where Cb and Cr are.
  package enum Chroma: Sendable, Hashable {
    case yuv420, yuv422, yuv444
  }

  /// MatrixCoefficients of ITU-T H.273.
  package enum Matrix: UInt16, Sendable, Hashable {
    case bt709 = 1
    case bt2020 = 9

    fileprivate var weights: YCbCrMatrix { self == .bt709 ? .bt709 : .bt2020 }
  }

  package let bits: Int
  package let chroma: Chroma
  package let isFullRange: Bool
  package let matrix: Matrix
  private let space: ColorSpace
  private let encoding: PictureEncoding

  /// Frames in `space`. `headroom`: of all pictures; where it is more than the space holds, all are
  /// rolled off by the same curve.
  package init(
    _ space: ColorSpace, matrix: Matrix, bits: Int, chroma: Chroma, isFullRange: Bool,
    headroom: Float
  ) {
    (self.space, self.matrix, self.bits) = (space, matrix, bits)
    (self.chroma, self.isFullRange) = (chroma, isFullRange)
    var conversion = YCbCrConversion(matrix: matrix.weights, bits: bits)
    if !isFullRange { conversion.chromaScale = LimitedRange.chromaScale }
    let signal = space.signal
    encoding = PictureEncoding(
      signal: isFullRange ? signal : LimitedRange(signal, bits: bits),
      toneMapping: space.toneMapping(headroom: headroom), conversion: conversion,
      siting: Self.siting(chroma, isHDR: space.isHDR))
  }

  private static func siting(_ chroma: Chroma, isHDR: Bool) -> ChromaSiting? {
    switch chroma {
    case .yuv420: isHDR ? .topLeft : .left
    case .yuv422: .leftOfEachRow
    case .yuv444: nil
    }
  }

  /// chroma_sample_loc_type of H.265.
  package var chromaLocation: Int { encoding.siting?.code ?? 0 }

  /// Columns and rows of Cb and Cr.
  package func chromaSize(_ size: PixelSize) -> PixelSize {
    PixelSize(
      width: chroma == .yuv444 ? size.width : (size.width + 1) / 2,
      height: chroma == .yuv420 ? (size.height + 1) / 2 : size.height)
  }

  /// Bytes of a frame: samples of 8 bits take one, of more two.
  package func bytes(_ size: PixelSize) -> Int {
    (size.area + 2 * chromaSize(size).area) * (bits > 8 ? 2 : 1)
  }

  /// The planes of `picture`, which is in the primaries of the space, and of PQ its content light
  /// levels in `active`, as they are coded.
  package func frame(
    _ picture: some PixelSource<DisplayReferred>, active: PixelRect, workers: Int
  ) throws -> (planes: YCbCrPlanes, light: CodedContentLight) {
    try WriteError.check(picture.info, in: space.primaries, of: "film")
    let planes = try YCbCrPlanes(size: picture.size, chromaSize: chromaSize(picture.size))
    let bands = PictureBands(
      picture, unit: 2, hasRowAbove: encoding.overlap.y > 0, workers: workers)
    let workspaces = WorkspacePool { Workspace() }
    try bands.forEach { band, _ throws(PixelError) in
      try workspaces.with { work throws(PixelError) in
        try band.copy(encoding.source(of: band.rect), into: work.linear)
        try work.scratch.reshape(PixelSize(width: picture.size.width, height: 1))
        _ = encoding.encode(
          work.linear, rect: band.rect, scratch: work.scratch, into: planes,
          at: PixelPoint(x: 0, y: band.rect.y))
      }
    } consume: { _, _ throws(PixelError) in
    }
    guard space.transfer == .pq else { return (planes, CodedContentLight()) }
    return (planes, try CodedContentLight(planes, self, in: active, workers: workers))
  }

  /// The content light levels of a frame that is coded already: its planes, packed
  /// (``YCbCrPlanes/packed(bits:)``). Of other curves than PQ they are 0.
  package func light(
    packed: [UInt8], size: PixelSize, workers: Int
  ) throws(PixelError) -> CodedContentLight {
    guard space.transfer == .pq, packed.count == bytes(size) else { return CodedContentLight() }
    let planes = try YCbCrPlanes(size: size, chromaSize: chromaSize(size))
    var at = 0
    for plane in 0..<3 {
      let part = plane == 0 ? size : planes.chromaSize
      for y in 0..<part.height {
        let row = planes.row(plane, y)
        for x in 0..<part.width {
          if bits > 8 {
            row[x] = UInt16(packed[at]) | UInt16(packed[at + 1]) << 8
          } else {
            row[x] = UInt16(packed[at]) << 8
          }
          at += bits > 8 ? 2 : 1
        }
      }
    }
    return try CodedContentLight(planes, self, in: PixelRect(size), workers: workers)
  }

  private final class Workspace {
    let linear = PlanarBuffer()
    let scratch = PlanarBuffer()
  }
}

extension YCbCrPlanes {
  /// All planes without padding, one after the other: samples of up to 8 bits in a byte, of more in
  /// two, the lower first.
  package func packed(bits: Int) -> [UInt8] {
    let count = (size.area + 2 * chromaSize.area) * (bits > 8 ? 2 : 1)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var at = 0
      for plane in 0..<(hasChroma ? 3 : 1) {
        let size = plane == 0 ? self.size : chromaSize
        for y in 0..<size.height {
          let row = row(plane, y)
          if bits > 8 {
            let bytes = unsafe UnsafeRawBufferPointer(row.buffer)
            let target = unsafe UnsafeMutableRawBufferPointer(buffer)[at..<at + bytes.count]
            unsafe UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(from: bytes)
            at += bytes.count
          } else {
            // 8-bit codes are in the upper halves.
            for x in 0..<size.width { unsafe buffer[at + x] = UInt8(row[x] >> 8) }
            at += size.width
          }
        }
      }
      filled = at
    }
  }
}
