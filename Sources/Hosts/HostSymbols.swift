import Foundation

/// The function names in the symbol table of a host.
///
/// The symbol table is used, because the runtime knows only the names of exported functions.
struct HostSymbols {
  /// The file name of the host's executable.
  let image: String
  private let file: Data
  private let functions: [Function]

  /// A function in the symbol table.
  ///
  /// It has the offset of its name instead of the name, because most names are never needed.
  private struct Function {
    let start: Int
    let end: Int
    let nameOffset: Int
  }

  /// Reads the symbol table of an executable.
  ///
  /// If the file is not an ELF file or has no symbol table, the list of functions is empty.
  init(of path: String) {
    image = URL(fileURLWithPath: path).lastPathComponent
    file = (try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)) ?? Data()
    functions = file.withUnsafeBytes { Self.functions(in: $0) }
  }

  /// Returns the demangled name of the app function in a stack frame, or `nil` for functions of libraries, including
  /// this package.
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
    let name = name(of: functions[low - 1])
    guard let module = Self.module(of: name), !Self.ownModules.contains(module),
      !Self.thunks.contains(where: { name.hasSuffix($0) })
    else { return nil }
    // A private name contains a digest of its file name, which is removed.
    return Self.demangled(name).replacing(/\(([^() ]+) in _[0-9A-F]{32}\)/) { $0.output.1 }
  }

  /// Returns the distinct mangled names of the app's functions that satisfy a condition.
  func ownFunctions(where isMet: (String) -> Bool) -> [String] {
    var names: Set<String> = []
    for function in functions {
      let name = name(of: function)
      guard isMet(name), let module = Self.module(of: name),
        !Self.ownModules.contains(module), !Self.otherLibraries.contains(module)
      else { continue }
      names.insert(name)
    }
    return names.sorted()
  }

  /// Returns the mangled name of a function.
  private func name(of function: Function) -> String {
    file.withUnsafeBytes { file in
      let rest = UnsafeRawBufferPointer(rebasing: file[function.nameOffset...])
      guard let start = rest.baseAddress else { return "" }
      // A malformed file can lack the zero byte at the end.
      let length = strnlen(start.assumingMemoryBound(to: CChar.self), rest.count)
      return String(decoding: rest.prefix(length), as: UTF8.self)
    }
  }

  /// The names of modules in other packages that contain reducers but no app code.
  private static let otherLibraries: Set<String> = ["ComposableArchitecture", "ComposableRecorder"]

  /// The suffixes of mangled names that mark functions that the compiler generates: witnesses, partial applications,
  /// and reabstractions.
  private static let thunks = ["TW", "TA", "TR"]

  /// The names of this package's modules that are linked into hosts.
  static let ownModules: Set<String> = [
    "ActionLog", "ActionRecording", "LogTools", "ReplayAnalyses", "ReplayAssistant",
    "ReplayCommandLine", "ReplayCommands", "ReplayDebugAdapter", "ReplayDebugger", "ReplayEngine",
    "ReplayHosts", "ReplayPage", "ReplayPictures", "ReplayServing", "TCACore", "TCARecorder",
    "TCAReplay", "TCAReplayHost", "TCAReplayTesting", "TCAReplaying", "TCATesting",
  ]

  /// Returns the module in a mangled name, which contains the length before the module: `$s14SampleFeatures5TodosV…`.
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

  /// Returns a demangled name, which the runtime's own function provides.
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
  /// Returns the functions in the symbol table of a 64-bit ELF file, by address.
  ///
  /// Returns no functions for a malformed file. The names are optional output.
  private static func functions(
    in file: UnsafeRawBufferPointer
  ) -> [Function] {
    // Numbers above the file's size are rejected, so that sums can't overflow.
    func number<Value: FixedWidthInteger & BitwiseCopyable>(
      _ type: Value.Type,
      at offset: Int
    ) -> Int? {
      guard offset >= 0, offset <= file.count - MemoryLayout<Value>.size else { return nil }
      let value = Value(littleEndian: file.loadUnaligned(fromByteOffset: offset, as: type))
      return Int(exactly: value).flatMap { $0 <= file.count ? $0 : nil }
    }
    // The magic number, followed by the marks for 64-bit and little-endian.
    guard file.count > 64, file.prefix(6).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      let table = number(UInt64.self, at: 0x28), let count = number(UInt16.self, at: 0x3C)
    else { return [] }
    let sectionSize = 64
    for section in 0..<count {
      let header = table + section * sectionSize
      // Sections of a type other than SHT_SYMTAB are skipped. A symbol table refers to the section with the symbols'
      // names.
      guard number(UInt32.self, at: header + 4) == 2,
        let start = number(UInt64.self, at: header + 0x18),
        let size = number(UInt64.self, at: header + 0x20),
        let link = number(UInt32.self, at: header + 0x28),
        let names = number(UInt64.self, at: table + link * sectionSize + 0x18)
      else { continue }
      var functions: [Function] = []
      let symbolSize = 24
      for symbol in stride(from: start, to: start + size, by: symbolSize) {
        // Symbols of a type other than STT_FUNC are skipped.
        guard let info = number(UInt8.self, at: symbol + 4), info & 0xF == 2,
          let name = number(UInt32.self, at: symbol),
          // The names of Swift's functions begin with "$s". Those of C++ functions are not needed.
          names + name + 2 <= file.count, file[names + name] == UInt8(ascii: "$"),
          file[names + name + 1] == UInt8(ascii: "s"),
          let value = number(UInt64.self, at: symbol + 8),
          let length = number(UInt64.self, at: symbol + 16)
        else { continue }
        functions.append(Function(start: value, end: value + length, nameOffset: names + name))
      }
      return functions.sorted { $0.start < $1.start }
    }
    return []
  }
}

// MARK: - Frames

/// A line of the stack trace that Swift's runtime prints for a trap.
///
/// ```
/// 5    app-replay    0x0000555e55137bbf <unavailable> + 7740351
/// ```
struct StackFrame: Equatable {
  /// The file name of the executable or library that contains the function.
  let image: String
  /// The name of the function, or `nil` if the runtime does not know it.
  let function: String?
  /// The offset in bytes from the start of the function, or from the start of the image if the function is unknown.
  let offset: Int

  /// The line that precedes the stack frames.
  static let title = "Current stack trace:"

  /// Parses a line, or returns `nil` if the line is not a stack frame.
  init?(_ line: String) {
    guard let match = line.wholeMatch(of: /\d+ +(\S+) +0x[0-9a-f]+ (.+) \+ (\d+)/),
      let offset = Int(match.3)
    else { return nil }
    image = String(match.1)
    function = match.2 == "<unavailable>" ? nil : String(match.2)
    self.offset = offset
  }
}
