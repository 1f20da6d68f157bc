internal import HTTPDaemon
internal import HTTPTypes
internal import Transfers

extension FuzzTarget {
    static let requests = [
        FuzzTarget("range", tokens: ["bytes=", "-", ",", "0-0", "18446744073709551615", " ", "\t"]) {
            bytes throws(Finding) in
            guard let header = ByteRangeHeader(String(decoding: bytes, as: UTF8.self)) else { return }
            for size in [0, 1, 1000, UInt64.max] as [UInt64] {
                guard case .partial(let range) = header.resolve(size: size) else { continue }
                try Finding.expect(
                    !range.isEmpty && range.upperBound <= size, "a range lies within the representation")
            }
        },
        FuzzTarget(
            "conditional", tokens: ["\"", "W/", "*", ",", "Sat, 21 Nov 2026 13:00:00 GMT", "\n", "bytes=0-"]
        ) {
            bytes throws(Finding) in
            try checkConditions(String(decoding: bytes, as: UTF8.self))
        },
        FuzzTarget(
            "request-head",
            tokens: ["Host", "\0", "localhost:8090", "Content-Length", "http://", "/", "?", "%00"]
        ) {
            bytes throws(Finding) in
            let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
            let head = RawHead(
                method: "GET", target: Array(parts[0]), minorVersion: 1,
                fields: parts.count > 1 ? Array(parts[1]) : [])
            guard let request = try? RequestGuard(bodyLimit: 1000).admit(head, peer: "127.0.0.1") else {
                return
            }
            try Finding.expect(
                request.path == "*" || request.path.hasPrefix("/"), "an admitted path is absolute")
            try Finding.expect(request.authority != nil, "an admitted request names its host")
        },
        FuzzTarget("content-range", tokens: ["bytes ", "-", "/", "*", "18446744073709551615", "0-0/1"]) {
            bytes throws(Finding) in
            guard let range = ContentRange(String(decoding: bytes, as: UTF8.self)),
                let positions = range.positions
            else { return }
            try Finding.expect(
                range.total.map { positions.upperBound < $0 } ?? true, "a content range lies within its total"
            )
        },
    ]

    /// Checks conditions: one line each for If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range
    /// and Range.
    private static func checkConditions(_ text: String) throws(Finding) {
        let names: [HTTPField.Name] = [
            .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range,
        ]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let values = Dictionary(uniqueKeysWithValues: zip(names, lines))
        let now = HTTPDate(seconds: 1_795_000_000)
        let representation = Representation(
            size: 1000, entityTag: EntityTag(strong: "tag"), lastModified: HTTPDate(seconds: 1_794_000_000))
        let conditions = Preconditions(method: .get) { values[$0] }
        if case .partial(let range) = conditions.evaluate(representation, now: now) {
            try Finding.expect(!range.isEmpty && range.upperBound <= 1000, "a part lies within the whole")
        }
        if let date = HTTPDate(lines[0], now: now) {
            let again = HTTPDate(date.fieldValue, now: now)
            try Finding.expect(again == date, "a date reads as it was printed")
        }
    }
}
