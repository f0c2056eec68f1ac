/// Lets a type that holds the store of a feature send the view's actions with `send(_:)`, and warns where it sends others.
///
/// ```swift
/// @ViewAction(for: Login.self)
/// struct LoginView: View {
///   let store: StoreOf<Login>
///   var body: some View { Button("Log in") { send(.loginButtonTapped) } }
/// }
/// ```
@attached(extension, conformances: ViewActionSending)
public macro ViewAction<R: Reducer>(for reducer: R.Type) =
  #externalMacro(module: "TCAMacros", type: "ViewActionMacro")
where R.Action: ViewAction
