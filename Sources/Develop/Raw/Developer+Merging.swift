public import BracketMerge
public import Formats
import Foundation
import ImageCore
import RawFilter
import Writers

extension Developer {
  /// Opens the raws at `inputs`, the frames of one bracket, without decoding their pixels. Throws
  /// for the first that cannot be opened, and for more than are merged at a time before any is.
  public static func openBracket(
    _ inputs: [String]
  ) throws(DevelopError) -> [BracketMerge.Member] {
    do { try BracketMerge.requireCount(inputs.count) } catch { throw .raw(error) }
    var members: [BracketMerge.Member] = []
    for input in inputs {
      members.append(BracketMerge.Member(name: input, filter: try open(input)))
    }
    return members
  }

  /// The frames of a bracket as one picture, to be developed as the reference is:
  /// ``develop(_:named:to:sample:progress:)``.
  public static func merged(
    _ members: [BracketMerge.Member], by merge: BracketMerge
  ) throws(DevelopError) -> BracketMerge.Merged {
    do { return try merge.merge(members) } catch { throw .raw(error) }
  }

  /// Writes a PNG of the areas of a merged picture that come from one frame, completely or not at
  /// all. Returns the file where the destination is memory.
  @discardableResult
  public static func write(
    _ map: GhostPicture, to destination: OutputDestination
  ) throws(DevelopError) -> [UInt8]? {
    do {
      return try PNGWriter(depth: .bits8).write(size: map.size, to: destination) { y, samples in
        for x in samples.indices { samples[x] = UInt16(map.values[y * map.size.width + x]) }
      }.contents
    } catch { throw .write(error) }
  }

  /// The one of `members` whose brightness, colors, metadata and name the merged picture has.
  /// Throws, naming the file, where they are no bracket.
  public static func reference(
    of members: [BracketMerge.Member]
  ) throws(DevelopError) -> BracketMerge.Member {
    do { return try BracketMerge.reference(of: members) } catch { throw .raw(error) }
  }
}

/// The result for one output of a bracket: a line of `rawdev merge --json`, which is a line of
/// `rawdev develop --json` or of `rawdev dng --json`, with the bracket.
public struct MergeReport<Output: Sendable & Encodable>: Sendable, Encodable {
  /// The developed output, whose input is the reference, or the DNG.
  public var output: Output
  /// The frames.
  public var bracket: BracketReport

  /// The result `output` of `bracket`.
  public init(_ output: Output, _ bracket: BracketReport) {
    (self.output, self.bracket) = (output, bracket)
  }

  private enum CodingKeys: CodingKey { case bracket }

  /// Encodes the fields of the output, and the bracket with them.
  public func encode(to encoder: any Encoder) throws {
    try output.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(bracket, forKey: .bracket)
  }
}
