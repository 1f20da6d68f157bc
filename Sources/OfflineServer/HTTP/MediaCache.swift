internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import SystemPackage

/// A response that was served and may be served again.
final class CachedMedia: Sendable {
    let token: AssetToken
    let representation: Representation
    let headers: HTTPFields
    let body: ResponseBody
    /// The 200 response, made once.
    let prepared: PreparedResponse?
    /// Whether the asset's license still permits it.
    private let isPermitted: @Sendable () -> Bool
    /// The file behind it, with its identity when it was mapped; `nil` for generated content.
    let source: Source?
    /// The segment's place in the presentation; `nil` for other resources.
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

    /// Whether the file is still the mapped one, and the license permits it. Generated content has only the second
    /// check.
    var isCurrent: Bool {
        guard isPermitted() else { return false }
        guard let source else { return true }
        return FileIdentity(path: source.path) == FileIdentity(source.file)
    }

    /// The memory of the entry and its prepared response, in bytes; 0 for a file.
    var heldBytes: Int {
        if case .bytes(let bytes) = body { 2 * bytes.count } else { 0 }
    }

    /// The response to a request, by its conditions and range.
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

/// The media that were served lately, by path and the relevant parts of the query. A file is checked again after half
/// a second. Generated content is removed after a second, and unused entries after 30 seconds. When the limit of
/// memory or entries is reached, the least recently used entries are removed.
final class MediaCache: Sendable {
    private struct Entry {
        var media: CachedMedia
        var checked: MonotonicSeconds
        var used: MonotonicSeconds
        /// Memory that it takes.
        var bytes: Int
    }

    private struct Entries {
        var byKey: [String: Entry] = [:]
        /// Memory that all of them take.
        var bytes = 0

        mutating func insert(_ entry: Entry, _ key: String) {
            byKey[key] = entry
            bytes += entry.bytes
        }

        mutating func remove(_ key: String) {
            guard let entry = byKey.removeValue(forKey: key) else { return }
            bytes -= entry.bytes
        }

        /// Removes the entry that was unused for longest among those of at least this size.
        mutating func removeOldest(atLeast bytes: Int) {
            let oldest = byKey.lazy.filter { $0.value.bytes >= bytes }
                .min { $0.value.used < $1.value.used }?.key
            if let oldest { remove(oldest) }
        }

        mutating func keep(where isKept: (Entry) -> Bool) {
            byKey = byKey.filter { isKept($0.value) }
            bytes = byKey.values.reduce(0) { $0 + $1.bytes }
        }
    }

    private let entries = Lock(Entries())
    private let largestBytes: Int
    static let largestCount = 1024
    static let checkInterval = 0.5
    static let generatedLifetime = 1.0
    static let idleLifetime = 30.0

    /// - Parameter largestBytes: the memory for all entries. An entry of more than a quarter of it is not kept.
    init(largestBytes: Int = 64 << 20) { self.largestBytes = largestBytes }

    /// Memory in use, in bytes.
    var heldBytes: Int { entries.withLock { $0.bytes } }

    /// The entry under `key`, if it is still valid.
    func find(_ key: String) -> CachedMedia? {
        Trace.pass(.mediaCache, String(key.prefix { $0 != "?" }))
        let now = MonotonicSeconds.now
        return entries.withLock { entries in
            guard let entry = entries.byKey[key] else { return nil }
            let age = now.value - entry.checked.value
            if entry.media.source == nil ? age > Self.generatedLifetime : age > Self.checkInterval {
                guard entry.media.source != nil, entry.media.isCurrent else {
                    entries.remove(key)
                    return nil
                }
                entries.byKey[key]?.checked = now
            }
            entries.byKey[key]?.used = now
            return entry.media
        }
    }

    func store(_ media: CachedMedia, under key: String) {
        let now = MonotonicSeconds.now
        let bytes = media.source == nil ? media.heldBytes + key.utf8.count : 0
        entries.withLock { entries in
            entries.remove(key)
            guard bytes <= largestBytes / 4 else { return }
            if entries.byKey.count >= Self.largestCount { entries.removeOldest(atLeast: 0) }
            while entries.bytes + bytes > largestBytes { entries.removeOldest(atLeast: 1) }
            entries.insert(Entry(media: media, checked: now, used: now, bytes: bytes), key)
        }
    }

    /// Forgets everything of assets.
    func forget(_ tokens: Set<AssetToken>) {
        entries.withLock { entries in
            entries.keep { !tokens.contains($0.media.token) }
        }
    }

    /// Removes entries that were not used lately.
    func sweep() {
        let now = MonotonicSeconds.now
        entries.withLock { entries in
            entries.keep { now.value - $0.used.value < Self.idleLifetime }
        }
    }
}

/// The lookup in the cache for one request, so that it is done once.
struct CacheLookup {
    private let cache: MediaCache
    private var asked: (key: String, found: CachedMedia?)?

    init(_ cache: MediaCache) { self.cache = cache }

    /// The entry under `key`, if it is still valid.
    mutating func find(_ key: String) -> CachedMedia? {
        if let asked, asked.key == key { return asked.found }
        let found = cache.find(key)
        asked = (key, found)
        return found
    }
}

extension Request {
    /// The path for traces; empty for paths other than those of assets, which may hold secrets.
    var traced: String { path.hasPrefix("/assets/") ? path : "" }
}
