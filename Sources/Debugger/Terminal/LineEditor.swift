import ActionLog

/// A key that the user has pressed in a terminal.
enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter with the control key, such as `a` for Ctrl-A.
  case control(Character)
  /// A letter with the meta key, such as `b` for Alt-B.
  case meta(Character)
  case enter, tab, backspace, delete
  case up, down, left, right, home, end
  /// An unsupported escape sequence.
  case unknown
}

/// Assembles keys from the bytes that a terminal sends.
struct KeyParser {
  private var pending: [UInt8] = []

  /// Processes a byte.
  ///
  /// - Returns: The completed key, or `nil` if more bytes are needed.
  mutating func parse(_ byte: UInt8) -> Key? {
    pending.append(byte)
    guard let key = Self.key(pending) else { return nil }
    pending = []
    return key
  }

  /// Whether a sequence has begun.
  ///
  /// An escape byte that no further bytes follow is the escape key.
  var isOpen: Bool { !pending.isEmpty }

  /// Drops the sequence that has begun.
  mutating func reset() { pending = [] }

  private static func key(_ bytes: [UInt8]) -> Key? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1B: return escaped(bytes.dropFirst())
    case 0x0D, 0x0A: return .enter
    case 0x09: return .tab
    case 0x7F, 0x08: return .backspace
    case 0..<0x20: return .control(Character(Unicode.Scalar(first + 0x60)))
    case ..<0x80: return .character(Character(Unicode.Scalar(first)))
    default: return character(bytes)
    }
  }

  /// Returns the non-ASCII character that the bytes encode in UTF-8.
  private static func character(_ bytes: [UInt8]) -> Key? {
    let length =
      switch bytes[0] {
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 1
      }
    guard bytes.count >= length else {
      // The sequence is invalid if the next character begins before this one is complete.
      return bytes.count > 1 && bytes[bytes.count - 1] & 0xC0 != 0x80 ? .unknown : nil
    }
    guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else {
      return .unknown
    }
    return .character(character)
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>) -> Key? {
    guard let first = bytes.first else { return nil }
    switch first {
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      guard let last = bytes.dropFirst().last else { return nil }
      // A sequence has parameter bytes, and then a final byte (ECMA-48, 5.4).
      guard (0x40...0x7E).contains(last) else { return bytes.count > 16 ? .unknown : nil }
      return sequence(String(decoding: bytes.dropFirst(), as: UTF8.self))
    case 0x20..<0x7F: return .meta(Character(Unicode.Scalar(first)))
    default: return .unknown
    }
  }

  private static func sequence(_ text: String) -> Key {
    switch text {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "H", "1~", "7~": .home
    case "F", "4~", "8~": .end
    case "3~": .delete
    case "1;5C", "1;3C": .meta("f")
    case "1;5D", "1;3D": .meta("b")
    default: .unknown
    }
  }
}

/// The state of a line editor with the Emacs key bindings of readline.
struct LineEditor {
  /// The result of processing a key.
  enum KeyResult: Equatable {
    /// The user continues to edit.
    case edits
    case line(String)
    /// Ctrl-C: the line is canceled.
    case cancelled
    /// Ctrl-D on an empty line: the input ends.
    case ended
    /// Tab: the text before the cursor is completed.
    case completes
    /// Ctrl-L: the screen is cleared.
    case clearsScreen
    /// Ctrl-Z: the process is suspended.
    case suspends
  }

  private(set) var text: [Character] = []
  /// The offset of the cursor in characters.
  private(set) var cursor = 0
  /// The history search that the user started with Ctrl-R, or `nil` if none is active.
  private(set) var search: HistorySearch?
  private let history: [String]
  /// The index of the displayed history line, or the number of history lines for the new line.
  private var place: Int
  /// The text of the new line while a history line is displayed.
  private var draft: [Character] = []
  private var killed: [Character] = []

  /// A backward search through the history.
  struct HistorySearch: Equatable {
    var query = ""
    /// The index of the history line that was found, or `nil` if no line was found.
    ///
    /// The next search starts before this line.
    var found: Int?
    /// The text of the line before the search.
    var text: [Character]
    var isFailed = false
  }

  init(history: [String] = []) {
    self.history = history
    place = history.count
  }

  /// The text before the cursor.
  var head: String { String(text[..<cursor]) }

  /// The complete line.
  var line: String { String(text) }

  /// Replaces characters before the cursor.
  mutating func replace(last count: Int, with new: String) {
    let start = max(0, cursor - count)
    text.replaceSubrange(start..<cursor, with: new)
    cursor = start + new.count
  }

  /// Processes a key.
  mutating func handle(_ key: Key) -> KeyResult {
    if search != nil, let outcome = handleSearchKey(key) { return outcome }
    switch key {
    case .character(let character): insert(character)
    case .enter: return .line(line)
    case .tab: return .completes
    case .control("c"): return .cancelled
    case .control("d") where text.isEmpty: return .ended
    case .control("d"), .delete: remove(cursor..<min(cursor + 1, text.count))
    case .control("l"): return .clearsScreen
    case .control("z"): return .suspends
    case .control("r"): search = HistorySearch(text: text)
    case .control("p"), .up: showHistory(place - 1)
    case .control("n"), .down: showHistory(place + 1)
    case .control("a"), .home: cursor = 0
    case .control("e"), .end: cursor = text.count
    case .control("b"), .left: cursor = max(0, cursor - 1)
    case .control("f"), .right: cursor = min(text.count, cursor + 1)
    case .meta("b"): cursor = wordStart
    case .meta("f"): cursor = wordEnd
    case .backspace: remove(max(0, cursor - 1)..<cursor)
    case .control("k"): kill(cursor..<text.count)
    case .control("u"): kill(0..<cursor)
    case .control("w"), .meta("\u{7F}"): kill(blankStart..<cursor)
    case .meta("d"): kill(cursor..<wordEnd)
    case .control("y"): yank()
    case .control("t"): swap()
    case .control, .meta, .unknown: break
    }
    return .edits
  }
}

// MARK: - Editing

extension LineEditor {
  /// Inserts a character, or combines it with the previous one, such as an accent or a part of an emoji.
  private mutating func insert(_ character: Character) {
    if cursor > 0 {
      let joined = String([text[cursor - 1], character])
      if joined.count == 1 {
        text[cursor - 1] = Character(joined)
        return
      }
    }
    text.insert(character, at: cursor)
    cursor += 1
  }

  private mutating func remove(_ range: Range<Int>) {
    text.removeSubrange(range)
    cursor = range.lowerBound
  }

  private mutating func kill(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    killed = Array(text[range])
    remove(range)
  }

  private mutating func yank() {
    text.insert(contentsOf: killed, at: cursor)
    cursor += killed.count
  }

  /// Swaps the characters before and after the cursor.
  private mutating func swap() {
    guard text.count > 1, cursor > 0 else { return }
    if cursor == text.count { cursor -= 1 }
    text.swapAt(cursor - 1, cursor)
    cursor += 1
  }

  /// The start of the word before the cursor.
  ///
  /// A word consists of letters and digits.
  private var wordStart: Int {
    var index = cursor
    while index > 0, !text[index - 1].isOfWord { index -= 1 }
    while index > 0, text[index - 1].isOfWord { index -= 1 }
    return index
  }

  private var wordEnd: Int {
    var index = cursor
    while index < text.count, !text[index].isOfWord { index += 1 }
    while index < text.count, text[index].isOfWord { index += 1 }
    return index
  }

  /// The start of the text between the last space and the cursor.
  private var blankStart: Int {
    var index = cursor
    while index > 0, text[index - 1].isWhitespace { index -= 1 }
    while index > 0, !text[index - 1].isWhitespace { index -= 1 }
    return index
  }
}

extension Character {
  fileprivate var isOfWord: Bool { isLetter || isNumber }
}

// MARK: - History

extension LineEditor {
  private mutating func showHistory(_ wanted: Int) {
    guard (0...history.count).contains(wanted), wanted != place else { return }
    if place == history.count { draft = text }
    place = wanted
    text = wanted == history.count ? draft : Array(history[wanted])
    cursor = text.count
  }

  /// Processes a key during a search.
  ///
  /// Returns `nil` for a key that ends the search and then has its usual meaning.
  private mutating func handleSearchKey(_ key: Key) -> KeyResult? {
    guard var search else { return nil }
    switch key {
    case .character(let character):
      search.query.append(character)
      find(&search, from: search.found ?? history.count - 1)
    case .backspace:
      if !search.query.isEmpty { search.query.removeLast() }
      find(&search, from: history.count - 1)
    case .control("r"): find(&search, from: (search.found ?? history.count) - 1)
    case .control("c"), .control("g"):
      (text, cursor) = (search.text, search.text.count)
      self.search = nil
      return .edits
    default:
      self.search = nil
      return nil
    }
    self.search = search
    return .edits
  }

  private mutating func find(_ search: inout HistorySearch, from start: Int) {
    guard !search.query.isEmpty else {
      (search.found, search.isFailed) = (nil, false)
      return
    }
    let found = stride(from: min(start, history.count - 1), through: 0, by: -1).first {
      history[$0].contains(search.query)
    }
    search.isFailed = found == nil
    guard let found else { return }
    search.found = found
    place = found
    text = Array(history[found])
    cursor = text.count
  }
}
