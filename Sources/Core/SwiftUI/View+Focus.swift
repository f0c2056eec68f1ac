#if canImport(SwiftUI)
public import SwiftUI

extension View {
  /// Keeps the focus of a view and a value of a store the same, whichever of them changes.
  ///
  /// ```swift
  /// @FocusState var focus: Form.Field?
  /// ...
  /// .bind($store.focus, to: $focus)
  /// ```
  ///
  /// The focus takes the value when the view appears.
  ///
  /// - Parameters:
  ///   - model: The value of the store.
  ///   - focus: The focus of the view.
  /// - Returns: The view.
  @MainActor
  public func bind<Value: Hashable>(
    _ model: Binding<Value>,
    to focus: FocusState<Value>.Binding
  ) -> some View {
    onAppear {
      if focus.wrappedValue != model.wrappedValue { focus.wrappedValue = model.wrappedValue }
    }
    .onChange(of: model.wrappedValue) { _, value in
      if focus.wrappedValue != value { focus.wrappedValue = value }
    }
    .onChange(of: focus.wrappedValue) { _, value in
      if model.wrappedValue != value { model.wrappedValue = value }
    }
  }
}
#endif
