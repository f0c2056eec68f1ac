import ActionLog
import Foundation
import ReplayEngine

/// An error that reports a failed system call on a file or stream.
package struct StreamError: Error, Hashable, CustomStringConvertible {
  /// The name of the file or stream in messages.
  package let name: String
  /// The `errno` value of the failed call.
  package let code: Int32
  /// Whether the failed call was to create the file.
  let isCreation: Bool

  package init(name: String, code: Int32, isCreation: Bool = false) {
    self.name = name
    self.code = code
    self.isCreation = isCreation
  }

  /// Converts an error that Foundation threw when a file or folder could not be created.
  ///
  /// - Parameters:
  ///   - name: The name of the file or folder.
  ///   - error: The error that Foundation threw.
  ///   - code: The `errno` value to use if Foundation's error contains none.
  package init(creating name: String, _ error: any Error, otherwise code: Int32) {
    let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let known = system.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
    let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
    self.init(name: name, code: known ?? (isFull ? ENOSPC : code), isCreation: true)
  }

  /// Whether the reader has closed its end of the pipe, which is not a failure.
  package var isClosedPipe: Bool { code == EPIPE }

  package var description: String { Wording.describe(self) }
}
