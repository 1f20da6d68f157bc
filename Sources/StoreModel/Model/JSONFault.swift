/// A fault of a JSON document, and its place. Its sentence quotes no value that may be secret.
public struct JSONFault: Error, Sendable, Equatable {
    /// The kind of fault.
    public var kind: Kind
    /// The place as a JSON Pointer (RFC 6901); empty for the document as a whole.
    public var pointer: String
    /// The position of the fault's first byte.
    public var offset: Int

    /// The kinds of faults.
    public enum Kind: Sendable, Equatable {
        /// The text ceases to be JSON.
        case syntax(String)
        /// An unknown member, its object, and the names that are known there.
        case unknown(String, within: String?, known: [String])
        /// A member is there twice.
        case repeated(String)
        /// A member that has to be there is not.
        case missing(String)
        /// A value does not fit its member: the found value, the expected one, and the meaning of the member.
        case unfit(found: String, expected: String, meaning: String?)
        /// Members contradict each other, or a value is impossible; the text is a clause.
        case conflict(String)
    }

    /// The expected value where a pattern decides: the meaning says more than this.
    package static let someForm = "a text of a certain form"

    /// A fault at a place.
    public init(_ kind: Kind, path: [String], offset: Int = 0) {
        self.kind = kind
        pointer = path.map {
            "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
        self.offset = offset
    }

    /// The known name that was probably meant; `nil` if none is similar.
    public var suggestion: String? {
        guard case .unknown(let name, _, let known) = kind else { return nil }
        return NearestName.of(name, among: known)
    }

    /// The faulty member, for people; `nil` for the document as a whole.
    private var member: String? {
        let parts = pointer.split(separator: "/").map(String.init)
        // A number alone says little: its array is named, too.
        guard let last = parts.last else { return nil }
        let name = last.allSatisfy(\.isNumber) ? parts.suffix(2).joined(separator: "/") : last
        return name.replacing("~1", with: "/").replacing("~0", with: "~").plainLine
    }

    /// The fault in one clause, with the advice.
    ///
    /// - Parameter noun: the word for members in the document's format: `member` or `key`.
    public func sentence(_ noun: String = "member") -> String {
        switch kind {
        case .syntax(let text): "this is no JSON: \(text)"
        case .repeated(let name): "the \(noun) \"\(name.plainLine)\" is there twice; keep one"
        case .missing(let name):
            "the \(noun) \"\(name)\" is missing\(member.map { " in \"\($0)\"" } ?? ""); add it"
        case .conflict(let text): text
        case .unknown(let name, let container, let known):
            "unknown \(noun) \"\(Self.shown(name))\"\(container.map { " in \"\($0)\"" } ?? "")\(advice(noun, known))"
        case .unfit(let found, Self.someForm, let meaning?):
            "\(found) is no value for \(member.map { "\"\($0)\"" } ?? "this"), which takes \(meaning)"
        case .unfit(let found, let expected, let meaning):
            "\(found) is no value for \(member.map { "\"\($0)\"" } ?? "this"), which takes \(expected)\(meaning.map { " (\($0))" } ?? "")"
        }
    }

    private func advice(_ noun: String, _ known: [String]) -> String {
        if let suggestion { return "; did you mean \"\(suggestion)\"?" }
        guard !known.isEmpty else { return "; no \(noun) can be here" }
        guard known.count <= 16 else { return "; leave it out" }
        return "; known are \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
    }

    /// A user's name, short enough to be read.
    private static func shown(_ name: String) -> String {
        let line = name.plainLine
        return line.count > 60 ? "\(line.prefix(60))…" : line
    }
}
