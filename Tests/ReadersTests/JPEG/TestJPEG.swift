import CTurboJPEG
import Containers
import Foundation
import HDRRender
import ImageCore
import Testing

/// JPEG files built segment by segment.
enum TestJPEG {
  /// `pixels` of `components` (1 or 3) bytes, row by row, full chroma.
  static func encode(
    _ pixels: [UInt8], _ width: Int, _ height: Int, components: Int, progressive: Bool = false,
    cmyk: Bool = false
  ) throws -> [UInt8] {
    let handle = try #require(tjInitCompress())
    defer { tjDestroy(handle) }
    let sampling = Int32(components == 1 ? TJSAMP_GRAY.rawValue : TJSAMP_444.rawValue)
    let format = cmyk ? TJPF_CMYK : components == 1 ? TJPF_GRAY : TJPF_RGB
    var target: UnsafeMutablePointer<UInt8>?
    var length: UInt = 0
    defer { tjFree(target) }
    let status = tjCompress2(
      handle, pixels, Int32(width), 0, Int32(height), format.rawValue, &target, &length, sampling,
      95, progressive ? TJFLAG_PROGRESSIVE : 0)
    try #require(status == 0)
    return Array(UnsafeBufferPointer(start: target, count: Int(length)))
  }

  /// A picture of one code throughout.
  static func flat(_ code: UInt8, _ width: Int, _ height: Int, components: Int = 3) throws
    -> [UInt8]
  {
    try encode(
      [UInt8](repeating: code, count: width * height * components), width, height,
      components: components)
  }

  /// A picture whose codes all differ from their neighbors'.
  static func ramps(
    _ width: Int, _ height: Int, components: Int = 3, progressive: Bool = false
  ) throws -> [UInt8] {
    let pixels = (0..<width * height * components).map { i -> UInt8 in
      let (x, y) = (i / components % width, i / components / width)
      return UInt8(truncatingIfNeeded: (x * 7 + y * 5 + i % components * 40) & 0xFF)
    }
    return try encode(pixels, width, height, components: components, progressive: progressive)
  }

  static func bigEndian(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
  }

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(payload.count + 2, 2) + payload
  }

  /// `jpeg` with `segments` behind its start marker.
  static func with(_ segments: [[UInt8]], _ jpeg: [UInt8]) -> [UInt8] {
    Array(jpeg[..<2]) + segments.joined() + jpeg[2...]
  }

  static func packet(_ descriptions: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      \(descriptions)
       </rdf:RDF>
      </x:xmpmeta>
      """.utf8)
  }

  static func xmp(_ descriptions: String) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet(descriptions))
  }

  static func iso(_ record: [UInt8] = [0, 0, 0, 0]) -> [UInt8] {
    segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + record)
  }

  static func icc(_ chunk: [UInt8], _ number: UInt8, of count: UInt8) -> [UInt8] {
    segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + chunk)
  }

  /// The number in the byte order of a TIFF structure.
  private static func number(_ value: Int, _ bytes: Int, big: Bool) -> [UInt8] {
    let all = bigEndian(value, bytes)
    return big ? all : all.reversed()
  }

  /// A multi-picture index with these offsets, which count from its own header, and types.
  static func index(_ offsets: [Int], types: [Int] = [], big: Bool = true) -> [UInt8] {
    func n(_ value: Int, _ bytes: Int) -> [UInt8] { number(value, bytes, big: big) }
    var block: [UInt8] = (big ? [0x4D, 0x4D] : [0x49, 0x49]) + n(42, 2) + n(8, 4) + n(3, 2)
    block += n(0xB000, 2) + n(7, 2) + n(4, 4) + Array("0100".utf8)
    block += n(0xB001, 2) + n(4, 2) + n(1, 4) + n(offsets.count, 4)
    block += n(0xB002, 2) + n(7, 2) + n(16 * offsets.count, 4) + n(50, 4) + n(0, 4)
    for (index, offset) in offsets.enumerated() {
      block += n(index < types.count ? types[index] : 0, 4) + n(1000, 4) + n(offset, 4) + n(0, 4)
    }
    return segment(0xE2, Array("MPF\0".utf8) + block)
  }

  /// An Exif block with an orientation, and Apple's maker note with the numbers 33 and 48,
  /// thousandths.
  static func exif(
    orientation: Int = 1, maker: (Int, Int)? = nil, make: String? = nil
  ) -> [UInt8] {
    func n(_ value: Int, _ bytes: Int) -> [UInt8] { bigEndian(value, bytes) }
    var block: [UInt8] = [0x4D, 0x4D] + n(42, 2) + n(8, 4) + n(maker == nil ? 1 : 2, 2)
    block += n(0x0112, 2) + n(3, 2) + n(1, 4) + n(orientation, 2) + n(0, 2)
    if let maker {
      block += n(0x8769, 2) + n(4, 2) + n(1, 4) + n(38, 4) + n(0, 4)
      var note = Array("Apple iOS\0\0\u{1}MM".utf8) + n(2, 2)
      note += n(33, 2) + n(10, 2) + n(1, 4) + n(44, 4) + n(48, 2) + n(10, 2) + n(1, 4) + n(52, 4)
      note += n(0, 4) + n(maker.0, 4) + n(1000, 4) + n(maker.1, 4) + n(1000, 4)
      block += n(1, 2) + n(0x927C, 2) + n(7, 2) + n(note.count, 4) + n(56, 4) + n(0, 4) + note
    } else if let make {
      block.replaceSubrange(8..<10, with: n(2, 2))
      let entry = n(0x010F, 2) + n(2, 2) + n(make.utf8.count + 1, 4) + n(38, 4)
      block.insert(contentsOf: entry, at: 10)
      block += n(0, 4) + Array(make.utf8) + [0]
    } else {
      block += n(0, 4)
    }
    return segment(0xE1, Array("Exif\0\0".utf8) + block)
  }

  /// `primary` with an index that leads to `second`, behind it.
  static func pair(_ primary: [UInt8], _ second: [UInt8], big: Bool = true) -> [UInt8] {
    let length = primary.count + index([0, 0]).count
    // Start marker, segment marker, length and "MPF\0" precede the header.
    return with([index([0, length - 10], big: big)], primary) + second
  }

  /// Android's list of the two pictures.
  static func directory(length: String, padding: Int = 0) -> String {
    """
      <rdf:Description xmlns:Container="http://ns.google.com/photos/1.0/container/"
        xmlns:Item="http://ns.google.com/photos/1.0/container/item/">
       <Container:Directory><rdf:Seq>
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary"
          Item:Mime="image/jpeg" Item:Padding="\(padding)"/></rdf:li>
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap"
          Item:Mime="image/jpeg" Item:Length="\(length)"/></rdf:li>
       </rdf:Seq></Container:Directory></rdf:Description>
    """
  }
}

/// One set of parameters in all its forms.
enum TestGainMap {
  static func metadata(baseColor: Bool = true) throws -> GainMapMetadata {
    try GainMapMetadata(
      channels: [.init(maximumStops: 2)], alternateHeadroomStops: 2, usesBaseColorSpace: baseColor)
  }
  static func iso() throws -> [UInt8] { TestJPEG.iso(try metadata().isoRecord) }
  static func ultraHDR() throws -> String { HDRGMValues(try metadata()).xmpDescription }
  static let apple = AppleGainMap(headroom: 3).xmpDescription
  static let version = """
      <rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/>
    """
  /// A map of 16 by 12.
  static func map(_ segments: [[UInt8]], components: Int = 1) throws -> [UInt8] {
    TestJPEG.with(segments, try TestJPEG.flat(191, 16, 12, components: components))
  }
  /// ``metadata(baseColor:)`` in Apple's XMP; `channel` is one entry of its sequence.
  static func toneMap(
    version: String = "1", alternate: String = "2.000000", channel: String = toneMapChannel
  ) -> String {
    """
      <rdf:Description rdf:about="" xmlns:HDRToneMap="http://ns.apple.com/HDRToneMap/1.0/">
       <HDRToneMap:Version>\(version)</HDRToneMap:Version>
       <HDRToneMap:BaseHeadroom>0.000000</HDRToneMap:BaseHeadroom>
       <HDRToneMap:AlternateHeadroom>\(alternate)</HDRToneMap:AlternateHeadroom>
       <HDRToneMap:BaseColorIsWorkingColor>True</HDRToneMap:BaseColorIsWorkingColor>
       <HDRToneMap:ChannelMetadata><rdf:Seq>\(channel)</rdf:Seq></HDRToneMap:ChannelMetadata>
      </rdf:Description>
    """
  }
  static let toneMapChannel = """
    <rdf:li rdf:parseType="Resource"><HDRToneMap:GainMapMin>0</HDRToneMap:GainMapMin>
    <HDRToneMap:GainMapMax>2</HDRToneMap:GainMapMax><HDRToneMap:Gamma>1</HDRToneMap:Gamma>
    <HDRToneMap:BaseOffset>0.015625</HDRToneMap:BaseOffset>
    <HDRToneMap:AlternateOffset>0.015625</HDRToneMap:AlternateOffset></rdf:li>
    """
  /// What declares a picture to be Apple's map, whatever else its packet says.
  static let pixelData = AppleGainMap.pixelDataDescription
}
