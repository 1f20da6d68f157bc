internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import SystemPackage

/// Something that was served and may be served again as it is.
final class CachedMedia: Sendable {
    let token: AssetToken
    let representation: Representation
    let headers: HTTPFields
    let body: ResponseBody
    /// The 200 response, made once.
    let prepared: PreparedResponse?
    /// Whether the asset's license still lets it out.
    private let isPermitted: @Sendable () -> Bool
    /// The file behind it, with what it was when it was mapped; `nil` for generated content.
    let source: Source?
    /// Its place in the presentation, when it is a segment.
    let mark: PlayMark?

    struct Source: Sendable {
        var path: String
        var file: MappedFile
    }

    init(
        token: AssetToken, representation: Representation, headers: HTTPFields, body: ResponseBody,
        source: Source? = nil, mark: PlayMark? = nil,
        isPermitted: @escaping @Sendable () -> Bool = { true }
    ) {
        self.mark = mark
        self.isPermitted = isPermitted
        self.token = token
        self.representation = representation
        self.headers = headers
        self.body = body
        self.source = source
        prepared = PreparedResponse(
            representation.wholeResponse(headers: headers, body: body))
    }

    /// Whether the file is still the one that was mapped, and may still be shown; of generated content only the
    /// latter is checked.
    var isCurrent: Bool {
        guard isPermitted() else { return false }
        guard let source else { return true }
        return FileIdentity(path: source.path) == FileIdentity(source.file)
    }

    /// Some part of it, or less, as the request's conditions ask.
    func response(to request: Request) -> Response {
        representation.response(to: request, headers: headers, now: .now) { range in
            guard let range else { return body }
            switch body {
            case .file(let file, let whole):
                return .file(file, whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
            case .bytes(let bytes): return .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
            case .none, .stream: return body
            }
        }
    }
}

/// What has been served lately, by path and query. A file is looked at again when that was not done for
/// half a second; what nobody asks for is let go.
final class MediaCache: Sendable {
    private struct Entry {
        var media: CachedMedia
        var checked: MonotonicSeconds
        var used: MonotonicSeconds
    }

    private let entries = Lock<[String: Entry]>([:])
    static let largestCount = 1024
    static let checkInterval = 0.5
    static let generatedLifetime = 1.0
    static let idleLifetime = 30.0

    /// What is cached under `key`, if it still holds.
    func find(_ key: String) -> CachedMedia? {
        let now = MonotonicSeconds.now
        return entries.withLock { entries in
            guard let entry = entries[key] else { return nil }
            let age = now.value - entry.checked.value
            if entry.media.source == nil ? age > Self.generatedLifetime : age > Self.checkInterval {
                guard entry.media.source != nil, entry.media.isCurrent else {
                    entries[key] = nil
                    return nil
                }
                entries[key]?.checked = now
            }
            entries[key]?.used = now
            return entry.media
        }
    }

    func store(_ media: CachedMedia, under key: String) {
        let now = MonotonicSeconds.now
        entries.withLock { entries in
            if entries.count >= Self.largestCount,
                let oldest = entries.min(by: { $0.value.used < $1.value.used })
            {
                entries[oldest.key] = nil
            }
            entries[key] = Entry(media: media, checked: now, used: now)
        }
    }

    /// Forgets everything of assets.
    func forget(_ tokens: Set<AssetToken>) {
        entries.withLock { entries in
            entries = entries.filter { entry in !tokens.contains(entry.value.media.token) }
        }
    }

    /// Lets go of what nobody asked for lately.
    func sweep() {
        let now = MonotonicSeconds.now
        entries.withLock { entries in
            entries = entries.filter { now.value - $0.value.used.value < Self.idleLifetime }
        }
    }
}
