public import Formats
import Foundation
public import ImageCore
public import RawFilter
import Writers

/// Extracts the contents of a raw other than the raw picture, each part to a file of its own.
public struct Extractor: Sendable {
  /// The parts that can be extracted.
  public enum Part: String, Sendable, Hashable, Codable, CaseIterable {
    /// The largest JPEG preview, with the orientation in its Exif that shows it upright.
    case preview
    /// Semantic mattes and the transparency mask as gray PNG, in the orientation and crop of the
    /// developed picture.
    case mattes
    /// The depth map as such a PNG; near is 0.
    case depth
    /// The profile gain table map as JSON and as stored (bin).
    case gainTableMap = "gain-table-map"
    /// Each camera profile as a file of its own (.dcp).
    case profiles
    /// The XMP packet.
    case xmp
  }

  /// A file that was written.
  public struct Item: Sendable, Hashable, Codable {
    /// Its part, or the part that it belongs to.
    public var part: Part
    /// Its path.
    public var path: String
    /// The name of a matte, `sky`, or of a profile; empty for parts that occur once.
    public var name: String
    /// Its length in bytes.
    public var bytes: Int
    /// Columns; nil for other data than pictures.
    public var width: Int?
    /// Rows; nil for other data than pictures.
    public var height: Int?
  }

  /// The result for one raw.
  public struct Report: Sendable {
    /// The files, in the order in which they were written.
    public internal(set) var items: [Item] = []
    /// Parts that could not be read; the others were extracted.
    public internal(set) var failures: [RAWError] = []
    /// Notes for people.
    public internal(set) var notes: [String] = []
  }

  /// The parts to extract.
  public var parts: Set<Part>
  /// Limits for the raw.
  public var limits = DecodeLimits()
  /// Which files that are there are replaced; links never are, nor is the raw.
  public var existing = ExistingFiles.refuse

  /// An extractor of `parts`, by default of all.
  public init(parts: Set<Part> = Set(Part.allCases)) { self.parts = parts }

  /// Writes the parts of the raw at `input` into `folder`, which is created if needed; their names
  /// begin with the name of the raw. `written` is called for each file once it is complete.
  ///
  /// Throws where the raw cannot be opened or a file cannot be written. For a raw that cannot be
  /// decoded the preview is written, with a note.
  public func extract(
    _ input: String, to folder: String, written: (Item) -> Void = { _ in }
  ) throws(DevelopError) -> Report {
    let url = URL(fileURLWithPath: input)
    let stem = url.deletingPathExtension().lastPathComponent
    do {
      return try withoutActuallyEscaping(written) { written in
        func run(_ protected: Set<FileIdentity>) -> Extraction {
          Extraction(
            input: input, folder: folder, stem: stem, existing: existing, keeping: protected,
            written: written)
        }
        let filter: RAWFilter
        do throws(RAWError) { filter = try RAWFilter(url: url, limits: limits) } catch {
          guard parts.contains(.preview), [.unsupported, .damaged, .notARaw].contains(error.code),
            let (preview, missing) = EmbeddedPreview.ofUndecoded(url, limits: limits)
          else { throw error }
          var run = run(Set([FileIdentity(url)].compactMap(\.self)))
          try run.extract(preview, missing)
          run.report.notes.append(EmbeddedPreview.insteadNote(error.message))
          return run.report
        }
        var run = run(filter.sourceFiles)
        // Always in this order.
        for part in Part.allCases where parts.contains(part) { try run.extract(part, of: filter) }
        return run.report
      }
    } catch {
      throw DevelopError(error, path: input)
    }
  }
}
