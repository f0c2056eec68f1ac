import ActionLog
import LogTools
import ReplayDebugger
import ReplayEngine

/// The log as text documents for an editor.
///
/// Each step has one or more lines, as printed by `show`.
///
/// A long log is divided into documents of ten thousand action numbers each, so that each document costs the same
/// regardless of its position.
final class TimelineDocuments {
  /// The text of a document, with the step of each line.
  struct Document {
    let text: String
    /// The step of each line.
    let steps: [StepID]

    /// Returns the first line of a step, counted from 1, or `nil` if the document doesn't contain the step.
    func line(of id: StepID) -> Int? {
      let index = steps.partitioningIndex { $0 >= id }
      return index < steps.count && steps[index] == id ? index + 1 : nil
    }
  }

  private let log: DebuggedLog
  private let name: String
  /// The offset from the number of a document to its reference.
  ///
  /// The offset makes references unique across logs.
  private let base: Int
  /// The maximum number of action numbers in a document.
  private let size: Int
  /// The number of the last document, counted from 0.
  let last: Int
  private var texts: [(number: Int, document: Document)] = []

  /// The maximum number of documents that are kept in memory.
  private static let mostTexts = 3

  /// Creates the documents of a log.
  ///
  /// - Parameters:
  ///   - log: The log of the timeline.
  ///   - name: The name of the log, after which the documents are named.
  ///   - base: The number before the reference of the first document.
  ///   - size: The number of action numbers in a document.
  /// - Throws: `LogReadError`.
  init(_ log: DebuggedLog, name: String, base: Int, size: Int = 10_000) throws(LogReadError) {
    (self.log, self.name, self.base, self.size) = (log, name, base, size)
    last = (try log.last()?.seq ?? 0) / size
  }

  /// The file extension by which editors recognize the documents' language.
  static let suffix = ".tca-timeline"
  static let mimeType = "text/x-tca-timeline"

  /// The references of all documents.
  var references: ClosedRange<Int> { base + 1...base + 1 + last }

  /// Returns the reference of the document that contains an action.
  func reference(of seq: Int) -> Int { base + 1 + min(seq / size, last) }

  /// Returns the name of a document.
  func name(of reference: Int) -> String {
    guard last > 0 else { return name + Self.suffix }
    let first = (reference - base - 1) * size
    return "\(name)-\(first)-\(first + size - 1)\(Self.suffix)"
  }

  /// Returns the document with a reference.
  ///
  /// - Throws: `LogReadError`, or the errors that `check` throws.
  func document(_ reference: Int, check: () throws -> Void = {}) throws -> Document {
    let number = reference - base - 1
    if let known = texts.firstIndex(where: { $0.number == number }) {
      let text = texts.remove(at: known)
      texts.append(text)
      return text.document
    }
    let document = try write(number, check)
    texts.append((number, document))
    if texts.count > Self.mostTexts { texts.removeFirst() }
    return document
  }

  private func write(_ number: Int, _ check: () throws -> Void) throws -> Document {
    var text: [UInt8] = []
    var steps: [StepID] = []
    let first = StepID(seq: number * size)
    let lines = TimelineLines(style: .plain)
    var next = try log.step(at: first) ?? log.step(after: first)
    if number == 0 { next = try log.first() }
    while let step = next, number == last || step.seq < first.seq + size {
      if steps.count.isMultiple(of: 64) { try check() }
      let start = text.count
      step.forEachEvent { entry, before, effects in
        lines.write(entry.event, before: before, effects: effects, to: &text)
      }
      lines.finishStep(to: &text)
      if text.count > start, text.last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
      let feeds = text[start...].count { $0 == UInt8(ascii: "\n") }
      steps += Array(repeating: step.id, count: feeds)
      next = try log.step(after: step.id)
    }
    return Document(text: String(decoding: text, as: UTF8.self), steps: steps)
  }
}
