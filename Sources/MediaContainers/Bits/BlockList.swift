/// A list that grows without copying its values.
///
/// A film has a million samples. An array that doubles its memory would copy them, and touch twice the memory.
struct BlockList<Element: Sendable>: Sendable {
    /// Values of a block.
    static var blockSize: Int { 4096 }

    private var full: [[Element]] = []
    private var open: [Element] = []

    var count: Int { full.count * Self.blockSize + open.count }

    mutating func append(_ value: Element) {
        if open.count == Self.blockSize {
            full.append(open)
            open = []
            open.reserveCapacity(Self.blockSize)
        }
        open.append(value)
    }

    /// The values in order, by blocks; there is at least one block.
    var blocks: [[Element]] { full + [open] }

    func allSatisfy(_ isWanted: (Element) -> Bool) -> Bool { blocks.allSatisfy { $0.allSatisfy(isWanted) } }
}
