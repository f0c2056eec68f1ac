@_exported public import Observation

/// State whose properties are observed one by one; `@ObservableState` writes the conformance.
///
/// The requirements are for generated code.
public protocol ObservableState: Observable, SendableMetatype {
  /// Which value this is: the same for copies, another one for a value made anew.
  var _$id: ObservableStateID { get }

  /// Tells the value that it is about to be changed in place.
  mutating func _$willModify()
}
