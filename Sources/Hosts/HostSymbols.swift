import Foundation

/// The names of the functions of a host, which the runtime does not know unless they are exported.
struct HostSymbols {
  /// The file name of the host.
  let image: String
  private let functions: [(start: Int, end: Int, name: String)]

  /// Reads the table of symbols of an executable; it is empty when there is none, or the file is of another kind than ELF.
  init(of path: String) {
    image = URL(fileURLWithPath: path).lastPathComponent
    let data = (try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)) ?? Data()
    functions = data.withUnsafeBytes { Self.functions(in: $0) }
  }

  /// The demangled name of the app's function of a frame; `nil` for functions of libraries, this one included.
  func ownFunction(of frame: StackFrame) -> String? {
    guard frame.image == image else { return nil }
    if let function = frame.function { return function }
    var low = 0
    var high = functions.count
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].start <= frame.offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0, frame.offset < functions[low - 1].end else { return nil }
    let name = functions[low - 1].name
    guard let module = Self.module(of: name), !Self.ownModules.contains(module),
      !Self.thunks.contains(where: { name.hasSuffix($0) })
    else { return nil }
    // A private name has the digest of its file.
    return Self.demangled(name).replacing(/\(([^() ]+) in _[0-9A-F]{32}\)/) { $0.output.1 }
  }

  /// The mangled names of the app's functions that meet a condition, each once.
  func ownFunctions(where isMet: (String) -> Bool) -> [String] {
    var names: Set<String> = []
    for function in functions where isMet(function.name) {
      guard let module = Self.module(of: function.name),
        !Self.ownModules.contains(module), !Self.otherLibraries.contains(module)
      else { continue }
      names.insert(function.name)
    }
    return names.sorted()
  }

  /// The modules with reducers that apps build on, beside those of this package.
  private static let otherLibraries: Set<String> = ["ComposableArchitecture", "ComposableRecorder"]

  /// The ends of mangled names of functions that the compiler puts between others: witnesses, partial applications, abstractions.
  private static let thunks = ["TW", "TA", "TR"]

  /// The modules of this package that are linked into hosts.
  private static let ownModules: Set<String> = [
    "ActionLog", "TCACore", "TCARecorder", "TCAReplay", "TCAReplaying", "ReplayEngine",
    "ReplayCommands", "ReplayHosts",
    "LogTools", "ReplayAnalyses", "ReplayCommandLine",
  ]

  /// The module of a mangled name, which begins with its length: `$s14SampleFeatures5TodosV…`.
  private static func module(of name: String) -> String? {
    guard name.hasPrefix("$s") else { return nil }
    let digits = name.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits), count > 0 else { return nil }
    return String(name.dropFirst(2 + digits.count).prefix(count))
  }

  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  /// The demangled name, by the runtime's own function.
  private static func demangled(_ name: String) -> String {
    guard let address = dlsym(dlopen(nil, RTLD_LAZY), "swift_demangle") else { return name }
    let demangle = unsafeBitCast(address, to: Demangle.self)
    guard let text = demangle(name, name.utf8.count, nil, nil, 0) else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}

// MARK: - ELF

extension HostSymbols {
  /// The functions in the symbol table of a 64-bit ELF file, by their addresses.
  ///
  /// A malformed file gives no names, on which nothing depends.
  private static func functions(
    in file: UnsafeRawBufferPointer
  ) -> [(start: Int, end: Int, name: String)] {
    // No number may exceed the size of the file, so that sums cannot overflow.
    func number<Value: FixedWidthInteger & BitwiseCopyable>(
      _ type: Value.Type,
      at offset: Int
    ) -> Int? {
      guard offset >= 0, offset <= file.count - MemoryLayout<Value>.size else { return nil }
      let value = Value(littleEndian: file.loadUnaligned(fromByteOffset: offset, as: type))
      return Int(exactly: value).flatMap { $0 <= file.count ? $0 : nil }
    }
    // The magic number, 64 bits, little-endian.
    guard file.count > 64, file.prefix(6).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      let table = number(UInt64.self, at: 0x28), let count = number(UInt16.self, at: 0x3C)
    else { return [] }
    let sectionSize = 64
    for section in 0..<count {
      let header = table + section * sectionSize
      // A section of type SHT_SYMTAB links to the one with its names.
      guard number(UInt32.self, at: header + 4) == 2,
        let start = number(UInt64.self, at: header + 0x18),
        let size = number(UInt64.self, at: header + 0x20),
        let link = number(UInt32.self, at: header + 0x28),
        let names = number(UInt64.self, at: table + link * sectionSize + 0x18)
      else { continue }
      var functions: [(start: Int, end: Int, name: String)] = []
      let symbolSize = 24
      for symbol in stride(from: start, to: start + size, by: symbolSize) {
        // A symbol of type STT_FUNC.
        guard let info = number(UInt8.self, at: symbol + 4), info & 0xF == 2,
          let name = number(UInt32.self, at: symbol),
          let value = number(UInt64.self, at: symbol + 8),
          let length = number(UInt64.self, at: symbol + 16), names + name < file.count
        else { continue }
        let text = file[(names + name)...].prefix { $0 != 0 }
        // Most symbols are of C++, and not needed.
        guard text.starts(with: "$s".utf8) else { continue }
        functions.append((value, value + length, String(decoding: text, as: UTF8.self)))
      }
      return functions.sorted { $0.start < $1.start }
    }
    return []
  }
}

// MARK: - Frames

/// A line of the stack that Swift's runtime writes when a process traps.
///
/// ```
/// 5    app-replay    0x0000555e55137bbf <unavailable> + 7740351
/// ```
struct StackFrame: Equatable {
  /// The file name of the executable or library.
  let image: String
  /// The function, when the runtime knows its name.
  let function: String?
  /// Bytes from the start of the function, or of the image when the function is not known.
  let offset: Int

  /// The line above the frames.
  static let title = "Current stack trace:"

  /// Reads a line; `nil` for one that is not a frame.
  init?(_ line: String) {
    guard let match = line.wholeMatch(of: /\d+ +(\S+) +0x[0-9a-f]+ (.+) \+ (\d+)/),
      let offset = Int(match.3)
    else { return nil }
    image = String(match.1)
    function = match.2 == "<unavailable>" ? nil : String(match.2)
    self.offset = offset
  }
}
