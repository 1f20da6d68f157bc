internal import ASCII

/// The places of secrets in addresses, and in playlists that hold addresses. Pure.
package enum SecretSpans {
    /// Whether an address may have a secret part, which is rare.
    package static func mayHave(_ address: String.UTF8View) -> Bool {
        address.contains { $0 == .questionMark || $0 == .at }
    }

    /// User information and query of an address or relative reference, the way `URIReference` reads it; empty ones are no
    /// secrets.
    package static func ofAddress(_ text: ArraySlice<UInt8>) -> [Range<Int>] {
        let end = text.firstIndex(of: .hash) ?? text.endIndex
        let question = text[..<end].firstIndex(of: .questionMark)
        let path = text[..<(question ?? end)]
        var spans: [Range<Int>] = []
        if let userInfo = userInfo(path) { spans.append(userInfo) }
        if let question, question + 1 < end { spans.append(question + 1..<end) }
        return spans
    }

    private static func userInfo(_ path: ArraySlice<UInt8>) -> Range<Int>? {
        guard path.contains(.at), let start = path.firstIndex(where: isSlash), start + 1 < path.endIndex,
            isSlash(path[start + 1])
        else { return nil }
        let before = path[..<start]
        guard before.last == .colon || before.allSatisfy({ $0 <= 0x20 }) else { return nil }
        let authority = path[(start + 2)...].prefix { !isSlash($0) }
        guard let at = authority.lastIndex(of: .at), at > authority.startIndex else { return nil }
        return authority.startIndex..<at
    }

    private static func isSlash(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }

    /// The secrets of all addresses in a playlist, in order: in lines, in attributes, in comments and in unknown
    /// tags. The values of variables (EXT-X-DEFINE) count, too, since they may be used in queries.
    package static func ofPlaylist(_ text: [UInt8]) -> [Range<Int>] {
        guard text.contains(where: { $0 == .questionMark || $0 == .at }) || text.firstRange(of: define) != nil
        else { return [] }
        var spans: [Range<Int>] = []
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = trimmed(line)
            if line.first == .hash {
                spans += ofTag(line)
            } else {
                spans += ofAddress(line)
            }
        }
        return spans
    }

    private static let define = Array("#EXT-X-DEFINE".utf8)

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = line.drop { $0 <= 0x20 }
        guard let last = start.lastIndex(where: { $0 > 0x20 }) else { return [] }
        return start[...last]
    }

    private static func ofTag(_ line: ArraySlice<UInt8>) -> [Range<Int>] {
        let isDefine = line.starts(with: define)
        guard isDefine || line.contains(where: { $0 == .questionMark || $0 == .at }) else { return [] }
        var spans: [Range<Int>] = []
        var rest = line
        while let quote = rest.firstIndex(of: .quote) {
            let name = rest[..<quote]
            spans += ofWords(name)
            let value = rest[(quote + 1)...].prefix { $0 != .quote }
            spans += isDefine && name.hasSuffix("VALUE=") ? whole(value) : ofValue(value, named: name)
            rest = rest[min(value.endIndex + 1, rest.endIndex)...]
        }
        return spans + ofWords(rest)
    }

    private static func whole(_ value: ArraySlice<UInt8>) -> [Range<Int>] {
        value.isEmpty ? [] : [value.startIndex..<value.endIndex]
    }

    /// A quoted text: an address where its name says so, or it looks like one.
    private static func ofValue(
        _ value: ArraySlice<UInt8>, named name: ArraySlice<UInt8>
    ) -> [Range<Int>] {
        let isAddress = ["URI=", "X-ASSET-LIST="].contains { name.hasSuffix($0) }
        if isAddress || !value.contains(where: { $0 <= 0x20 }) { return ofAddress(value) }
        return ofWords(value)
    }

    /// Whole addresses among words.
    private static func ofWords(_ text: ArraySlice<UInt8>) -> [Range<Int>] {
        text.split(whereSeparator: { $0 <= 0x20 }).flatMap { word -> [Range<Int>] in
            guard let colon = word.firstRange(of: Array("://".utf8))?.lowerBound else { return [] }
            return ofAddress(word[colon...])
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
