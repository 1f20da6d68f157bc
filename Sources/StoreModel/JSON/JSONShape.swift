/// The values that a place of a JSON document may have, as far as other values don't matter. Pure.
package struct JSONShape: Sendable {
    /// The kind of value.
    package var kind: Kind
    /// The meaning of the value, for people.
    package var meaning: String?

    package indirect enum Kind: Sendable {
        case null
        case flag
        case integer(ClosedRange<Int64>)
        case number(atLeast: Double?)
        case text(expected: String, fits: @Sendable (String) -> Bool)
        case name([String])
        case list(JSONShape, atLeast: Int)
        case object([(name: String, shape: JSONShape)], required: [String])
        /// An object with any members of one shape.
        case map(JSONShape)
        case either([JSONShape])
    }

    private init(_ kind: Kind) { self.kind = kind }

    /// Null.
    package static let null = JSONShape(.null)
    /// True or false.
    package static let flag = JSONShape(.flag)
    /// Any text.
    package static let text = JSONShape.text("a text") { _ in true }
    /// A whole number in a range.
    package static func integer(_ range: ClosedRange<Int64>) -> JSONShape { JSONShape(.integer(range)) }
    /// A number, with a least value or without.
    package static func number(atLeast least: Double? = nil) -> JSONShape {
        JSONShape(.number(atLeast: least))
    }
    /// A text that passes a check.
    ///
    /// - Parameter expected: the name of such a text for messages, with an article.
    package static func text(_ expected: String, _ fits: @escaping @Sendable (String) -> Bool) -> JSONShape {
        JSONShape(.text(expected: expected, fits: fits))
    }
    /// A text from a list.
    package static func name(_ names: [String]) -> JSONShape { JSONShape(.name(names)) }
    /// An array of values of one shape.
    package static func list(_ item: JSONShape, atLeast: Int = 0) -> JSONShape {
        JSONShape(.list(item, atLeast: atLeast))
    }
    /// An object that has no other members than these.
    package static func object(_ members: [(name: String, shape: JSONShape)], required: [String] = [])
        -> JSONShape
    {
        JSONShape(.object(members, required: required))
    }
    /// An object with any members, all of one shape.
    package static func map(_ values: JSONShape) -> JSONShape { JSONShape(.map(values)) }
    /// A value that has one of some shapes.
    package static func either(_ shapes: [JSONShape]) -> JSONShape {
        shapes.count == 1 ? shapes[0] : JSONShape(.either(shapes))
    }

    /// The shape, which may also be null.
    package var orNull: JSONShape { .either([self, .null]).meaning(meaning) }

    /// The shape with a description of its value.
    package func meaning(_ text: String?) -> JSONShape {
        var shape = self
        shape.meaning = text ?? meaning
        return shape
    }
}

extension JSONShape {
    /// The first thing in a value that does not fit; `nil` when all of it does.
    package func fault(in value: LocatedJSON) -> JSONFault? { fault(value, []) }

    private func fault(_ value: LocatedJSON, _ path: [String]) -> JSONFault? {
        switch (kind, value.value) {
        case (.null, .null), (.flag, .bool): return nil
        case (.integer(let range), .number(let text)):
            return Self.integer(text).map(range.contains) == true ? nil : unfit(value, path)
        case (.number(let least), .number(let text)):
            return Double(text).map { $0.isFinite && $0 >= least ?? -.infinity } == true
                ? nil : unfit(value, path)
        case (.text(_, let fits), .string(let text)): return fits(text) ? nil : unfit(value, path)
        case (.name(let names), .string(let text)): return names.contains(text) ? nil : unfit(value, path)
        case (.list(let item, let least), .array(let items)):
            guard items.count >= least else { return unfit(value, path) }
            return Self.first(items.enumerated()) { item.fault($1, path + ["\($0)"]) }
        case (.map(let shape), .object(let members)):
            return Self.first(members) { shape.fault($0.value, path + [$0.name]) }
        case (.object(let known, let required), .object(let members)):
            return Self.fault(value, members, known: known, required: required, path: path)
        case (.either(let shapes), _): return fault(value, ofAny: shapes, path)
        default: return unfit(value, path)
        }
    }

    private static func first<Items: Sequence>(
        _ items: Items, _ fault: (Items.Element) -> JSONFault?
    ) -> JSONFault? {
        for item in items { if let fault = fault(item) { return fault } }
        return nil
    }

    private static func fault(
        _ object: LocatedJSON, _ members: [LocatedJSON.Member],
        known: [(name: String, shape: JSONShape)], required: [String], path: [String]
    ) -> JSONFault? {
        let names = known.map(\.name)
        let container = path.last { !$0.allSatisfy(\.isNumber) }
        for member in members {
            let place = path + [member.name]
            guard let shape = known.first(where: { $0.name == member.name })?.shape else {
                return JSONFault(
                    .unknown(member.name, within: container, known: names), path: place, offset: member.offset
                )
            }
            if let fault = shape.fault(member.value, place) { return fault }
        }
        let missing = required.first { name in !members.contains { $0.name == name } }
        return missing.map { JSONFault(.missing($0), path: path, offset: object.offset) }
    }

    /// The fault of a value that may have one of several shapes: by the shape of its own kind.
    private func fault(_ value: LocatedJSON, ofAny shapes: [JSONShape], _ path: [String]) -> JSONFault? {
        let faults = shapes.map { $0.fault(value, path) }
        guard !faults.contains(nil) else { return nil }
        let place = JSONFault(.syntax(""), path: path).pointer
        let inner = faults.compactMap(\.self).first { $0.pointer != place || $0.isOfMembers }
        return inner ?? unfit(value, path)
    }

    private func unfit(_ value: LocatedJSON, _ path: [String]) -> JSONFault {
        JSONFault(
            .unfit(found: found(value.value), expected: expected, meaning: meaning), path: path,
            offset: value.offset)
    }

    package static func integer(_ text: String) -> Int64? {
        Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }
}

extension JSONFault {
    /// Whether it concerns members of the value at its place.
    fileprivate var isOfMembers: Bool {
        if case .missing = kind { true } else { false }
    }
}

extension JSONShape {
    /// The values that it takes, for people.
    var expected: String {
        switch kind {
        case .null: "null"
        case .flag: "true or false"
        case .integer(let range): Self.words(range)
        case .number(let least): least == 0 ? "a number, 0 or more" : "a number"
        case .text(let expected, _): expected
        case .name(let names): Self.words(names)
        case .list(let item, let least):
            "a list\(item.plural.map { " of \($0)" } ?? "")\(least > 0 ? " that is not empty" : "")"
        case .object, .map: "an object"
        case .either: Self.words(alternatives)
        }
    }

    /// The word for several values of it, where there is a short one.
    private var plural: String? {
        switch kind {
        case .text: "texts"
        case .object: "objects"
        default: nil
        }
    }

    /// The shapes that a value other than null may have, without nested choices.
    private var alternatives: [JSONShape] {
        switch kind {
        case .null: []
        case .either(let shapes): shapes.flatMap(\.alternatives)
        default: [self]
        }
    }

    /// Each thing once, and all names together.
    private static func words(_ shapes: [JSONShape]) -> String {
        var (names, others): ([String], [String]) = ([], [])
        for shape in shapes {
            if case .name(let own) = shape.kind {
                names += own.filter { !names.contains($0) }
            } else if !others.contains(shape.expected) {
                others.append(shape.expected)
            }
        }
        return ((names.isEmpty ? [] : [words(names)]) + others).joined(separator: ", or ")
    }

    private static func words(_ names: [String]) -> String {
        let quoted = names.map { "\"\($0)\"" }
        return quoted.count == 1 ? quoted[0] : "one of \(quoted.joined(separator: ", "))"
    }

    private static func words(_ range: ClosedRange<Int64>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "a whole number"
        case (1, .max): "a whole number above 0"
        case (let least, .max): "a whole number, \(least) or more"
        case (let least, let most): "a whole number from \(least) to \(most)"
        }
    }

    /// Whether a text in its place can't be a secret: if a number, a flag or a name from a list is expected.
    private var isOpen: Bool {
        switch kind {
        case .flag, .integer, .number, .name, .null: true
        case .either(let shapes): shapes.allSatisfy(\.isOpen)
        case .text, .list, .object, .map: false
        }
    }

    /// The value that came instead, for people.
    private func found(_ value: LocatedJSON.Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let text): text
        case .string(let text): isOpen && text.count <= 40 ? "\"\(text.plainLine)\"" : "this text"
        case .array: "this list"
        case .object: "an object"
        }
    }
}
