// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The parts of Dispatch that Linux lacks. On Apple's platforms they are in Dispatch itself. Each comment names the page
// that describes the declaration.

public import Dispatch

// developer.apple.com/documentation/dispatch/dispatchsourcefilesystemobject
public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {}

extension DispatchSource {
  // developer.apple.com/documentation/dispatch/dispatchsource/makefilesystemobjectsource(filedescriptor:eventmask:queue:)
  public class func makeFileSystemObjectSource(
    fileDescriptor _: Int32,
    eventMask _: FileSystemEvent,
    queue _: DispatchQueue? = nil
  ) -> any DispatchSourceFileSystemObject { fatalError() }
}
