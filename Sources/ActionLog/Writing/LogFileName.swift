import Foundation

/// The names of the logs of one destination: `name.jsonl`, `name-2.jsonl`, and those of their segments.
package struct LogFileName: Sendable {
  /// The folder.
  package let folder: String
  private let stem: String
  private let suffix: String
  private let path: String

  /// The names that go with a path.
  package init(_ path: String) {
    self.path = path
    let url = URL(fileURLWithPath: path)
    folder = url.deletingLastPathComponent().path
    stem = url.deletingPathExtension().lastPathComponent
    suffix = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
  }

  /// The names of the recording to which the path of a segment belongs; for other paths these names themselves.
  package var ofRecording: LogFileName {
    guard let mark = stem.range(of: ".segment-", options: .backwards),
      let segment = Int(stem[mark.upperBound...]), segment > 0
    else { return self }
    return LogFileName(siblingPath("\(stem[..<mark.lowerBound])\(suffix)"))
  }

  /// The name of a recording: the path itself, then with a number.
  package func numbered(_ number: Int) -> String {
    number == 1 ? path : siblingPath("\(stem)-\(number)\(suffix)")
  }

  /// The name of a segment of a recording.
  package func segment(_ segment: Int, of number: Int) -> String {
    siblingPath("\(number == 1 ? stem : "\(stem)-\(number)").segment-\(segment)\(suffix)")
  }

  private func siblingPath(_ name: String) -> String {
    // As the caller wrote it: a relative path stays one.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return slash.map { "\(path[...$0])\(name)" } ?? name
  }

  /// The recording and segment to which a file belongs; `nil` for files of other names.
  package func parse(_ name: String) -> (number: Int, segment: Int?)? {
    guard name.hasPrefix(stem), name.hasSuffix(suffix),
      name.utf8.count >= stem.utf8.count + suffix.utf8.count
    else { return nil }
    var rest = name.dropFirst(stem.count).dropLast(suffix.count)
    var number = 1
    if rest.hasPrefix("-") {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard let parsed = Int(digits), parsed > 1, "\(parsed)" == digits else { return nil }
      number = parsed
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.isEmpty { return (number, nil) }
    let mark = ".segment-"
    guard rest.hasPrefix(mark) else { return nil }
    let digits = rest.dropFirst(mark.count)
    guard let segment = Int(digits), segment > 0, "\(segment)" == digits else { return nil }
    return (number, segment)
  }
}
