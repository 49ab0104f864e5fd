public import Formats
public import ImageCore

/// A writer of one kind of file, or of several with different codecs. It is made from encoder
/// settings and refuses those it does not support. A new kind of file is a new conforming type,
/// listed in ``PictureWriters``.
public protocol PictureWriter: Sendable {
  /// The kinds of file that it writes.
  static var containers: [EncoderSettings.Container] { get }

  /// A writer of files of these settings. `workers`: maximum threads; they do not change the bytes.
  /// Throws where the settings contradict each other or are for another kind of file.
  init(_ settings: EncoderSettings, workers: Int) throws(WriteError)

  /// Writes `picture` to `destination`, completely or not at all. Refuses other primaries than the
  /// file's (`WriteError.check`), rolls off what is above its peak (`ColorSpace.toneMapping`), with
  /// a note, and names the sources of the picture (`OutputContent`). `gainMap`, for files with one,
  /// is called once the picture has been read; it may return nil. Throws `WriteError`.
  func write(
    _ picture: FinishedPicture, metadata: CaptureMetadata, to destination: OutputDestination,
    gainMap: (() throws -> StoredGainMap?)?
  ) throws -> WrittenFile
}

/// The writers of all kinds of file.
public enum PictureWriters {
  /// Every writer; each kind of file is of one.
  public static let all: [any PictureWriter.Type] = [
    HEIFWriter.self, JPEGWriter.self, PNGPictureWriter.self, TIFFWriter.self, JPEGXLWriter.self,
    EXRWriter.self, ArrayWriter.self,
  ]

  /// The writer of files of these settings. `workers`: maximum threads; they do not change the
  /// bytes. Throws where the settings contradict each other.
  public static func writer(
    of settings: EncoderSettings, workers: Int = Parallel.defaultWorkers
  ) throws(WriteError) -> any PictureWriter {
    guard let writer = all.first(where: { $0.containers.contains(settings.container) }) else {
      try settings.validate()
      throw WriteError(.badSetting, "\(settings.container.descriptor.name) has no writer")
    }
    return try writer.init(settings, workers: workers)
  }
}

extension PictureWriter {
  /// Throws where `settings` contradict each other or are for a kind of file of another writer.
  static func check(_ settings: EncoderSettings) throws(WriteError) {
    try settings.validate()
    guard containers.contains(settings.container) else {
      let names = EncoderSettings.Container.names("or") { descriptor in
        containers.contains { $0.descriptor.name == descriptor.name }
      }
      throw WriteError(
        .badSetting,
        "these settings are for \(settings.container.descriptor.name); \(Self.self) writes \(names)"
      )
    }
  }
}
