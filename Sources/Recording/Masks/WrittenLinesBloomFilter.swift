import ActionLog
import Foundation

/// A Bloom filter over the written lines of a log.
///
/// The filter rules out most texts, so that the lines need not be read again to search for them.
struct WrittenLinesBloomFilter: Sendable {
  private var written = WrittenTextFilter()
  /// Whether no further search is made, because a text was found or the maximum number of searches is reached.
  private var isOver = false
  private var searches = 0

  /// The maximum number of searches that find no text, because the app waits during each search.
  private static let mostSearches = 8
  /// The maximum number of texts to search for after one action.
  ///
  /// A change with more texts is assumed to contain newly loaded data, which earlier lines don't contain.
  private static let mostSearched = 64

  /// Adds a line to the filter.
  mutating func add(_ line: [UInt8]) {
    guard !isOver else { return }
    written.add(line)
  }

  /// Returns the texts that may occur in the written lines, escaped as in JSON strings, or `nil` if there are none.
  func suspects(among texts: [[UInt8]]) -> [[UInt8]]? {
    guard !isOver else { return nil }
    let suspects = texts.prefix(Self.mostSearched).map(Self.escaped)
      .filter { written.mayContain($0) }
    return suspects.isEmpty ? nil : suspects
  }

  /// Counts a search through the lines, and prevents further searches if this one found a text.
  mutating func didSearch(found: Bool) {
    searches += 1
    isOver = found || searches == Self.mostSearches
  }

  /// Returns a text as it is escaped in a JSON string, without the quotation marks.
  private static func escaped(_ text: [UInt8]) -> [UInt8] {
    JSON.string(String(decoding: text, as: UTF8.self)).bytes.dropFirst().dropLast()
  }
}

/// An earlier line of a log that contains a text which the masker learned after the line was written.
struct LeakedSecretLine {
  let path: String
  let number: Int
  let event: LogEvent
  let text: String
}

extension LogStorage {
  /// Returns the first stored line that contains one of the texts, or `nil` if there is none.
  ///
  /// - Parameter texts: The texts to find, escaped as in JSON strings.
  /// - Returns: The line with the text that it contains.
  func firstLine(showing texts: [[UInt8]]) -> LeakedSecretLine? {
    let paths = paths
    guard let segments = try? read(), segments.count == paths.count else { return nil }
    for (path, segment) in zip(paths, segments) {
      var number = 0
      for line in segment.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        number += 1
        guard let text = texts.first(where: { line.firstRange(of: $0) != nil }),
          let json = try? JSON(parsing: Array(line)), let event = try? LogEvent(json: json)
        else { continue }
        let plain = (try? JSON(parsing: [0x22] + text + [0x22]))?.string ?? ""
        return LeakedSecretLine(path: path, number: number, event: event, text: plain)
      }
    }
    return nil
  }
}

extension LeakedSecretLine {
  /// A message that suggests a mask for the path at which the text occurs.
  var advice: String { Wording.earlierLine(number, of: path, maskedBy: place) }

  private var place: (name: String, pattern: MaskPath)? {
    switch event {
    case .checkpoint(let checkpoint):
      return checkpoint.state.pattern(showing: text).map { ("--path", MaskPath(anyOf: $0)) }
    case .action(let action):
      return action.action.pattern(showing: text).map { ("--action-path", MaskPath(anyOf: $0)) }
    case .read(let read):
      return read.value.pattern(showing: text).map {
        ("--read-path", MaskPath(anyOf: [read.key] + $0))
      }
    case .call(let call):
      return call.values.lazy.compactMap { tokens, value in
        value.pattern(showing: text).map {
          ("--call-path", MaskPath([call.key] + tokens, anyOf: $0))
        }
      }.first
    default:
      guard let change = event.stateChange else { return nil }
      let sent = change.effects.lazy.flatMap(\.flattened).compactMap { $0.action }
        .compactMap { $0.pattern(showing: text) }.first
      return pattern(in: change.patch) ?? sent.map { ("--action-path", MaskPath(anyOf: $0)) }
    }
  }

  private func pattern(in patch: JSON.Patch) -> (name: String, pattern: MaskPath)? {
    for operation in patch.operations {
      let tokens = operation.path.tokens
      if let index = tokens.firstIndex(where: { $0.contains(text) }) {
        return ("--path", MaskPath(anyOf: Array(tokens[..<index])))
      }
      switch operation {
      case .add(_, let value), .replace(_, let value), .test(_, let value):
        if let inner = value.pattern(showing: text) {
          return ("--path", MaskPath(anyOf: tokens + inner))
        }
      case .remove, .move, .copy, .splice: break
      }
    }
    return nil
  }
}

extension JSON {
  /// Returns the path of the first value or member name that contains a text, or `nil` if none contains it.
  fileprivate func pattern(showing text: String) -> [String]? {
    switch self {
    case .null, .bool: return nil
    case .number(let number): return number.literal == text ? [] : nil
    case .string(let string): return string.contains(text) ? [] : nil
    case .array(let elements):
      return elements.enumerated().lazy.compactMap { index, element in
        element.pattern(showing: text).map { ["\(index)"] + $0 }
      }.first
    case .object(let object):
      for (name, value) in object {
        // The mask must cover the object, because the member name is part of the object.
        if name.contains(text) { return [] }
        if let inner = value.pattern(showing: text) {
          return name == "$some" ? inner : [name] + inner
        }
      }
      return nil
    }
  }
}
