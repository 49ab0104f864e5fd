import Containers
import Foundation
import Testing

@testable import Recipes

/// The same texts read by exiftool.
struct IndependentReaderTests {
  private static let exiftool = "/usr/bin/exiftool"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: exiftool)))
  func exiftoolReadsTheSameValues() throws {
    for text in [SidecarFixtures.classic, SidecarFixtures.elements] {
      let file = FileManager.default.temporaryDirectory.appending(
        path: "rawdev-\(UUID().uuidString).xmp")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(text.utf8).write(to: file)
      let process = Process()
      process.executableURL = URL(filePath: Self.exiftool)
      process.arguments = ["-j", "-n", "-struct", "-XMP-crs:all", "-XMP-tiff:all", file.path]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let read = try #require(try JSONDecoder().decode([RecipeValue].self, from: output).first)
      let packet = try XMPPacket(Array(text.utf8))
      var compared = 0
      for namespace in [XMPNamespace.cameraRaw, .tiff] {
        for (name, value) in packet.fields(in: namespace) {
          guard case .text(let text) = value else { continue }
          // exiftool capitalizes a few names in its own way.
          guard let other = read[name] else { continue }
          compared += 1
          switch other {
          case .number(let number): #expect(value.number == number, "\(name)")
          case .bool(let truth): #expect(value.truth == truth, "\(name)")
          case .text(let other):
            #expect(
              other.trimmingCharacters(in: .whitespaces)
                == text.trimmingCharacters(in: .whitespaces), "\(name)")
          default: Issue.record("\(name) is \(other)")
          }
        }
      }
      #expect(compared >= packet.fields(in: .cameraRaw).count * 3 / 4)
    }
  }
}
