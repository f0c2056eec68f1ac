/// What `@Reducer` adds to an enum of features.
struct ReducerEnum {
  let type: NominalType
  let context: MacroContext

  init?(type: NominalType, context: MacroContext) {
    self.type = type
    self.context = context
  }

  var members: [String] { [] }

  static func attributes(ofCase declaration: Declaration) -> [String] { [] }
}
