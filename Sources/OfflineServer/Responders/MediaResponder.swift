internal import APIDocuments
internal import AssetFiles
internal import AssetStore
internal import Glibc
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import SystemPackage

/// Answers requests for playlists, segments and pictures: from the cache on the daemon's thread, otherwise from the
/// store on another thread.
struct MediaResponder: Sendable {
    let store: OfflineStore
    let cache: MediaCache
    let frames = SubtitleFrames()
    let files = AssetFileLayouts()
    let fragmented = FragmentedMedia()
    /// Whether pages of other origins may read media. Then responses have `Vary: Origin`, and caches keep them apart.
    let variesByOrigin: Bool
    /// The time for which a response waits for the length of a segment. After it, the header section is sent without a
    /// length.
    var patience = usualPatience
    static let usualPatience = Duration.seconds(8)
    /// The threads for requests of players, so that none waits behind the work of the API.
    static let threads = WorkPool(threads: 16)
    static let methods = "GET, HEAD, OPTIONS"
    static let deadline = Duration.seconds(30)

    var reader: StoreReader { store.reader }
    var keys: KeyDesk { store.keys }

    /// The cached answer to a plain request; `nil` without one, or if the request has conditions or a query.
    func quickAnswer(_ request: Request, _ lookup: inout CacheLookup) -> Answer? {
        guard request.query == nil, request.method == .get || request.method == .head, !request.comesFromPage,
            request.isUnconditional
        else { return nil }
        guard let media = lookup.find(request.path), let prepared = media.prepared else { return nil }
        note(media.mark, media.representation, request: request)
        return .prepared(prepared)
    }

    func answer(
        _ request: Request, _ token: AssetToken, resource: AssetResource, lookup: CacheLookup
    ) -> Answer {
        if let answer = KeyResponder(media: self).answer(request, token, resource: resource) { return answer }
        switch request.method {
        case .get, .head: break
        case .options: return .response(Response(status: .noContent, headers: [.allow: Self.methods]))
        default: return .response(Problem.methodNotAllowed(Self.methods, token: token).response)
        }
        if case .file(let format) = resource { return FileResponder(media: self).answer(token, format) }
        if resource == .manifest { return FileResponder(media: self).manifest(token) }
        if let answer = FragmentedResponder(media: self).answer(request, token, resource: resource) {
            return answer
        }
        if let answer = clearAnswer(request, token, resource: resource) { return answer }
        let key = Self.key(of: request, resource)
        var lookup = lookup
        if let media = lookup.find(key) {
            note(media.mark, media.representation, request: request)
            let isShared = request.header(.origin) != nil
            if let prepared = media.prepared, !isShared, request.isUnconditional {
                return .prepared(prepared)
            }
            return .response(media.response(to: request))
        }
        if case .unit(let rendition, let name, let suffix) = resource {
            return .later(deadline: Self.deadline, on: Self.threads) { request in
                await self.unitResponse(
                    request, UnitAddress(token, rendition: rendition, name: name, suffix: suffix), key: key)
            }
        }
        if case .subtitleSegment(let track, let number) = resource {
            return .later(deadline: Self.deadline, on: Self.threads) { request in
                await SubtitleResponder(media: self).segmentResponse(
                    request, token, track: track, number: number, key: key)
            }
        }
        return .later(deadline: Self.deadline, on: Self.threads) { request in
            await self.onceResolved(token) {
                response(request, token, resource: resource, key: key)
            }
        }
    }

    /// The key under which the answer is cached. Only playlists and whole subtitle tracks depend on the query. So do
    /// pictures of subtitles, but they are cached elsewhere.
    static func key(of request: Request, _ resource: AssetResource) -> String {
        guard request.query != nil else { return request.path }
        let query = QueryItems(request.query)
        let items =
            if case .subtitles = resource {
                query.key(of: [SubtitlePart.item])
            } else {
                resource.isPlaylist ? query.playlistKey : ""
            }
        return items.isEmpty ? request.path : "\(request.path)?\(items)"
    }

    /// An answer about an asset. If it takes the asset's playlists, and they have not been read yet, they are read now,
    /// and the answer is made again.
    func onceResolved(_ token: AssetToken, _ answer: () async -> Response) async -> Response {
        // Asked before the answer is made: the playlists may be read while it is.
        let wasUnresolved = isUnresolved(token)
        let first = await answer()
        guard wasUnresolved, first.status == .serviceUnavailable else { return first }
        await untilResolved(token)
        return await answer()
    }

    /// Has the playlists of a queued asset read now, because a player asks for it, and waits for that.
    func untilResolved(_ token: AssetToken) async {
        guard isUnresolved(token) else { return }
        await store.intake.untilResolved(token, patience: patience)
    }

    private func isUnresolved(_ token: AssetToken) -> Bool { (try? reader.isUnresolved(token)) ?? false }

    /// The 503 for an asset whose playlists have not been read yet; `nil` for all others.
    func unresolvedResponse(_ token: AssetToken) throws(StoreError) -> Response? {
        guard try reader.isUnresolved(token), let asset = try reader.progress(of: token) else { return nil }
        return Problem.unresolved(asset).response
    }

    private func response(_ request: Request, _ token: AssetToken, resource: AssetResource, key: String)
        -> Response
    {
        do throws(StoreError) {
            return try load(request, token, resource: resource, key: key)
        } catch {
            return error.mediaProblem(token).response
        }
    }

    private func load(
        _ request: Request, _ token: AssetToken, resource: AssetResource, key: String
    ) throws(StoreError) -> Response {
        if let refusal = try refusal(token, resource) { return refusal.problem(token).response }
        if let response = try unresolvedResponse(token) { return response }
        switch resource {
        case .multivariantPlaylist: return try multivariantPlaylist(request, token, key: key)
        case .mediaPlaylist(let rendition):
            return try mediaPlaylist(request, token, rendition: rendition, key: key)
        case .dateRanges:
            let ranges = try reader.playlists.dateRanges(of: token)
            let document = ranges.map { DateRangeDocument(ranges: $0).json.bytes }
            return generated(request, token, bytes: document, type: MediaType.json, key: key)
        case .sessionData(let number):
            let data = try reader.sessionData(of: token, number)
            return generated(
                request, token, bytes: data?.bytes,
                type: data?.isJSON == true ? MediaType.json : "application/octet-stream", key: key)
        case .interstitialList(let number):
            let list = try reader.playlists.interstitialList(token, number, server: request.address(orOf: ""))
            guard let list else { return missing(token) }
            // Not cached: the list has the name by which this client has reached the server.
            return Response(
                status: .ok, headers: [.contentType: MediaType.json, .cacheControl: "no-store"],
                body: .bytes(list))
        case .poster, .thumbnail:
            guard let path = try reader.media.poster(token) else { return missing(token) }
            return file(
                request, token, path: path, type: MediaType.of(extension: path.extension ?? ""),
                caching: .revalidate, key: key)
        case .subtitleList, .subtitles, .subtitlePlaylist, .subtitleFrame:
            return try SubtitleResponder(media: self).load(request, token, resource: resource, key: key)
        case .unit, .key, .clearKey, .subtitleSegment, .file, .manifest: return missing(token)
        }
    }

    /// Notes a play when a player gets bytes of a stored segment. Header fields alone (HEAD, 304) do not count.
    func note(_ mark: PlayMark?, _ representation: Representation, request: Request) {
        if let mark, Self.isTaken(representation, by: request) { reader.media.played(mark) }
    }

    /// Whether the response to a request has bytes of the representation.
    static func isTaken(_ representation: Representation, by request: Request) -> Bool {
        if request.isHead || request.isUnconditional { return !request.isHead }
        return switch Preconditions(request).evaluate(representation, now: .now) {
        case .proceed, .partial: true
        case .notModified, .failed, .rangeNotSatisfiable: false
        }
    }

    func missing(_ token: AssetToken) -> Response {
        Problem.notFound("The asset has no such resource, or there is no such asset.", token: token).response
    }

    private func multivariantPlaylist(
        _ request: Request, _ token: AssetToken, key: String
    ) throws(StoreError) -> Response {
        let query = QueryItems(request.query)
        let poster = AssetResource.poster.relativePath
        let bytes = try reader.playlists.multivariantPlaylist(
            token, audio: query["audio"], subtitles: query["subtitles"],
            isAvailableOnly: query.isAvailableOnly, poster: poster, view: query.liveView)
        return playlist(request, token, bytes: bytes, key: key)
    }

    func mediaPlaylist(
        _ request: Request, _ token: AssetToken, rendition: String, key: String
    ) throws(StoreError) -> Response {
        let query = QueryItems(request.query)
        let view = query.liveView
        if query.isAvailableOnly {
            return playlist(
                request, token,
                bytes: try reader.playlists.availableMediaPlaylist(token, rendition, view: view),
                key: key)
        }
        if let bytes = try reader.playlists.growingMediaPlaylist(token, rendition, view: view) {
            return playlist(request, token, bytes: bytes, key: key)
        }
        if let bytes = try reader.playlists.startedMediaPlaylist(token, rendition, view: view) {
            return playlist(request, token, bytes: bytes, key: key)
        }
        guard let path = try reader.playlists.mediaPlaylist(token, rendition) else { return missing(token) }
        guard reader.playlists.isWhole(playlist: path) else {
            let made = try reader.playlists.remadeMediaPlaylist(token, rendition)
            return playlist(request, token, bytes: made, key: key)
        }
        return file(request, token, path: path, type: MediaType.playlist, caching: .revalidate, key: key)
    }

    /// The response with a generated playlist, which is also put into the cache.
    private func playlist(_ request: Request, _ token: AssetToken, bytes: [UInt8]?, key: String)
        -> Response
    {
        generated(request, token, bytes: bytes, type: MediaType.playlist, key: key)
    }

    private func generated(
        _ request: Request, _ token: AssetToken, bytes: [UInt8]?, type: String, key: String
    ) -> Response {
        guard let bytes else { return missing(token) }
        let media = CachedMedia(
            token: token,
            representation: Representation(
                size: UInt64(bytes.count), entityTag: EntityTag(strong: ContentTag.of(bytes))),
            headers: headers(.revalidate, type: type), body: .bytes(bytes))
        cache.store(media, under: key)
        return media.response(to: request)
    }

    func headers(_ caching: Caching, type: String) -> HTTPFields {
        var headers = caching.headers(type: type)
        if variesByOrigin { headers[.vary] = "Origin" }
        return headers
    }

    private static func unusable(_ token: AssetToken, isGone: Bool) -> Response {
        guard !isGone else { return Problem.gone(token).response }
        return Problem(
            status: .serviceUnavailable, type: "file", detail: "The file can't be opened now.", token: token
        ).response
    }

    /// - Parameter size: the size in bytes that the file must have; `nil` accepts any size.
    func file(
        _ request: Request, _ token: AssetToken, path: FilePath, type: String, caching: Caching,
        size: UInt64? = nil, tag: String? = nil, mark: PlayMark? = nil, key: String
    ) -> Response {
        let mapped: MappedFile
        do throws(MappedFileError) {
            mapped = try MappedFile(path: path.string)
        } catch {
            return Self.unusable(token, isGone: error.call == nil || [ENOENT, ELOOP].contains(error.errno))
        }
        guard size == nil || mapped.size == size else { return Self.unusable(token, isGone: true) }
        let representation = Representation(
            size: mapped.size,
            entityTag: EntityTag(
                strong: tag ?? "\(String(mapped.size, radix: 36))-\(String(mapped.modified, radix: 36))"),
            // Another machine's clock may have set a time in the future, which must not be sent (RFC 9110, section
            // 8.8.2.1).
            lastModified: min(HTTPDate(seconds: mapped.modified / 1_000_000_000), .now))
        let media = CachedMedia(
            token: token, representation: representation, headers: headers(caching, type: type),
            body: .file(mapped, 0..<mapped.size), source: .init(path: path.string, file: mapped), mark: mark,
            isPermitted: { [keys] in keys.isQuicklyPermitted(token) })
        cache.store(media, under: key)
        note(mark, representation, request: request)
        return media.response(to: request)
    }
}

/// The time for which clients and caches may keep a response.
enum Caching {
    /// The content never changes.
    case immutable
    /// The content is arriving now. Caches may share one response between all clients for a minute.
    case arriving
    /// The content may change; caches must ask again each time.
    case revalidate
    /// The content is not to be cached.
    case none

    func headers(type: String) -> HTTPFields {
        let control =
            switch self {
            case .immutable: "public, max-age=31536000, immutable"
            case .arriving: "public, max-age=60"
            case .revalidate: "no-cache"
            case .none: "no-store"
            }
        return [.contentType: type, .cacheControl: control]
    }
}

extension AssetResource {
    fileprivate var isPlaylist: Bool {
        switch self {
        case .multivariantPlaylist, .mediaPlaylist, .subtitlePlaylist: true
        default: false
        }
    }
}
