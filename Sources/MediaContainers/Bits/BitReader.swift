/// Reads numbers of any width from bytes, the highest bit first.
///
/// Bits beyond the end read as zero and are noted, so that a parser checks once, at its end, whether all were there.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    /// The number of bits before the next one.
    private(set) var position = 0
    /// Whether more bits were read than there are.
    private(set) var isOverrun = false

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    var bitsLeft: Int { bytes.count * 8 - position }

    /// A number of at most 32 bits.
    mutating func bits(_ count: Int) -> Int {
        guard reserve(count) else { return 0 }
        var (value, left) = (0, count)
        while left > 0 {
            let available = 8 - position & 7
            let taken = min(available, left)
            let byte = Int(bytes[bytes.startIndex + position >> 3])
            value = value << taken | byte >> (available - taken) & (1 << taken - 1)
            position += taken
            left -= taken
        }
        return value
    }

    mutating func flag() -> Bool { bits(1) == 1 }

    mutating func skip(_ count: Int) {
        if reserve(count) { position += count }
    }

    /// Goes on to the next whole byte.
    mutating func align() { skip(-position & 7) }

    /// An unsigned Exp-Golomb number (ISO/IEC 14496-10, section 9.1).
    mutating func ue() -> Int {
        var zeros = 0
        while bits(1) == 0 {
            zeros += 1
            guard zeros <= 32, !isOverrun else {
                isOverrun = true
                return 0
            }
        }
        return 1 << zeros - 1 + bits(zeros)
    }

    /// A signed Exp-Golomb number.
    mutating func se() -> Int {
        let value = ue()
        return value & 1 == 1 ? value / 2 + 1 : -(value / 2)
    }

    private mutating func reserve(_ count: Int) -> Bool {
        guard count >= 0, count <= bitsLeft else {
            position = bytes.count * 8
            isOverrun = true
            return false
        }
        return true
    }
}

/// Writes numbers of any width, the highest bit first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    /// Appends the lowest `count` bits of a number.
    mutating func put(_ value: Int, _ count: Int) {
        for place in stride(from: count - 1, through: 0, by: -1) {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            bytes[bytes.count - 1] |= UInt8(truncatingIfNeeded: (value >> place & 1) << free)
        }
    }

    mutating func put(_ value: Bool) { put(value ? 1 : 0, 1) }

    /// Fills the last byte with zeros.
    mutating func align() { free = 0 }
}
