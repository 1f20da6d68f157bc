/// Tells a damaged object from a network that changes bytes on the way: a damaged object has the same wrong bytes each
/// time.
struct WrongBytes {
    enum Verdict {
        /// The object has other bytes than were stored.
        case damaged
        /// Each answer had other bytes, so they say nothing about the object.
        case changedOnTheWay
        /// Another answer is needed.
        case uncertain
    }

    /// The number of answers after which an object is given up for now.
    static let mostAnswers = 5
    static let sentence = "the network to the bucket changes bytes: each answer for an object was different"

    /// The SHA-256 of the answers so far.
    private var seen: Set<[UInt8]> = []

    /// Takes the SHA-256 of one more wrong answer.
    mutating func verdict(on hash: [UInt8]) -> Verdict {
        guard seen.insert(hash).inserted else { return .damaged }
        return seen.count < Self.mostAnswers ? .uncertain : .changedOnTheWay
    }
}
