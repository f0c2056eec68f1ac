/// Makes an optional property the state of a feature that is presented now and then.
///
/// ```swift
/// @ObservableState
/// struct State {
///   @Presents var child: Child.State?
/// }
/// state.child = Child.State()   // presents
/// state.$child                  // the `PresentationState` behind it
/// ```
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(`$`), prefixed(_))
public macro Presents() = #externalMacro(module: "TCAMacros", type: "PresentsMacro")
