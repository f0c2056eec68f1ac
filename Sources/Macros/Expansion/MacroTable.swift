/// The macros by the names under which `TCACore` declares them.
enum MacroTable {
  static let macros: [String: any Macro.Type] = [
    "CasePathableMacro": CasePathableMacro.self,
    "DependencyClientMacro": DependencyClientMacro.self,
    "DependencyEndpointMacro": DependencyEndpointMacro.self,
    "DependencyEntryMacro": DependencyEntryMacro.self,
    "LogValueMacro": LogValueMacro.self,
    "MarkerMacro": MarkerMacro.self,
    "ObservableStateMacro": ObservableStateMacro.self,
    "ObservationStateTrackedMacro": ObservationStateTrackedMacro.self,
    "PresentsMacro": PresentsMacro.self,
    "ReducerMacro": ReducerMacro.self,
    "ViewActionMacro": ViewActionMacro.self,
  ]
}
