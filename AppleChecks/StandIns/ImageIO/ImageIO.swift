// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The writing of images, reduced to the parts that the project uses. Each comment names the page of
// developer.apple.com/documentation that describes the declaration.

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
