extension BidirectionalCollection where Element == UInt8 {
    /// The text without blanks (OWS, RFC 9110 §5.6.3) at both ends.
    func trimmingBlanks() -> SubSequence {
        let start = firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
        var end = endIndex
        while end > start {
            let before = index(before: end)
            guard self[before] == 0x20 || self[before] == 0x09 else { break }
            end = before
        }
        return self[start..<end]
    }
}
