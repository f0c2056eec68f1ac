/// A list of log files in order.
///
/// The paths are stored as contiguous bytes, because there may be a hundred thousand of them.
package struct LogFileList: RandomAccessCollection, Sendable {
  package typealias Entry = LogFileFinder.LogFileEntry

  private var paths: [UInt8] = []
  /// The end offset of each path in `paths`, in the order in which the paths were appended.
  private var ends: [Int] = []
  /// The entries whose name differs from their path, and failures, by their index in `ends`.
  private var others: [Int: Entry] = [:]
  /// The indexes in `ends`, in the order of the list.
  private var order: [Int] = []

  package init() {}

  package init(_ entry: Entry) { append(entry) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { order.count }

  package subscript(position: Int) -> Entry {
    let number = order[position]
    if let entry = others[number] { return entry }
    let path = String(decoding: path(number), as: UTF8.self)
    return .file(path: path, name: path)
  }

  private func path(_ number: Int) -> ArraySlice<UInt8> {
    paths[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
  }

  package mutating func append(_ entry: Entry) {
    switch entry {
    case .file(let path, let name) where path == name: append(path)
    case .file(_, let name): append(name, entry)
    case .failure(let name, _): append(name, entry)
    }
  }

  private mutating func append(_ path: String, _ other: Entry? = nil) {
    others[ends.count] = other
    order.append(ends.count)
    paths += path.utf8
    ends.append(paths.count)
  }

  package mutating func append(contentsOf list: LogFileList) {
    let first = ends.count
    let start = paths.count
    for (number, entry) in list.others { others[first + number] = entry }
    order += list.order.lazy.map { $0 + first }
    paths += list.paths
    ends += list.ends.lazy.map { $0 + start }
  }

  /// Sorts the entries by the bytes of their names.
  mutating func sort() {
    order = order.sorted { path($0).lexicographicallyPrecedes(path($1)) }
  }

  /// Returns a list of the entries at the given positions.
  package func entries(at places: some Sequence<Int>) -> LogFileList {
    var list = self
    list.order = places.map { order[$0] }
    return list
  }
}
