internal import ASCII

/// The named character references, ready to be searched.
struct CharacterReferenceTable: Sendable {
    static let shared = CharacterReferenceTable(CharacterReferenceNames.entries)
    /// Bytes of the longest name.
    static let longestName = 31

    private var names: [UInt8] = []
    /// The offset of each name in `names`, and the end of the last one.
    private var starts: [UInt16] = [0]
    /// The one or two code points of each name; the second is 0 when there is one.
    private var codes: [(UInt32, UInt32)] = []
    private var freeOfSemicolon: [Bool] = []

    /// Unpacks entries in the form that `CharacterReferenceNames` describes.
    private init(_ entries: StaticString) {
        let bytes = entries.withUTF8Buffer { unsafe Array($0) }
        var reader = ByteReader(bytes, 0..<bytes.count)
        var name: [UInt8] = []
        while let token = reader.token() {
            var parts = ByteReader(bytes, token)
            guard let first = parts.next else { continue }
            _ = parts.skip(first)
            name = Array(name.prefix(Int(first - 0x30)))
            while let byte = parts.next, byte != .equals, byte != UInt8(ascii: "!") {
                name.append(byte)
                _ = parts.skip(byte)
            }
            append(name, isFree: parts.next != .equals, bytes[parts.remainder].dropFirst())
        }
    }

    private mutating func append(_ name: [UInt8], isFree: Bool, _ numbers: ArraySlice<UInt8>) {
        let values = numbers.split(separator: .dot).map { digits in
            digits.reduce(UInt32(0)) { $0 * 16 + UInt32($1.hexValue ?? 0) }
        }
        names += name
        starts.append(UInt16(names.count))
        codes.append((values.first ?? 0, values.count > 1 ? values[1] : 0))
        freeOfSemicolon.append(isFree)
    }

    var count: Int { codes.count }

    func name(_ entry: Int) -> ArraySlice<UInt8> {
        names[Int(starts[entry])..<Int(starts[entry + 1])]
    }

    /// The index of a name, with exact case.
    func entry(_ name: ArraySlice<UInt8>) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self.name(middle).lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        return low < count && self.name(low) == name ? low : nil
    }

    /// Whether a name is valid without a semicolon, too.
    func isFreeOfSemicolon(_ entry: Int) -> Bool { freeOfSemicolon[entry] }

    func text(_ entry: Int) -> String {
        var text = ""
        for code in [codes[entry].0, codes[entry].1] where code != 0 {
            if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
