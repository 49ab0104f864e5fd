import Foundation
import ImageCore
import RawDecode
import RawFilter
import SyntheticRaw
import Testing

@testable import BracketMerge

@Suite struct BracketMemoryTests {
  private let bracket = SyntheticBracket(
    count: 3, spacing: 2, size: PixelSize(width: 64, height: 48))

  /// The frames, opened within `limits`; the last one `isCut` ends within its samples.
  private func members(
    _ limits: DecodeLimits = DecodeLimits(), isCut: Bool = false
  ) throws -> [BracketMerge.Member] {
    try bracket.frames.enumerated().map { i, frame in
      var bytes = try bracket.bytes(frame) { x, y in SyntheticBracket.patches(x, y) }
      if isCut, i == 2 { bytes.removeLast(bytes.count / 2) }
      return BracketMerge.Member(
        name: "frame-\(i).dng", filter: try RAWFilter(data: Data(bytes), limits: limits))
    }
  }

  private func bytes(
    _ members: [BracketMerge.Member], aligned: Bool, deghosted: Bool
  ) throws -> Int {
    try BracketMemory(
      BracketFrame.frames(of: members), aligned: aligned, deghosted: deghosted, workers: 2
    ).bytes
  }

  @Test func allFramesCount() throws {
    let members = try members()
    let samples = 64 * 48
    // Of two bytes, and the result of four.
    #expect(try bytes(members, aligned: true, deghosted: false) == samples * (3 * 2 + 4))
    // Blocks of 4 x 4.
    let blocks = 3 * samples / 16 * 68
    #expect(try bytes(members, aligned: false, deghosted: true) == samples * (3 * 2 + 4) + blocks)
    // Frames that were moved are read at once by one thread, values and two kinds of trust.
    #expect(
      try bytes(members, aligned: true, deghosted: true)
        == samples * (3 * 3 + 4) + blocks + samples * 12)
    let two = try bytes(Array(members.prefix(2)), aligned: true, deghosted: false)
    #expect(two == samples * (2 * 2 + 4))
  }

  /// Rows of all frames at a time: full bands of ordinary ones, fewer of many wide ones.
  @Test func bandsOfManyFramesAreLow() {
    for (frames, stride) in [(2, 6000), (9, 12_000), (15, 16_384)] {
      #expect(MergePlan.bandHeight(frames: frames, stride: stride, isMoved: true) == 64)
      #expect(MergePlan.bandHeight(frames: frames, stride: stride, isMoved: false) == 16)
    }
    for (frames, stride) in [(128, 16_384), (12, 1 << 20), (128, 3 << 20)] {
      let height = MergePlan.bandHeight(frames: frames, stride: stride, isMoved: true)
      #expect(height >= 1 && (height == 1 || frames * stride * height <= 1 << 24))
    }
  }

  /// No thread reads more of a moved frame than there is, nor much of a wide one.
  @Test func rowsOfMovedFrames() {
    func bytes(_ width: Int, _ height: Int) -> Int {
      let channels = SampleChannels(PixelSize(width: width, height: height), .monochrome)
      return FrameBlocks(
        channels: channels, side: GhostMap.side(channels), workers: 4
      ).movedBytes
    }
    #expect(bytes(6000, 4000) == 4 * 6000 * 64 * 12)
    #expect(bytes(6000, 100) == 2 * 6000 * 64 * 12)
    #expect(bytes(540_000, 16) == 540_000 * 16 * 12)
    #expect(bytes(1 << 20, 400) <= 4 * (1 << 24) * 12)
  }

  /// Each frame is within the limit.
  @Test func moreThanTheLimitIsRefusedBeforeAFrameIsDecoded() throws {
    let bytes = try bytes(members(), aligned: true, deghosted: true)
    let exact = try members(DecodeLimits(maxDecodeBytes: bytes))
    _ = try BracketMemory(
      BracketFrame.frames(of: exact), aligned: true, deghosted: true, workers: 2)
    let limits = DecodeLimits(maxDecodeBytes: bytes - 1)
    let error = #expect(throws: RAWError.self) {
      try BracketMerge().merge(members(limits, isCut: true))
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("limit of \(bytes - 1) bytes") == true)
    // Without the search for ghosts there is room, and the damage is found.
    var merge = BracketMerge()
    merge.removesGhosts = false
    let damage = #expect(throws: RAWError.self) { try merge.merge(members(limits, isCut: true)) }
    #expect(damage?.path == "frame-2.dng")
  }
}
