/// A message about a range of the user's source.
struct Diagnostic: Equatable {
  let kind: DiagnosticMessage
  let range: Range<Int>
  let fileName: String
  let offset: Int
  let fixIts: [FixIt]

  /// Creates a diagnostic for a range of byte offsets in the source.
  init(
    _ kind: DiagnosticMessage,
    at range: Range<Int>,
    in source: SourceText,
    fixIts: [FixIt] = []
  ) {
    self.kind = kind
    self.range = range
    self.fixIts = fixIts
    fileName = source.fileName
    offset = source.offset
  }
}

/// A source change that resolves a diagnostic.
struct FixIt: Equatable {
  let message: FixItMessage
  let changes: [TextReplacement]

  struct TextReplacement: Equatable {
    let range: Range<Int>
    let newText: String
  }

  init(_ message: FixItMessage, replacing range: Range<Int>, with newText: String) {
    self.message = message
    changes = [TextReplacement(range: range, newText: newText)]
  }

  init(_ message: FixItMessage, changes: [TextReplacement]) {
    self.message = message
    self.changes = changes
  }
}

extension Diagnostic {
  /// The diagnostic in the format of the compiler's protocol.
  var message: PluginMessage.Diagnostic {
    PluginMessage.Diagnostic(
      message: kind.text,
      severity: kind.severity.rawValue,
      position: .init(fileName: fileName, offset: offset + range.lowerBound),
      highlights: range.isEmpty ? [] : [messageRange(range)],
      notes: [],
      fixIts: fixIts.map { fixIt in
        PluginMessage.FixIt(
          message: fixIt.message.text,
          changes: fixIt.changes.map {
            .init(range: messageRange($0.range), newText: $0.newText)
          }
        )
      }
    )
  }

  private func messageRange(_ range: Range<Int>) -> PluginMessage.Range {
    .init(
      fileName: fileName,
      startOffset: offset + range.lowerBound,
      endOffset: offset + range.upperBound
    )
  }
}
