internal import ASCII

extension AttributeList {
    /// The parts of an attribute's text between separators, without blanks around them; empty parts left out.
    func list(_ name: String, separator: UInt8) -> [String] {
        guard let text = self[name] else { return [] }
        return text.utf8.split(separator: separator).compactMap { part in
            guard let first = part.firstIndex(where: { !$0.isBlank }),
                let last = part.lastIndex(where: { !$0.isBlank })
            else { return nil }
            return String(Substring(part[first...last]))
        }
    }
}
