extension SettingsShape {
    /// A member of the settings, for the manual.
    package struct Member {
        /// The path of names, with `[]` for the items of a list and `*` for any name.
        package var name: String
        /// The values that it takes, in words.
        package var takes: String
        /// The meaning of a value.
        package var meaning: String?
    }

    /// Every member of the settings, in the order of their shape.
    package static var members: [Member] { members(of: shape, at: "") }

    private static func members(of shape: JSONShape, at path: String) -> [Member] {
        switch shape.kind {
        case .object(let members, _):
            members.flatMap { member -> [Member] in
                let name = path.isEmpty ? member.name : "\(path).\(member.name)"
                let own = Member(name: name, takes: member.shape.expected, meaning: member.shape.meaning)
                return [own] + Self.members(of: member.shape, at: name)
            }
        case .list(let item, _): members(of: item, at: "\(path)[]")
        case .map(let value): members(of: value, at: "\(path).*")
        case .either(let shapes): shapes.flatMap { members(of: $0, at: path) }
        case .null, .flag, .integer, .number, .text, .name: []
        }
    }
}
