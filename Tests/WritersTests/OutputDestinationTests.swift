import Export
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Formats

/// Where files are written to, and what is there by then.
@Suite struct OutputDestinationTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func content(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A file that another program makes while one is written is not lost.
  @Test(arguments: [ExistingFiles.refuse, .replaceOwn])
  func whatAppearsMeanwhileStays(existing: ExistingFiles) throws {
    let path = folder.file("a.tif")
    let error = #expect(throws: WriteError.self) {
      _ = try OutputDestination.file(URL(filePath: path), existing: existing).write(.any()) {
        try AtomicFile.append(Array("new".utf8), to: $0, path: path)
        try folder.write("theirs", to: "a.tif")
      }
    }
    #expect(error?.code == .exists)
    #expect(content(path) == "theirs" && folder.names == ["a.tif"])
  }

  @Test func whatMayBeReplacedMeanwhileIs() throws {
    let path = folder.file("a.tif")
    _ = try OutputDestination.file(URL(filePath: path), existing: .replace).write(.any()) {
      try AtomicFile.append(Array("new".utf8), to: $0, path: path)
      try folder.write("theirs", to: "a.tif")
    }
    #expect(content(path) == "new" && folder.names == ["a.tif"])
  }

  /// The source moved to the name of the output meanwhile.
  @Test func aSourceThatComesMeanwhileStays() throws {
    let (path, source) = (folder.file("a.tif"), try folder.write("source", to: "b.tif"))
    let sources = Set([FileIdentity(path: source)].compactMap { $0 })
    for existing in [ExistingFiles.refuse, .replaceOwn, .replace] {
      let error = #expect(throws: WriteError.self) {
        _ = try OutputDestination.file(URL(filePath: path), existing: existing)
          .write(.any(of: sources)) { _ in rename(source, path) }
      }
      #expect(error?.code == .isInput && content(path) == "source")
      rename(path, source)
    }
  }

  @Test func emptyFilesAreReplacedAsOwn() throws {
    let path = try folder.write("", to: "a.tif")
    let destination = OutputDestination.file(URL(filePath: path), existing: .replaceOwn)
    _ = try destination.write(.any(), chunks: [Array("new".utf8)])
    #expect(content(path) == "new")
    #expect(throws: WriteError.self) { _ = try destination.write(.any(), chunks: [[1]]) }
    #expect(throws: WriteError.self) {
      _ = try OutputDestination.file(URL(filePath: path)).write(.any(), chunks: [[1]])
    }
  }

  /// The same bytes wherever they go.
  @Test(arguments: EncoderSettings.Container.pictures)
  func bytesAreThoseOfTheFile(container: EncoderSettings.Container) throws {
    let picture = DisplayPicture(FormulaPicture.noise(24, 16, primaries: .srgb))
    let settings = EncoderSettings.template(
      .sdr, source: PictureFormat(.sdr, primaries: .srgb, bitDepth: 8, size: picture.size),
      container: container)
    let exporter = try StillExporter(settings, workers: 1)
    let path = folder.file("a.\(container.descriptor.extensions[0])")
    let file = try exporter.write(picture, to: .file(URL(filePath: path)))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(file.contents == nil && file.url?.path == path && file.byteCount == bytes.count)
    let memory = try exporter.write(picture, to: .memory)
    #expect(memory.contents == bytes && memory.url == nil && memory.byteCount == bytes.count)
    let other = folder.file("open")
    let descriptor = open(other, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let written = try exporter.write(picture, to: .descriptor(descriptor))
    #expect(written.contents == nil && written.byteCount == bytes.count)
    #expect([UInt8](try Data(contentsOf: URL(filePath: other))) == bytes)
    // Devices and pipes have any name.
    #expect(try exporter.write(picture, to: .file(URL(filePath: "/dev/null"))).byteCount > 0)
  }

  @Test func pipesGetTheWholeFile() throws {
    let path = folder.file("pipe.gif")
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let (count, contents) = try OutputDestination.file(URL(filePath: path))
      .write(OutputContent(.png), chunks: [[1, 2], [3]])
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(count == 3 && contents == nil && read(reader, &bytes, 8) == 3)
    #expect(bytes.prefix(3) == [1, 2, 3])
  }
}
