import Foundation
import ImageCore
public import RawFilter
import Writers

/// Takes out of a raw what it holds besides the raw picture, each as a file of its own.
public struct Extractor: Sendable {
  /// What can be taken out.
  public enum Part: String, Sendable, Hashable, Codable, CaseIterable {
    /// The largest JPEG preview, byte for byte: display-referred and not turned upright.
    case preview
    /// Semantic mattes and the transparency mask as gray PNG, lying as the developed picture lies.
    case mattes
    /// The depth map as such a PNG, 0 near.
    case depth
    /// The profile gain table map as numbers (JSON) and as stored (bin).
    case gainTableMap = "gain-table-map"
    /// Each camera profile as a file that stands alone (.dcp).
    case profiles
    /// The XMP packet.
    case xmp
  }

  /// A file that was written.
  public struct Item: Sendable, Hashable, Codable {
    /// What it is.
    public var part: Part
    /// Where it is.
    public var path: String
    /// What it shows: `sky`, the profile's name; empty when there is only one of its part.
    public var name: String
    /// Its length.
    public var bytes: Int
    /// Columns, for pictures.
    public var width: Int?
    /// Rows, for pictures.
    public var height: Int?
  }

  /// What became of one raw.
  public struct Report: Sendable {
    /// The files, in the order they were written.
    public internal(set) var items: [Item] = []
    /// What the raw says it holds but could not be read; the rest was extracted.
    public internal(set) var failures: [RAWError] = []
    /// What is worth knowing.
    public internal(set) var notes: [String] = []
  }

  /// What is taken out.
  public var parts: Set<Part>

  /// An extractor of `parts`.
  public init(parts: Set<Part> = Set(Part.allCases)) { self.parts = parts }

  /// Writes the parts of the raw at `input` into `folder`, which is made when it is missing; their
  /// names begin with the raw's. `written` is told of each file once it is complete.
  ///
  /// Throws when the raw cannot be opened or a file cannot be written.
  public func extract(
    _ input: String, to folder: String, written: (Item) -> Void = { _ in }
  ) throws(DevelopError) -> Report {
    do {
      let filter = try RAWFilter(url: URL(fileURLWithPath: input))
      let url = URL(fileURLWithPath: input)
      let stem = url.deletingPathExtension().lastPathComponent
      return try withoutActuallyEscaping(written) { written in
        var run = Extraction(
          filter: filter, input: input, folder: folder, stem: stem, written: written)
        // In this order, whatever was asked for.
        for part in Part.allCases where parts.contains(part) { try run.extract(part) }
        return run.report
      }
    } catch {
      throw DevelopError(error, path: input)
    }
  }
}
