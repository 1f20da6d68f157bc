/// A header section that has passed the front door, with facts that every request needs.
package struct AdmittedFields: Sendable {
    let lines: FieldLines
    /// The one Host; `nil` only with HTTP/1.0.
    let host: String?
    /// Whether the content is announced as so long that it is not read.
    let isTooLong: Bool
    /// Whether the content comes in chunks.
    let isChunked: Bool
    /// Whether there is neither Range nor any If- field.
    let isUnconditional: Bool
    /// Whether there is an Origin or Sec-Fetch field.
    let comesFromPage: Bool
    /// Whether it may be kept for later requests on its connection: players repeat theirs. Not if content follows or
    /// the version of HTTP matters, and not if it is long.
    let isRepeatable: Bool

    init(_ lines: FieldLines, host: String?, isTooLong: Bool) {
        self.lines = lines
        self.host = host
        self.isTooLong = isTooLong
        isChunked = lines.count(of: "transfer-encoding") > 0
        isUnconditional = !lines.hasName(startingWith: Self.conditions)
        comesFromPage = lines.hasName(startingWith: Self.pageMarks)
        isRepeatable =
            host != nil && !isChunked && lines.bytes.count <= Self.longestRepeated
            && lines.count(of: "content-length") == 0
    }

    /// Whether the header section of `head` equals this one.
    func covers(_ head: RawHead) -> Bool { head.fields == lines.bytes && head.has(lines) }

    private static let longestRepeated = 2 << 10
    private static let conditions = ["if-", "range"].map { Array($0.utf8) }
    private static let pageMarks = ["origin", "sec-fetch-"].map { Array($0.utf8) }
}
