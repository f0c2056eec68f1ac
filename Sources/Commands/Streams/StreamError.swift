import ActionLog
import Foundation
import ReplayEngine

/// A system error while reading or writing.
package struct StreamError: Error, Hashable, CustomStringConvertible {
  /// The name of the file or stream.
  package let name: String
  /// The `errno` value.
  package let code: Int32
  /// Whether a file could not be created.
  let isCreation: Bool

  package init(name: String, code: Int32, isCreation: Bool = false) {
    self.name = name
    self.code = code
    self.isCreation = isCreation
  }

  /// Converts a Foundation error about a file or folder that could not be created.
  ///
  /// - Parameters:
  ///   - name: The file or folder.
  ///   - error: The error of Foundation.
  ///   - code: The `errno` value to use if Foundation's error has none.
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
