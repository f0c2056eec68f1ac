// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's file types, reduced to the parts that the project uses. Each comment names the page that describes the
// declaration.

// developer.apple.com/documentation/uniformtypeidentifiers/uttype
public struct UTType: Hashable, Sendable {
  // developer.apple.com/documentation/uniformtypeidentifiers/uttype/data
  public static let data = UTType()
  // developer.apple.com/documentation/uniformtypeidentifiers/uttype/png
  public static let png = UTType()
  // developer.apple.com/documentation/uniformtypeidentifiers/uttype/identifier
  public var identifier: String { "" }
}
