import ActionLog
import Foundation
import ReplayEngine

/// A reader for the lines of a stream that reads byte by byte, so that it leaves the following bytes in the stream.
package struct UnbufferedLines {
  private let input: FileHandle

  package init(_ input: FileHandle) { self.input = input }

  /// Returns the next line without its line feed, or `nil` after the last line.
  ///
  /// - Throws: `LogReadError.system` if the stream can't be read.
  package func next() throws(LogReadError) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      switch read(input.fileDescriptor, &byte, 1) {
      case 1 where byte == UInt8(ascii: "\n"): return String(decoding: line, as: UTF8.self)
      case 1: line.append(byte)
      case 0: return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
      default:
        guard errno == EINTR else { throw .system(path: Wording.standardInput, code: errno) }
      }
    }
  }
}
