internal import ASCII

extension ArraySlice<UInt8> {
    /// Whether these bytes equal a text that is known at compile time.
    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && starts(with: text)
    }

    func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { letters in
            unsafe zip(self, letters).allSatisfy { $0 == $1 }
        }
    }

    /// The bytes without ASCII whitespace at both ends.
    var trimmed: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return prefix(0) }
        return self[first...last]
    }
}
