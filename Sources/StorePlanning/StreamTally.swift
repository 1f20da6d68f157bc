package import MediaContainers

/// The facts that the segments of a stretch of a rendition have shown, to detect a segment that differs from the
/// others. Pure.
///
/// One neighbor proves nothing: three other segments have to agree, and a difference that occurs more than a few
/// times is a property of the stream.
package struct StreamTally: Sendable {
    private var pictures: [Set<UInt8>: Set<Int>] = [:]
    /// Segments with the length of the playlist, and segments that are much shorter.
    private var whole: Set<Int> = []
    private var short: Set<Int> = []
    /// The segments that were told to be unlike others.
    private var told: Set<Int> = []

    /// Others that have to agree.
    static let agreement = 3
    /// The share of EXTINF below which the time stamps of a segment are too few, and above which they are enough.
    static let (shortShare, wholeShare) = (0.6, 0.85)

    package init() {}

    /// Takes the facts of a segment.
    ///
    /// - Parameters:
    ///   - duration: EXTINF, in seconds.
    ///   - isLast: whether it is the last one of its stretch, which may be shorter than the playlist says.
    /// - Returns: its difference from the others; `nil` if there is none, or if it is unknown.
    package mutating func take(
        _ outline: TransportOutline, of number: Int, duration: Double, isLast: Bool
    ) -> UnitFinding? {
        forget(number)
        pictures[outline.pictures, default: []].insert(number)
        if let span = outline.span, duration > 0, !isLast {
            if span < Self.shortShare * duration { short.insert(number) }
            if span > Self.wholeShare * duration { whole.insert(number) }
        }
        let finding = finding(of: number)
        if finding != nil { told.insert(number) }
        return finding
    }

    /// Forgets the earlier result of a segment, which may have been replaced.
    private mutating func forget(_ number: Int) {
        for key in pictures.keys { pictures[key]?.remove(number) }
        whole.remove(number)
        short.remove(number)
    }

    /// The segments whose difference showed only after these had come, and that were not reported yet.
    package var late: [(number: Int, finding: UnitFinding)] {
        let few = (pictures.values + [short]).filter { $0.count <= Self.agreement }
        let numbers = few.reduce(into: Set<Int>()) { $0.formUnion($1) }.subtracting(told).sorted()
        return numbers.compactMap { number in finding(of: number).map { (number, $0) } }
    }

    /// Notes that a segment's difference is reported.
    ///
    /// - Returns: whether it is the first report.
    package mutating func tell(_ number: Int) -> Bool { told.insert(number).inserted }

    private func finding(of number: Int) -> UnitFinding? {
        let own = pictures.first { $0.value.contains(number) }
        let others = pictures.filter { $0.key != own?.key }.values.map(\.count).max() ?? 0
        if Self.isOdd(own?.value.count ?? 0, beside: others) { return .otherPictures }
        return short.contains(number) && Self.isOdd(short.count, beside: whole.count) ? .short : nil
    }

    private static func isOdd(_ own: Int, beside others: Int) -> Bool {
        (1...agreement).contains(own) && others >= agreement * own
    }
}
