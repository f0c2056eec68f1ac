import Foundation
import TCACore
import TestSupport
import Testing

@LogValue
private enum Parcel: Equatable {
  case empty
  case one(Int)
  case named(row: Int, title: String)
  case flags(Bool, Bool?)
  case numbers([Double])
  case maybe(String??)
  case table([String: [Int]])
  indirect case inner(Parcel)
  case label(Label)
  case box(Box)
  case shape(Shape, Hand, Coded)
  case quick(Quick)
  case result(Result<Int, Refusal>)

  @LogValue
  struct Label: Equatable {
    var text = ""
    var count: UInt64 = 0
    var small: Int8 = 0
    var weight: Float = 0
    var size: (width: Int, height: Double) = (0, 0)
    var parts: [Parcel] = []
    let kind = 4

    static func == (lhs: Self, rhs: Self) -> Bool { JSON(logging: lhs) == JSON(logging: rhs) }
  }

  /// A type without a constant, which is decoded through a tree.
  @LogValue
  struct Box: Equatable {
    var size: (width: Int, Double) = (0, 0)
    var label: String?
    var inner: [[Parcel]] = []
    var lid: Lid = Lid()

    static func == (lhs: Self, rhs: Self) -> Bool { JSON(logging: lhs) == JSON(logging: rhs) }
  }

  @LogValue
  struct Lid: Equatable {}

  enum Shape: String { case round, square }

  /// A handwritten type, which is decoded through a tree.
  struct Hand: LogValue, Equatable {
    var fingers = 0
    func encode(to encoder: inout LogEncoder) { encoder.value(["fingers": fingers]) }
    static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
      Self(fingers: try decoder.members(of: Self.self).value("fingers"))
    }
  }

  struct Coded: Codable, Equatable {
    var name = ""
  }

  /// A type that is decoded only from text.
  struct Quick: LogValue, Equatable {
    var number = 0
    func encode(to encoder: inout LogEncoder) { encoder.value(number) }
    static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
      throw decoder.error(.notDecodable, type: Self.self)
    }
    static func _$read(from text: inout LogText) throws -> Self {
      Self(number: try text.value())
    }
  }

  @LogValue
  struct Refusal: Error, Equatable {
    var code = 0
  }
}

@LogValue
private enum Case {
  case one(JSON)
}

@Reducer
private struct Desk {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var title = ""
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case child(PresentationAction<Parcel>)
    case rows(IdentifiedAction<Int, Parcel>)
    case path(StackAction<Int, Parcel>)
    case date(Date, UUID, URL, Data)
    case sum(Decimal, Duration)
    case set(Set<Int>, ArraySlice<String>)
    case done(Result<String, any Error>)
    case saved(Result<Void, any Error>)
    case loaded(IdentifiedArray<Int, Page>)
    case received(TaskResult<Int>)
    case opened(Page, CGFloat, ContiguousArray<Page?>)
  }

  @ObservableState
  struct Page: Equatable, Identifiable {
    var id = 0
    @Presents var alert: AlertState<Parcel>?
    @Presents var label: Parcel.Box?
  }

  var body: some ReducerOf<Self> { BindingReducer() }
}

/// An encoded value that is decoded in both ways.
private struct Written: Sendable, CustomTestStringConvertible {
  let text: [UInt8]
  let plain: @Sendable ([UInt8]) throws -> [UInt8]
  let any: @Sendable ([UInt8]) throws -> [UInt8]
  let tree: @Sendable ([UInt8]) throws -> [UInt8]

  init<Value>(_ value: Value) {
    text = JSON(logging: value).bytes
    plain = { text in
      let value: Value = try text.withUnsafeBufferPointer { text in
        try LogText.whole(text) { try $0.value() }
      }
      return JSON(logging: value).bytes
    }
    any = { JSON(logging: try LogDecoder.value(Value.self, from: $0)).bytes }
    tree = { JSON(logging: try LogDecoder(JSON(parsing: $0)).value(Value.self)).bytes }
  }

  var testDescription: String { String(decoding: text, as: UTF8.self) }
}

@Suite struct TextDecodingTests {
  fileprivate static let written: [Written] =
    parcels.map { Written($0) } + actions.map { Written($0) }

  private static var parcels: [Parcel] {
    [
      .empty, .one(-17), .one(.max), .named(row: 0, title: "a \"quoted\" text, é \n"),
      .flags(true, nil), .flags(false, true), .numbers([0, -0.0, 1.5, 1e300, 0.1, -12.25]),
      .numbers([]), .maybe(nil), .maybe("x"), .table(["a": [1], "$b": []]), .inner(.inner(.empty)),
      .label(
        Parcel.Label(text: "t", count: .max, small: -128, weight: 0.1, parts: [.empty, .one(2)])
      ),
      .box(Parcel.Box(size: (-1, 2.5), label: "$", inner: [[], [.empty, .box(Parcel.Box())]])),
      .shape(.square, Parcel.Hand(fingers: 5), Parcel.Coded(name: "é")),
      .inner(.inner(.named(row: 3, title: "three levels down"))),
      .result(.success(3)), .result(.failure(Parcel.Refusal(code: 2))),
    ]
  }

  private static var actions: [Desk.Action] {
    [
      .binding(.set(\.count, 4)), .binding(.set(\.title, "x")), .child(.dismiss),
      .child(.presented(.one(1))), .rows(.element(id: 3, action: .empty)),
      .path(.element(id: 2, action: .one(5))), .path(.popFrom(id: 1)),
      .path(.push(id: 0, state: 9)),
      .date(
        Date(timeIntervalSinceReferenceDate: 0.5),
        UUID(uuidString: "00000000-0000-0000-0000-00000000002A") ?? UUID(),
        URL(filePath: "/a"),
        Data([1, 2])
      ),
      .sum(Decimal(string: "12.50") ?? 0, .milliseconds(1500)), .set([3, 1], ["b", "a"]),
      .done(.success("yes")), .done(.failure(Parcel.Refusal(code: 1))), .saved(.success(())),
      .loaded([Desk.Page(id: 2), Desk.Page(id: 1, label: Parcel.Box(label: "b"))]),
      .loaded([]), .received(.success(7)),
      .opened(
        Desk.Page(alert: AlertState { TextState("Sure?") }),
        -1.5,
        [nil, Desk.Page(id: 3)]
      ),
    ]
  }

  @Test(arguments: written)
  fileprivate func `encoded text is decoded directly with the same result as through a JSON tree`(
    value: Written
  ) throws {
    #expect(try value.plain(value.text) == value.text)
    #expect(try value.tree(value.text) == value.text)
  }

  /// A tree would contain a type that cannot be decoded from one.
  @Test func `generated code decodes text directly, without a JSON tree`() throws {
    let quick = Parcel.quick(Parcel.Quick(number: 3))
    let written = Written(Parcel.box(Parcel.Box(inner: [[quick], [.inner(quick)]])))
    #expect(try written.plain(written.text) == written.text)
    #expect(throws: LogDecodingError.self) { try written.tree(written.text) }
    let presented = Written(Desk.Action.child(.presented(quick)))
    #expect(try presented.plain(presented.text) == presented.text)
    #expect(throws: LogDecodingError.self) { try presented.tree(presented.text) }
  }

  /// Texts that the fast path does not accept, although the value or the error is the same.
  @Test(
    arguments: [
      #"{"named":{"title":"x","row":1}}"#, #"{ "named":{"row":1,"title":"x"}}"#,
      #"{"named":{"row":1,"title":"x","more":2}}"#, #"{"named":{"row":1,"row":2,"title":"x"}}"#,
      #"{"named":{"row":1e2,"title":"x"}}"#, #"{"named":{"row":01,"title":"x"}}"#,
      #"{"named":{"row":1,"title":{"$opaque":"T"}}}"#, #"{"named":{"row":1}}"#,
      #"{"named":{"row":1,"title":"x"}} "#, #"{"named":{"row":1,"title":"x"}"#,
      #"{"named":{"row":1,"title":"x"},"one":{"_0":1}}"#, #"{"unknown":{}}"#, #"{}"#, "", "null",
      #"{"one":{"_0":99999999999999999999}}"#, #"{"one":{"_0":-0}}"#, #"{"one":{"_0":"1"}}"#,
      #"{"numbers":{"_0":[{"$double":"nan"},1,]}}"#, #"{"maybe":{"_0":{"$some":null}}}"#,
    ]
  )
  func `text that no encoder writes has the same decoding result as its JSON tree`(text: String) {
    let value = Written(Parcel.empty)
    let bytes = Array(text.utf8)
    #expect(Self.outcome(value.any, bytes) == Self.outcome(value.tree, bytes))
  }

  @Test(arguments: [0, 1])
  func `decoding text directly has the same nesting limit as decoding a JSON tree`(more: Int) {
    // One level is the case, and one is its payload.
    let depth = JSON.deepestNesting - 2 + more
    let text =
      #"{"one":{"_0":"# + String(repeating: "[", count: depth)
      + String(repeating: "]", count: depth) + "}}"
    let value = Written(Case.one(.null))
    let read = try? value.plain(Array(text.utf8))
    #expect((read == nil) == (more == 1))
    #expect(read == (try? value.tree(Array(text.utf8))))
  }

  @Test(arguments: Thoroughness.seeds(2, thorough: 6))
  func `damaged text is decoded to the same value or error as its JSON tree`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (plain, failed) = (0, 0)
    for _ in 0..<1_000 {
      guard let value = Self.written.randomElement(using: &random) else { return }
      var bytes = value.text
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
        guard place < bytes.count else { continue }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0x1F...0x80, using: &random), at: place)
        case 2: bytes[place] = UInt8.random(in: 0x30...0x39, using: &random)
        default: bytes[place] = UInt8.random(in: 0x1F...0xFF, using: &random)
        }
      }
      let tree = Self.outcome(value.tree, bytes)
      let text = Comment(rawValue: "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      #expect(Self.outcome(value.any, bytes) == tree, text)
      if let read = try? value.plain(bytes) {
        plain += 1
        #expect(.success(read) == tree, text)
      } else if case .failure = tree {
        failed += 1
      }
    }
    #expect(plain > 20 && failed > 20, "seed \(seed): \(plain), \(failed)")
  }

  private enum Outcome: Equatable {
    case success([UInt8])
    case failure(String)
  }

  private static func outcome(
    _ read: ([UInt8]) throws -> [UInt8],
    _ text: [UInt8]
  ) -> Outcome {
    do { return .success(try read(text)) } catch {
      // The example in a message differs each time.
      return .failure("\(error)".replacing(/such as [0-9A-F-]{36}/, with: "such as ..."))
    }
  }
}
