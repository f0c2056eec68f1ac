/// A patch of a log, which stays the text that stood there until somebody asks for its operations.
package enum LoggedPatch: Sendable {
  case patch(JSON.Patch)
  /// Text that is known to be a patch.
  case text([UInt8])

  /// The operations.
  package var patch: JSON.Patch {
    switch self {
    case .patch(let patch): return patch
    case .text(let text):
      let plain = text.withUnsafeBufferPointer { bytes in
        var parser = JSON.Parser(bytes: bytes)
        return parser.plainPatch()
      }
      return plain ?? (try? JSON.Patch(json: JSON(parsing: text))) ?? JSON.Patch()
    }
  }

  /// Whether both are text, and the same one.
  package func hasSameText(as other: LoggedPatch) -> Bool {
    guard case .text(let text) = self, case .text(let other) = other else { return false }
    return text.hasSameBytes(as: other)
  }
}

extension LoggedPatch: Equatable {
  /// Compares operations; the same text is the same patch.
  package static func == (lhs: LoggedPatch, rhs: LoggedPatch) -> Bool {
    lhs.hasSameText(as: rhs) || lhs.patch == rhs.patch
  }
}

extension LogEncoder {
  /// Writes a member of the format itself.
  mutating func field(_ name: String, _ patch: LoggedPatch) {
    switch patch {
    case .patch(let patch): field(name, patch.json)
    case .text(let text): field(name, text: text)
    }
  }
}
