import ActionLog
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder

/// A feature that copies texts to many properties, some of which are masked.
@Reducer
struct Gossip {
  @Reducer
  struct Person {
    @ObservableState
    struct State: Equatable, Identifiable {
      let id: Int
      /// Masked.
      var secret = ""
      var title = ""
      var others: [String: String] = [:]
    }

    enum Action: BindableAction {
      case binding(BindingAction<State>)
      case told(String, by: [String: Int])
      case forgot
    }

    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .binding: break
        case .told(let text, let by):
          if state.id.isMultiple(of: 2) { state.secret = text } else { state.title = text }
          if state.others.count > 5 { state.others = [:] }
          for name in by.keys { state.others[name] = text }
        case .forgot: (state.title, state.secret) = (state.secret, "")
        }
        return .none
      }
    }
  }

  @Reducer
  enum Screen {
    case person(Person)
    case list(Person)
  }

  @ObservableState
  struct State {
    /// Masked.
    var secret = ""
    /// Masked, with its keys.
    var vault: [String: [String]] = [:]
    var copies: [String] = []
    var counts: [String: Int] = [:]
    var title = ""
    var people: IdentifiedArrayOf<Person.State> = []
    var path = StackState<Screen.State>()
    @Presents var screen: Screen.State?
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case people(IdentifiedActionOf<Person>)
    case path(StackActionOf<Screen>)
    case screen(PresentationAction<Screen.Action>)
    case add(Int)
    case push(String)
    case pop
    case present(Person.State?)
    case keep(String, under: String)
    case copy(String)
    case reveal
    case ask(String)
    case answered(Result<String, any Error>)
    case read
    case unseen(String)
    case whisper(String)
    case confess
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Question: Hashable { let text: String }

  @Dependency(Rumours.self) var rumours
  /// Called in the middle of each action, where a process could be killed.
  let inTheMiddle: @Sendable () -> Void
  /// Called around the calls that effects make.
  var betweenCalls: @Sendable () async -> Void = {}

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      inTheMiddle()
      switch action {
      case .binding, .people, .path, .screen: break
      case .add(let id): state.people.updateOrAppend(Person.State(id: id))
      case .push(let text):
        state.path.append(.person(Person.State(id: state.path.count, secret: text)))
      case .pop: _ = state.path.popLast()
      case .present(let person): state.screen = person.map { .list($0) }
      case .keep(let text, let key): state.vault[key, default: []].append(text)
      case .copy(let text):
        state.copies.append("<\(text)>")
        state.counts[text, default: 0] += 1
      case .reveal:
        state.title = state.secret
        state.copies.append(state.vault.keys.sorted().first ?? "")
        state.vault = [:]
      case .ask(let text):
        state.title = "asking \(text)"
        return .run(name: "ask \(text)", input: [text: text]) { send in
          if text.utf8.count.isMultiple(of: 2) {
            await send(.answered(.success(text + "!")))
          } else if text.utf8.count.isMultiple(of: 3) {
            await send(.answered(.failure(Failure(description: "no \(text)"))))
          } else {
            throw Failure(description: "cannot ask \(text)")
          }
        } catch: { _, _ in
        }
        .cancellable(id: Question(text: text), cancelInFlight: true)
      case .answered(.success(let text)): state.secret = text
      case .answered(.failure(let error)): state.copies.append("\(error)")
      case .read: state.secret = rumours.latest()
      case .unseen(let text): state.secret = text
      case .whisper(let text):
        return .run { [rumours, betweenCalls] send in
          await betweenCalls()
          let answer: Result<String, any Error>
          do { answer = .success(try await rumours.whisper(to: text)) } catch {
            answer = .failure(error)
          }
          await betweenCalls()
          await send(.answered(answer))
        }
      case .confess:
        return .run { [rumours, betweenCalls] _ in
          await betweenCalls()
          _ = await rumours.confession()
          await betweenCalls()
        }
      }
      // The state stays small, so that many actions take little time.
      if state.copies.count > 10 { (state.copies, state.counts) = ([], [:]) }
      if state.vault.count > 5 { state.vault = [:] }
      return .none
    }
    .forEach(\.people, action: \.people) { Person() }
    .forEach(\.path, action: \.path)
    .ifLet(\.$screen, action: \.screen)
  }

  static let masks = LogMasks(
    state: [
      "/secret", "/vault", "/people/*/secret", "/path/*/element/person/_0/secret",
      "/screen/list/_0/secret",
    ],
    call: ["/Rumours.confession/result"]
  )
}

@DependencyClient
struct Rumours: Sendable {
  var latest: @Sendable () -> String = { "" }
  var whisper: @Sendable (_ to: String) async throws -> String
  /// The result is masked.
  var confession: @Sendable () async -> String = { "" }
}

extension Rumours: DependencyKey {
  static let liveValue = Rumours()
}

extension Gossip.State {
  /// The texts at masked paths, found independently of the recorder.
  fileprivate var secrets: [String] {
    var texts = [secret]
    for (key, values) in vault { texts += [key] + values }
    for person in people { texts.append(person.secret) }
    for case .person(let person) in path { texts.append(person.secret) }
    if case .list(let person) = screen { texts.append(person.secret) }
    return texts.filter { $0.utf8.count >= 4 }
  }
}

/// Collects lines, and returns each of them once.
private final class LineTap: LogSink {
  private let bytes = Mutex<[UInt8]>([])

  func append(_ lines: [UInt8]) throws { bytes.withLock { $0 += lines } }

  func take() -> [UInt8] {
    bytes.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
  }
}

/// The texts that must not be written any more.
private struct Forbidden {
  private var texts: [UInt32: [[UInt8]]] = [:]
  private var known: Set<String> = []

  mutating func insert(_ text: String) {
    guard known.insert(text).inserted else { return }
    let bytes = Array(JSON.string(text).bytes.dropFirst().dropLast())
    texts[Self.start(bytes, 0), default: []].append(bytes)
  }

  func first(in bytes: [UInt8]) -> String? {
    let bytes = Self.withoutSeparators(bytes)
    var start: UInt32 = 0
    for index in bytes.indices {
      start = start << 8 | UInt32(bytes[index])
      guard index >= 3, let candidates = texts[start] else { continue }
      for text in candidates where bytes[(index - 3)...].starts(with: text) {
        return String(decoding: text, as: UTF8.self)
      }
    }
    return nil
  }

  /// Returns the bytes without the separators of pointers, which are not part of a text.
  ///
  /// Slashes in texts are escaped.
  private static func withoutSeparators(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for start in [#","path":"/"#, #","from":"/"#] {
      var rest = bytes[...]
      while let found = rest.firstRange(of: Array(start.utf8)) {
        var index = found.upperBound - 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          if bytes[index] == UInt8(ascii: "/") { bytes[index] = 0 }
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        rest = rest[min(index, rest.endIndex)...]
      }
    }
    return bytes
  }

  private static func start(_ bytes: [UInt8], _ index: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[index + $1]) }
  }
}

@MainActor
@Suite("The promise of masks")
struct MaskPromiseTests {
  /// Texts that occur in no name and no substitute.
  ///
  /// Some are parts of others.
  private struct Texts {
    private var random: SplitMix64
    private var words: [String] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func next() -> String {
      let letters = Array("qxzjvwQXZJVWэюяж\"\\ /~.-")
      switch number(10) {
      case 0...3 where !words.isEmpty:
        let word = words[number(words.count)]
        return switch number(4) {
        case 0: String(word.prefix(number(word.count) + 1))
        case 1: word + String(letters[number(letters.count)])
        case 2: word + words[number(words.count)]
        default: word
        }
      default:
        let word = String((0...number(9)).map { _ in letters[number(letters.count)] })
        words.append(word)
        if words.count > 200 { words.removeFirst(100) }
        return word
      }
    }
  }

  private func action(_ texts: inout Texts, _ state: Gossip.State) -> Gossip.Action {
    let id = texts.number(6)
    func person(_ texts: inout Texts) -> Gossip.Person.Action {
      switch texts.number(5) {
      case 0: .binding(.set(\.secret, texts.next()))
      case 1: .binding(.set(\.title, texts.next()))
      case 2: .told(texts.next(), by: [texts.next(): 1])
      case 3: .told(texts.next(), by: [:])
      default: .forgot
      }
    }
    switch texts.number(20) {
    case 0: return .binding(.set(\.secret, texts.next()))
    case 1: return .binding(.set(\.title, texts.next()))
    case 2: return .binding(.set(\.vault, [texts.next(): [texts.next()]]))
    case 3, 4:
      if state.people[id: id] != nil { return .people(.element(id: id, action: person(&texts))) }
    case 5:
      if let id = state.path.ids.last {
        return .path(.element(id: id, action: .person(person(&texts))))
      }
    case 6: if state.screen != nil { return .screen(.presented(.list(person(&texts)))) }
    case 7: return .push(texts.next())
    case 8: return state.path.count > 3 ? .pop : .push(texts.next())
    case 9: return .present(Gossip.Person.State(id: id, secret: texts.next(), title: texts.next()))
    case 10: return .keep(texts.next(), under: texts.next())
    case 11, 12: return .copy(texts.next())
    case 13: return .reveal
    case 14, 15: return .ask(texts.next())
    case 16: return .read
    case 17: return .whisper(texts.next())
    case 18: return .confess
    default: return .unseen(texts.next())
    }
    return .add(id)
  }

  /// Records random actions, and calls a function after each of them.
  private func run(
    _ count: Int,
    seed: UInt64,
    to destination: LogDestination,
    _ after: @escaping (Gossip.State, [String], Recorder, inout Texts) throws -> Void
  ) async throws {
    var texts = Texts(seed: seed)
    let rumour = LockIsolated("")
    let confessions = LockIsolated<[String]>([])
    let pause = Pause()
    var configuration = RecorderConfiguration(destination)
    configuration.masks = Gossip.masks
    configuration.actions.exclude = ["/unseen"]
    configuration.calls = CallFilter()
    configuration.complain = { _ in }
    let recorder = Recorder(configuration)
    let store = Store(initialState: Gossip.State()) {
      Gossip(inTheMiddle: {}, betweenCalls: { await pause.check?() }).recorded(to: recorder)
    } withDependencies: {
      $0[Rumours.self] = Rumours(
        latest: { rumour.value },
        whisper: { text in
          guard !text.utf8.count.isMultiple(of: 3) else {
            throw Gossip.Failure(description: "cannot tell \(text) of \(rumour.value)")
          }
          return "\(rumour.value) for \(text)"
        },
        confession: {
          confessions.withValue { $0 = [rumour.value] }
          return rumour.value
        }
      )
    }
    var failure: (any Error)?
    func check() throws {
      try after(store.withState { $0 }, confessions.value, recorder, &texts)
    }
    pause.check = {
      recorder.flush()
      do { try check() } catch { failure = error }
    }
    defer { pause.check = nil }
    for _ in 0..<count {
      rumour.setValue(texts.next())
      if texts.number(8) == 0 {
        // The note is written before the action, which may mask its text.
        recorder.note("a note on \(texts.next())")
        try check()
      }
      let action = action(&texts, store.withState { $0 })
      let work = store.send(action)
      switch action {
      case .ask, .whisper, .confess: await work.finish()
      // Presented and pushed children run effects until they are removed.
      default: break
      }
      if let failure { throw failure }
      try check()
    }
  }

  /// Checks the written lines while an effect waits for the result.
  @MainActor
  private final class Pause {
    var check: (@MainActor () -> Void)?
  }

  @Test(
    "A text that has been at a masked path appears in no line written from then on",
    arguments: Thoroughness.seeds(1, thorough: 12)
  )
  func lines(seed: UInt64) async throws {
    let tap = LineTap()
    var forbidden = Forbidden()
    var (checks, bytes) = (0, 0)
    let count = Thoroughness.count(400, thorough: 1000)
    try await run(count, seed: seed, to: LogDestination { tap }) { state, confessed, _, _ in
      let written = tap.take()
      (checks, bytes) = (checks + 1, bytes + written.count)
      for text in state.secrets + confessed where text.utf8.count >= 4 { forbidden.insert(text) }
      if let found = forbidden.first(in: written) {
        let lines = String(decoding: written, as: UTF8.self)
        Issue.record("seed \(seed), check \(checks): '\(found)' is in\n\(lines)")
        throw CancellationError()
      }
    }
    #expect(checks > count && bytes > 100 * count, "seed \(seed)")
  }

  @Test("A text at a masked path appears in no segment of a ring and in no export")
  func files() async throws {
    let seed: UInt64 = 77
    let folder = try TemporaryFolder()
    var forbidden = Forbidden()
    var offsets: [String: Int] = [:]
    var lines: Set<String> = []
    var exports = 0
    let ring = LogDestination.ring(folder.path + "/log.jsonl", bytes: 30_000, segments: 4)
    try await run(200, seed: seed, to: ring) { state, confessed, recorder, texts in
      for text in state.secrets + confessed where text.utf8.count >= 4 { forbidden.insert(text) }
      for name in folder.files where name.hasPrefix("log") {
        let bytes = Array(try folder.read(name).utf8)
        let new = Array(bytes[offsets[name, default: 0]...])
        offsets[name] = bytes.count
        lines.formUnion(
          String(decoding: new, as: UTF8.self).split(separator: "\n").map(String.init)
        )
        if let found = forbidden.first(in: new) {
          Issue.record("seed \(seed), \(name): '\(found)'")
          throw CancellationError()
        }
      }
      guard texts.number(20) == 0 else { return }
      exports += 1
      try recorder.export(to: URL(fileURLWithPath: folder.path + "/export.jsonl"))
      let exported = try folder.read("export.jsonl").split(separator: "\n").map(String.init)
      #expect(exported.allSatisfy { lines.contains($0) }, "seed \(seed)")
    }
    #expect(offsets.count > 4 && exports > 5, "seed \(seed)")
  }

  @Test("If a line contains a text that is masked later, a message suggests the mask command once")
  func earlierLines() async throws {
    let folder = try TemporaryFolder()
    let messages = Mutex<[String]>([])
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.masks = Gossip.masks
    configuration.complain = { message in messages.withLock { $0.append(message) } }
    let store = Store(initialState: Gossip.State()) {
      Gossip(inTheMiddle: {}).recorded(to: Recorder(configuration))
    }
    store.send(.binding(.set(\.title, "a new friend")))
    store.send(.copy("Zwölf \"Freunde\""))
    store.send(.unseen("Zwölf \"Freunde\""))
    store.send(.unseen("a new friend"))
    let path = folder.path + "/log.jsonl"
    #expect(
      messages.withLock { $0 } == [
        "line 7 of \(path) shows a text that is masked by now: it was written before the text came to a masked place."
          + " 'tca-replay mask \(path) --action-path /copy/_0 -o masked.jsonl' makes a log without it."
      ]
    )
  }

  @Test("A masker that exceeds its capacity keeps the texts that are still in the state")
  func capacity() throws {
    var masker = LogMasker(LogMasks(state: ["/secrets"]), remembering: 10, isMarked: true)
    let standing: JSON = ["secrets": ["first secret", "second secret"]]
    _ = masker.masked(state: standing)
    for number in 0..<100 { masker.learn(["secrets": .string("secret \(number)")], in: .state) }
    #expect(masker.isOverfull)
    masker.forget(besides: standing)
    func cleaned(_ text: String) -> String? {
      masker.masked(state: ["note": .string(text)])["note"]?.string
    }
    #expect(cleaned("the first secret")?.hasPrefix("the masked") == true)
    #expect(cleaned("the secret 99")?.hasPrefix("the masked") == true)
    #expect(cleaned("the secret 3") == "the secret 3")
  }
}
