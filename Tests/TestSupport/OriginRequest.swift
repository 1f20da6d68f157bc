/// A request in the form in which an origin received it.
public struct OriginRequest: Sendable {
    /// The method.
    public var method: String
    /// The target's path, percent-encoded.
    public var path: String
    /// The text behind the `?`; nil without one.
    public var query: String?
    /// Names and values in order.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]
    /// The status it was answered with; 0 before.
    public var status = 0
    /// Body bytes sent in answer so far.
    public var bytesSent = 0
    /// The connection it came on, counted from 1.
    public var connection = 0

    /// The value of a header field, the name in any case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The first byte asked for by `Range`; 0 without.
    public var offset: Int {
        guard let range = header("Range"), range.hasPrefix("bytes=") else { return 0 }
        return Int(range.dropFirst(6).prefix { $0 != "-" }) ?? 0
    }

    /// Parses a request's header section; nil for other texts.
    init?(head: String) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).makeIterator()
        guard let parts = lines.next()?.split(separator: " "), parts.count == 3 else { return nil }
        method = String(parts[0])
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : nil
        headers = []
        body = []
        while let line = lines.next(), let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append((name: String(line[..<colon]), value: String(value)))
        }
    }
}
