// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Linux's Dispatch does not have. On Apple's platforms it is in Dispatch itself; each line says which page describes it.

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
