internal import ASCII

extension AttributeList {
    /// The list with a quoted attribute replaced in its place, or added at the end.
    ///
    /// Quotes and line ends, which a quoted string cannot hold (RFC 8216bis §4.2), are left out.
    public func setting(_ name: String, quoted text: String) -> AttributeList {
        setting(name, .quoted(text))
    }

    /// The list with an unquoted attribute replaced in its place, or added at the end.
    public func setting(_ name: String, plain text: String) -> AttributeList {
        setting(name, .plain(text))
    }

    /// The list with an attribute replaced in its place, or added at the end. Further ones of the same name, which
    /// the RFC forbids, are left out: readers would differ in which one they use.
    public func setting(_ name: String, _ value: Value) -> AttributeList {
        let place = pairs.firstIndex { $0.name == name } ?? pairs.endIndex
        let others = pairs[place...].filter { $0.name != name }
        return AttributeList(Array(pairs[..<place]) + [Pair(name: name, value: value.writable)] + others)
    }

    /// The list without the attributes of these names.
    public func removing(_ names: String...) -> AttributeList {
        AttributeList(pairs.filter { !names.contains($0.name) })
    }
}

extension AttributeList.Value {
    /// The value without characters that would end it early.
    var writable: AttributeList.Value {
        switch self {
        case .quoted(let text): .quoted(PlaylistLine.text(text, without: "\""))
        case .plain(let text): .plain(PlaylistLine.text(text, without: "\",").withoutPadding)
        }
    }
}

extension String {
    /// The text without the blanks around it, which are not a part of an unquoted value.
    fileprivate var withoutPadding: String {
        let rest = utf8.drop { $0.isBlank }
        let end = rest.lastIndex { !$0.isBlank }.map(rest.index(after:)) ?? rest.startIndex
        return String(Substring(rest[..<end]))
    }
}
