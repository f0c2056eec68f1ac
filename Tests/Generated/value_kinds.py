"""The kinds of values in states and actions: types of Sources/Values.swift and Foundation, and the functions that make their values."""

# The type, and the function of `Make` in Sources/Values.swift that makes its values.
KINDS = [
    ("Bool", "bool"), ("Int", "int"), ("Int8", "int8"), ("UInt16", "uint16"), ("Int32", "int32"), ("UInt64", "uint64"),
    ("Int128", "int128"), ("Float", "float"), ("Double", "double"), ("Decimal", "decimal"), ("String", "text"), ("String", "text"),
    ("Substring", "substring"), ("Character", "character"), ("Data", "data"), ("Date", "date"), ("Duration", "duration"),
    ("UUID", "uuid"), ("URL", "url"), ("IndexSet", "indexSet"), ("Int?", "optional"), ("String??", "nested"), ("[Int]", "array"),
    ("[String]", "texts"), ("[Int?]", "optionals"), ("Set<String>", "set"), ("Set<Point>", "points"), ("[String: Int]", "dictionary"),
    ("[Int: String?]", "numbered"), ("[Choice: [Int]]", "chosen"), ("[Point: String]", "keyed"), ("Range<Int>", "range"),
    ("ClosedRange<Double>?", "closedRange"), ("ArraySlice<Int>", "slice"), ("Result<Int, GeneratedFailure>", "result"),
    ("Choice", "choice"), ("Level", "level"), ("Shape", "shape"), ("Tree", "tree"), ("Pair<String, [Level: Int]>", "pair"),
    ("Form", "form"), ("OnlyCodable", "codable"), ("IdentifiedArrayOf<Item>", "items"), ("DateComponents", "components"),
    ("Locale", "locale"), ("CharacterSet", "characters"), ("Box", "box"),
]

# Names of properties and cases: keywords, members of collections, of the library and of generated code.
NAMES = [
    "`default`", "`in`", "`class`", "`init`", "`protocol`", "`where`", "`two words`", "`is`", "first", "last", "isEmpty", "map", "filter",
    "description", "debugDescription", "hash", "state", "action", "store", "send", "body", "value", "key", "encoder", "decoder", "encode", "decode", "template", "patch", "builder",
    "text", "index", "element", "difference", "survey", "root", "old", "new", "other", "lhs", "rhs", "type", "größe", "x1", "allCasePaths",
    "casePath", "wrappedValue", "projectedValue", "registrar", "access", "mutation", "keyPath", "Name", "self_", "read", "into", "over",
]
