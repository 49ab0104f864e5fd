import ImageCore

/// The semantic mattes of a simulated ProRAW: half its size, soft edges, white where the thing is.
enum ProRAWMattes {
  static func all(of size: PixelSize) -> [DNGMatte] {
    let half = PixelSize(width: max(1, size.width / 2), height: max(1, size.height / 2))
    return [
      matte("urn:com:apple:photo:2020:aux:semanticskymatte", half) { _, v in
        (SyntheticScene.horizon - v) * 40 + 0.5
      },
      matte("urn:com:apple:photo:2019:aux:semanticskinmatte", half) { u, v in
        (0.12 - SceneShading.length(u - 0.1, v - 0.55)) * 20 + 0.5
      },
      matte(
        "urn:com:apple:photo:2018:aux:portraiteffectsmatte", half,
        namespace: "portraitEffectsMatte", version: "PortraitEffectsMatteVersion"
      ) { u, v in
        (0.32 - SceneShading.length((u - 0.1) * 1.4, v - 0.75)) * 12 + 0.5
      },
    ].compactMap { $0 }
  }

  /// A matte of `cover` at a position in picture heights from the top center.
  private static func matte(
    _ name: String, _ size: PixelSize, namespace: String = "semanticSegmentationMatte",
    version: String = "SemanticSegmentationMatteVersion", cover: (Float, Float) -> Float
  ) -> DNGMatte? {
    let scale = 1 / Float(size.height)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.area)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let coverage = cover(
          (Float(x) + 0.5 - Float(size.width) / 2) * scale, (Float(y) + 0.5) * scale)
        pixels.append(UInt8((min(1, max(0, coverage)) * 255).rounded()))
      }
    }
    var matte = DNGMatte(size: size, semanticName: name, pixels: pixels)
    matte?.xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 6.0.0">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about=""
                  xmlns:\(namespace)="http://ns.apple.com/\(namespace)/1.0/"
                  xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/">
               <\(namespace):\(version)>65536</\(namespace):\(version)>
               <apdi:AuxiliaryImageType>\(name)</apdi:AuxiliaryImageType>
            </rdf:Description>
         </rdf:RDF>
      </x:xmpmeta>
      """
    return matte
  }
}
