import Foundation

/// The file names of the logs at a destination: `name.jsonl`, `name-2.jsonl`, and the names of their segments.
package struct LogFileName: Sendable {
  /// The path of the folder that contains the logs.
  package let folder: String
  private let stem: String
  private let suffix: String
  private let path: String

  /// Creates the names for the logs at a path, such as `folder/name.jsonl`.
  package init(_ path: String) {
    self.path = path
    let url = URL(fileURLWithPath: path)
    folder = url.deletingLastPathComponent().path
    stem = url.deletingPathExtension().lastPathComponent
    suffix = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
  }

  /// The file names for the recording that contains this segment, or `self` if the path isn't that of a segment.
  package var ofRecording: LogFileName {
    guard let mark = stem.range(of: ".segment-", options: .backwards),
      let segment = Int(stem[mark.upperBound...]), segment > 0
    else { return self }
    return LogFileName(siblingPath("\(stem[..<mark.lowerBound])\(suffix)"))
  }

  /// Returns the path of the recording with the given number.
  ///
  /// The first recording has the original path.
  package func numbered(_ number: Int) -> String {
    number == 1 ? path : siblingPath("\(stem)-\(number)\(suffix)")
  }

  /// Returns the path of a segment, from the numbers of the segment and of its recording.
  package func segment(_ segment: Int, of number: Int) -> String {
    siblingPath("\(number == 1 ? stem : "\(stem)-\(number)").segment-\(segment)\(suffix)")
  }

  private func siblingPath(_ name: String) -> String {
    // The path stays as the caller wrote it, so a relative path stays relative.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return slash.map { "\(path[...$0])\(name)" } ?? name
  }

  /// Returns the numbers of the recording and segment that a file name contains, or `nil` for other names.
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
