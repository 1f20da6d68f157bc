/// Puts the sections of one table together (ISO/IEC 13818-1, section 2.4.4), which may lie in several packets.
struct SectionAssembler: Sendable {
    private var bytes: [UInt8] = []
    private var isOpen = false
    /// The last section that was taken: most only repeat it.
    private var last: [UInt8] = []

    /// Takes the payload of a packet.
    ///
    /// - Returns: sections that are complete now, in force, undamaged, and different from the one before.
    mutating func take(_ payload: ArraySlice<UInt8>, begins: Bool) -> [[UInt8]] {
        guard begins else {
            if isOpen { bytes.append(contentsOf: payload) }
            return whole()
        }
        let pointer = Int(payload.first ?? 0)
        let rest = payload.dropFirst()
        var sections: [[UInt8]] = []
        if isOpen {
            bytes.append(contentsOf: rest.prefix(pointer))
            sections = whole()
        }
        (bytes, isOpen) = (Array(rest.dropFirst(pointer)), true)
        return sections + whole()
    }

    private mutating func whole() -> [[UInt8]] {
        var sections: [[UInt8]] = []
        // Behind the last section bytes are 0xFF.
        while bytes.count >= 3, bytes[0] != 0xFF {
            let length = 3 + (Int(bytes[1] & 0xF) << 8 | Int(bytes[2]))
            guard bytes.count >= length else { break }
            let section = Array(bytes.prefix(length))
            bytes.removeFirst(length)
            if section != last, Self.isValid(section) { sections.append(section) }
            if Self.isCurrent(section) { last = section }
        }
        if bytes.first == 0xFF { (bytes, isOpen) = ([], false) }
        return sections
    }

    /// Whether it has the long form and is in force.
    private static func isCurrent(_ section: [UInt8]) -> Bool {
        section.count >= 12 && section[1] & 0x80 != 0 && section[5] & 1 == 1
    }

    private static func isValid(_ section: [UInt8]) -> Bool { isCurrent(section) && CRC32.mpeg(section) == 0 }
}
