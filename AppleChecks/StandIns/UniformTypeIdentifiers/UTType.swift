// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's types of files, as far as the project uses them. Each line says which page describes it.

// developer.apple.com/documentation/uniformtypeidentifiers/uttype
public struct UTType: Hashable, Sendable {
  // developer.apple.com/documentation/uniformtypeidentifiers/uttype/data
  public static let data = UTType()
  // developer.apple.com/documentation/uniformtypeidentifiers/uttype/png
  public static let png = UTType()
  // developer.apple.com/documentation/uniformtypeidentifiers/uttype/identifier
  public var identifier: String { "" }
}
