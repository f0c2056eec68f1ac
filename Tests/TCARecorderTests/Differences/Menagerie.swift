import Foundation
import ReplayAnalyses
import TCARecorder

/// A state with members of all kinds, including some that a log cannot encode.
@ObservableState
struct Menagerie {
  var int = 0
  var small: Int8 = 0
  var flag = false
  var double = 0.0
  var float: Float = 0
  var text = ""
  var part: Substring = ""
  var id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var data = Data()
  var decimal: Decimal = 0
  var duration = Duration.zero
  var optional: String?
  var nested: Int??
  var pair: (Int, label: String) = (0, "")
  var numbers: [Int] = []
  var grid: [[Double]] = []
  var rows: IdentifiedArrayOf<Row> = []
  var list: [Row] = []
  var shapes: [Shape] = []
  var names: Set<String> = []
  var table: [String: Row] = [:]
  var index: [Int: String] = [:]
  var odd: [Liar: Int] = [:]
  var liar = Liar(id: 0, text: "")
  var liars: [Liar] = []
  var shape = Shape.point
  var result: Result<Int, Failure> = .success(0)
  @Presents var child: Child.State?
  var path = StackState<Child.State>()
  var box = Box()
  var maybeBox: Box?
  var boxed = Boxed()
  var boxes: [Box] = []
  var holders: [Holder] = []
  var parcels: IdentifiedArrayOf<Parcel> = []
  var model = Model()
  var models: [Model] = []
  var unknown = Unknown()
  var json = JSON.null
  @ObservationStateIgnored @Live var live: Int
  @LogIgnored var ignored = 0

  struct Row: Equatable, Identifiable {
    var id: Int
    var title = ""
    var isDone = false
    var weight: Double = 0
    var tags: [String] = []
  }

  indirect enum Shape: Equatable {
    case point
    case circle(radius: Double)
    case line(Int, to: Int)
    case group([Shape])
    case named(String, Shape?)
  }

  /// Equal to others that differ in content.
  struct Liar: Hashable {
    var id: Int
    var text: String
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  struct Failure: Error, Codable { var code = 0 }

  /// A struct with a reference several levels down.
  struct Boxed {
    var count = 0
    var inner = Inner()
    struct Inner {
      var flag = false
      var box = Box()
      var choice = Choice.none
    }
    enum Choice {
      case none
      case box(Box)
      case count(Int)
    }
  }

  struct Holder {
    var id = 0
    var box: Box?
  }

  /// A row with an object and a shared value.
  struct Parcel: Identifiable {
    let id: Int
    var note = ""
    var box: Box?
    @Shared var weight: Int
    @Shared var labels: [String]

    init(id: Int, box: Box?) {
      self.id = id
      self.box = box
      _weight = Shared(value: id)
      _labels = Shared(value: ["a label", "another label"])
    }
  }
}

/// A feature's state within another one's.
enum Child {
  @ObservableState
  struct State {
    var count = 0
    var note: String?
    var box: Box?
    @Presents var child: Child.State?
  }
}

/// An object that the state shares with other owners.
final class Box: Codable, @unchecked Sendable {
  var value = 0
}

/// A type of the app with its own encoding and an object in it.
struct Model: Codable {
  var name = ""
  var box = Box()
}

/// A type that a log holds only by name.
struct Unknown { var value = 0 }

/// A wrapper that reads its value from another storage.
@propertyWrapper
struct Live {
  let box = Box()
  var wrappedValue: Int {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}
