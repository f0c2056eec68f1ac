// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// What writes images, as far as the project uses it. Each line says which page of developer.apple.com/documentation describes it.

public import Foundation

// corefoundation/cfstring, corefoundation/cfmutabledata, corefoundation/cfdictionary: Foundation's types are bridged to them.
public typealias CFString = String
public typealias CFMutableData = NSMutableData
public typealias CFDictionary = [String: String]

// coregraphics/cgimage
public final class CGImage {}

// imageio/cgimagedestination
public final class CGImageDestination {}

// imageio/cgimagedestinationcreatewithdata(_:_:_:_:)
public func CGImageDestinationCreateWithData(
  _: CFMutableData,
  _: CFString,
  _: Int,
  _: CFDictionary?
) -> CGImageDestination? { nil }

// imageio/cgimagedestinationaddimage(_:_:_:)
public func CGImageDestinationAddImage(_: CGImageDestination, _: CGImage, _: CFDictionary?) {}

// imageio/cgimagedestinationfinalize(_:)
public func CGImageDestinationFinalize(_: CGImageDestination) -> Bool { false }
