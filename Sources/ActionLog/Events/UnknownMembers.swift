/// The members of an event that this version does not know: of most events none, which then takes no more than a word.
struct UnknownMembers: Sendable, Equatable {
  private var box: Box?

  private final class Box: Sendable {
    let object: JSON.Object
    init(_ object: JSON.Object) { self.object = object }
  }

  /// No members.
  init() {}

  /// The members.
  var object: JSON.Object {
    get { box?.object ?? JSON.Object() }
    set { box = newValue.isEmpty ? nil : Box(newValue) }
  }

  static func == (lhs: UnknownMembers, rhs: UnknownMembers) -> Bool {
    lhs.box === rhs.box || lhs.object == rhs.object
  }
}
