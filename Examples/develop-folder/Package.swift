// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "develop-folder",
  dependencies: [.package(name: "rawdev", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "develop-folder", dependencies: [.product(name: "RawdevRecipes", package: "rawdev")])
  ],
  swiftLanguageModes: [.v6]
)
