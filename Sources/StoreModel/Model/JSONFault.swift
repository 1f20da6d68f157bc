/// A fault of a JSON document, and its place. Its sentence shows no value that may be a secret.
public struct JSONFault: Error, Sendable, Equatable {
    /// The kind of fault.
    public var kind: Kind
    /// The place as a JSON Pointer (RFC 6901); empty for the document as a whole.
    public var pointer: String
    /// The position of the first byte of what is wrong.
    public var offset: Int

    /// The kinds of faults.
    public enum Kind: Sendable, Equatable {
        /// The text ceases to be JSON.
        case syntax(String)
        /// A member that is not known, its object, and the names that are known there.
        case unknown(String, within: String?, known: [String])
        /// A member is there twice.
        case repeated(String)
        /// A member that has to be there is not.
        case missing(String)
        /// A value is not what its member takes: what it is, what the member takes, and what the member means.
        case unfit(found: String, expected: String, meaning: String?)
        /// Members do not go together, or a value can't be what it says; in a clause.
        case conflict(String)
    }

    /// A fault at a place.
    public init(_ kind: Kind, path: [String], offset: Int = 0) {
        self.kind = kind
        pointer = path.map {
            "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
        self.offset = offset
    }

    /// The known name that was probably meant; `nil` when none is near.
    public var suggestion: String? {
        guard case .unknown(let name, _, let known) = kind else { return nil }
        return NearestName.of(name, among: known)
    }

    /// The member that is wrong, for people; `nil` for the document as a whole.
    private var member: String? {
        let parts = pointer.split(separator: "/").map(String.init)
        // A number alone says little: what it is a part of is named, too.
        guard let last = parts.last else { return nil }
        let name = last.allSatisfy(\.isNumber) ? parts.suffix(2).joined(separator: "/") : last
        return name.replacing("~1", with: "/").replacing("~0", with: "~").plainLine
    }

    /// One clause, and what to do.
    ///
    /// - Parameter noun: what members are called where the document comes from: `member` or `key`.
    public func sentence(_ noun: String = "member") -> String {
        switch kind {
        case .syntax(let text): "this is no JSON: \(text)"
        case .repeated(let name): "the \(noun) \"\(name.plainLine)\" is there twice; say it once"
        case .missing(let name):
            "the \(noun) \"\(name)\" is missing\(member.map { " in \"\($0)\"" } ?? ""); add it"
        case .conflict(let text): text
        case .unknown(let name, let container, let known):
            "unknown \(noun) \"\(Self.shown(name))\"\(container.map { " in \"\($0)\"" } ?? "")\(advice(known))"
        case .unfit(let found, let expected, let meaning):
            "\(found) is no value for \(member.map { "\"\($0)\"" } ?? "this"), which takes \(expected)\(meaning.map { " (\($0))" } ?? "")"
        }
    }

    private func advice(_ known: [String]) -> String {
        if let suggestion { return "; did you mean \"\(suggestion)\"?" }
        guard !known.isEmpty else { return "; nothing can be said there" }
        guard known.count <= 16 else { return "; leave it out" }
        return "; known are \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
    }

    /// A name that somebody made up, in a length that can be read.
    private static func shown(_ name: String) -> String {
        let line = name.plainLine
        return line.count > 60 ? "\(line.prefix(60))…" : line
    }
}
