extension ParameterSets {
    /// The parameter sets of a sample entry: those of its `avcC` or `hvcC` (ISO/IEC 14496-15, sections 5.3.3 and
    /// 8.3.3).
    ///
    /// - Returns: `nil` without any, or if they are invalid.
    init?(entry: [UInt8]) {
        let children = Box.list(entry, 86..<max(86, entry.count))
        if let box = children.first(where: { $0.name == "avcC" }) {
            readAVC(entry, box.content)
        } else if let box = children.first(where: { $0.name == "hvcC" }) {
            readHEVC(entry, box.content)
        }
        if sets.isEmpty { return nil }
    }

    private mutating func readAVC(_ bytes: [UInt8], _ content: Range<Int>) {
        var place = content.lowerBound + 5
        for mask in [0x1F, 0xFF] as [UInt8] {
            guard place < content.upperBound else { return }
            let count = Int(bytes[place] & mask)
            place += 1
            readUnits(of: bytes, from: &place, to: content.upperBound, count: count) {
                AVCCodec.key(of: $0, in: bytes)
            }
        }
    }

    private mutating func readHEVC(_ bytes: [UInt8], _ content: Range<Int>) {
        var place = content.lowerBound + 23
        guard place <= content.upperBound else { return }
        for _ in 0..<bytes[place - 1] {
            guard place + 3 <= content.upperBound else { return }
            let count = Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
            place += 3
            readUnits(of: bytes, from: &place, to: content.upperBound, count: count) {
                HEVCCodec.key(of: $0, in: bytes)
            }
        }
    }

    /// Reads units behind their lengths.
    private mutating func readUnits(
        of bytes: [UInt8], from place: inout Int, to end: Int, count: Int, key: (Range<Int>) -> Key?
    ) {
        for _ in 0..<count {
            guard place + 2 <= end else { return }
            let start = place + 2
            let length = Int(bytes[place]) << 8 | Int(bytes[place + 1])
            guard length > 0, start + length <= end else { return }
            if let key = key(start..<start + length) { self[key] = Array(bytes[start..<start + length]) }
            place = start + length
        }
    }
}
