/// A header section that has passed the front door, with what is asked of it for every request.
package struct AdmittedFields: Sendable {
    let lines: FieldLines
    /// The one Host; `nil` only with HTTP/1.0.
    let host: String?
    /// Whether the content is announced as so long that it is not even read.
    let isTooLong: Bool
    /// Whether the content comes in chunks.
    let isChunked: Bool
    /// Whether there is neither Range nor any If- field.
    let isUnconditional: Bool
    /// Whether there is an Origin or Sec-Fetch field.
    let comesFromPage: Bool
    /// Whether it may stand for the header section of a later request on its connection: players repeat theirs. Not where
    /// content follows, or the version of HTTP matters; what is long is not worth its memory.
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

    /// Whether the header section of `head` is this one.
    func covers(_ head: RawHead) -> Bool { head.fields == lines.bytes && head.has(lines) }

    private static let longestRepeated = 2 << 10
    private static let conditions = ["if-", "range"].map { Array($0.utf8) }
    private static let pageMarks = ["origin", "sec-fetch-"].map { Array($0.utf8) }
}
