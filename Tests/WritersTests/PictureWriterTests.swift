import Formats
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct PictureWriterTests {
  typealias Container = EncoderSettings.Container

  /// Settings that suit a container.
  private func settings(_ container: Container) -> EncoderSettings {
    .template(
      .sdr,
      source: PictureFormat(
        .sdr, primaries: .displayP3, bitDepth: 8, size: PixelSize(width: 1, height: 1)),
      container: container)
  }

  @Test func everyKindOfFileHasOneWriter() throws {
    let written = PictureWriters.all.flatMap { $0.containers }
    #expect(Set(written) == Set(Container.pictures) && written.count == Set(written).count)
    for container in Container.pictures {
      let writer = try PictureWriters.writer(of: settings(container), workers: 1)
      #expect(type(of: writer).containers.contains(container))
    }
  }

  /// What a container does not hold is refused in one message, whoever is asked.
  @Test(arguments: Container.allCases)
  func everyWriterRefusesWhatItCannotHold(container: Container) throws {
    let fitting = settings(container)
    let changes: [@Sendable (inout EncoderSettings) -> Void] = [
      { $0.bits = 7 }, { $0.quality = 1.5 }, { $0.quality = .nan }, { $0.mapQuality = -1 },
      { $0.thumbnail = 15 }, { $0.exrTileSize = 1 }, { $0.exrLevel = 0 }, { $0.av1Speed = 10 },
      { $0.compression = .deflate(level: 0) }, { $0.maximumSide = 0 },
      { $0.space = ColorSpace(.displayP3, .pq) },
    ]
    for (number, change) in changes.enumerated() {
      let changed = fitting.with(change)
      let refusal = #expect(throws: WriteError.self, "\(number)") { try changed.validate() }
      for writer in PictureWriters.all where writer.containers.contains(container) {
        let error = #expect(throws: WriteError.self, "\(writer) \(number)") {
          _ = try writer.init(changed, workers: 1)
        }
        #expect(error?.code == .badSetting && error?.message == refusal?.message)
      }
    }
  }

  /// Settings for the file of another writer are refused, and both are named.
  @Test func otherKindsOfFileAreRefused() {
    for container in Container.pictures {
      for writer in PictureWriters.all where !writer.containers.contains(container) {
        let error = #expect(throws: WriteError.self, "\(writer) \(container)") {
          _ = try writer.init(settings(container), workers: 1)
        }
        #expect(error?.code == .badSetting)
        let names = [container] + writer.containers
        for name in names.map(\.descriptor.name) {
          #expect(error?.message.contains(name) == true, "\(writer) \(name)")
        }
      }
    }
  }

  /// Unset values are the defaults of the container's row.
  @Test func whatIsOpenIsResolvedByTheRow() {
    for container in Container.pictures {
      let (open, row) = (EncoderSettings(container), container.descriptor)
      #expect(open.quality == nil && open.codedQuality == row.quality ?? 1)
      #expect(open.codedMapQuality == row.mapQuality ?? 1)
      #expect(open.with { $0.quality = 0.5 }.codedQuality == 0.5)
      #expect(throws: Never.self, "\(container)") { try open.validate() }
    }
    #expect(Container.qualities == "0.75 for HEIF and AVIF, 0.9 for JPEG and JPEG XL")
  }
}
