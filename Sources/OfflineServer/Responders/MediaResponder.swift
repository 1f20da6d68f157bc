internal import AssetStore
internal import Glibc
internal import HTTPDaemon
internal import HTTPTypes
internal import SystemPackage

/// Answers requests for playlists, segments, keys and pictures: from the cache on the daemon's thread, else
/// from the store on another one.
struct MediaResponder: Sendable {
    let reader: StoreReader
    let cache: MediaCache
    /// Whether some pages of other origins may read: then what is kept must not be shown to all alike.
    let variesByOrigin: Bool
    static let methods = "GET, HEAD, OPTIONS"
    static let deadline = Duration.seconds(30)

    /// What was served a moment ago and may go out again as it is; `nil` when it takes a closer look.
    func quickAnswer(_ request: Request) -> Answer? {
        guard request.query == nil, request.method == .get || request.method == .head, !request.comesFromPage,
            request.isUnconditional
        else { return nil }
        return cache.find(request.path)?.prepared.map(Answer.prepared)
    }

    func answer(_ request: Request, _ token: AssetToken, _ resource: AssetResource) -> Answer {
        switch request.method {
        case .get, .head: break
        case .options: return .response(Response(status: .noContent, headers: [.allow: Self.methods]))
        default: return .response(Problem.methodNotAllowed(Self.methods).response)
        }
        // Only the multivariant playlist depends on the query.
        let query = resource == .multivariantPlaylist ? request.query : nil
        let key = query.map { "\(request.path)?\($0)" } ?? request.path
        if let media = cache.find(key) {
            let isShared = request.header(.origin) != nil
            if let prepared = media.prepared, !isShared, request.isUnconditional {
                return .prepared(prepared)
            }
            return .response(media.response(to: request))
        }
        return .later(deadline: Self.deadline) { request in
            await Blocking.run { self.response(request, token, resource, key) }
        }
    }

    private func response(_ request: Request, _ token: AssetToken, _ resource: AssetResource, _ key: String)
        -> Response
    {
        do throws(StoreError) {
            return try load(request, token, resource, key)
        } catch {
            return error.problem(token).response
        }
    }

    private func load(
        _ request: Request, _ token: AssetToken, _ resource: AssetResource, _ key: String
    ) throws(StoreError) -> Response {
        switch resource {
        case .multivariantPlaylist: return try multivariantPlaylist(request, token, key)
        case .mediaPlaylist(let rendition):
            guard let path = try reader.mediaPlaylist(token, rendition) else { return missing(token) }
            return file(request, token, path, type: MediaType.playlist, caching: .revalidate, key)
        case .unit(let rendition, let name, let suffix):
            return try unit(request, token, rendition, name, suffix, key)
        case .key(let id):
            guard let bytes = try reader.contentKey(token, id) else { return missing(token) }
            return Response(
                status: .ok, headers: [.contentType: MediaType.key, .cacheControl: "no-store"],
                body: .bytes(bytes))
        case .poster:
            guard let path = try reader.poster(token) else { return missing(token) }
            return file(
                request, token, path, type: MediaType.of(extension: path.extension ?? ""),
                caching: .revalidate, key)
        case .thumbnail, .dateRanges: return missing(token)
        }
    }

    private func missing(_ token: AssetToken) -> Response {
        Problem.notFound("The asset has no such resource, or there is no such asset.", token: token).response
    }

    private func multivariantPlaylist(
        _ request: Request, _ token: AssetToken, _ key: String
    ) throws(StoreError) -> Response {
        let query = QueryItems(request.query)
        let poster = "/assets/\(token)/\(AssetResource.poster.relativePath)"
        guard
            let bytes = try reader.multivariantPlaylist(
                token, audio: query["audio"], subtitles: query["subtitles"], poster: poster)
        else { return missing(token) }
        let media = CachedMedia(
            token: token,
            representation: Representation(
                size: UInt64(bytes.count), entityTag: EntityTag(strong: ContentTag.of(bytes))),
            headers: headers(.revalidate, type: MediaType.playlist), body: .bytes(bytes))
        cache.store(media, under: key)
        return media.response(to: request)
    }

    private func unit(
        _ request: Request, _ token: AssetToken, _ rendition: String, _ name: UnitName, _ suffix: String,
        _ key: String
    ) throws(StoreError) -> Response {
        switch try reader.unit(token, rendition, name, extension: suffix) {
        case .stored(let stored):
            return file(
                request, token, stored.path, type: MediaType.of(extension: suffix), caching: .immutable,
                tag: stored.entityTag, key)
        case .arriving(let arriving):
            return arrivingResponse(request, arriving, type: MediaType.of(extension: suffix))
        case .missing(let state): return notYet(token, state)
        case .unknown: return missing(token)
        }
    }

    private func headers(_ caching: Caching, type: String) -> HTTPFields {
        var headers = caching.headers(type: type)
        if variesByOrigin { headers[.vary] = "Origin" }
        return headers
    }

    private func notYet(_ token: AssetToken, _ state: AssetState) -> Response {
        Problem(
            status: .serviceUnavailable, type: "segment-missing",
            detail: state == .complete
                ? "This part is gone from the store; `offline-server repair` fetches it again."
                : "This part is not stored yet; the asset is \(state.rawValue).", token: token,
            retryAfter: 2
        ).response
    }

    private func arrivingResponse(_ request: Request, _ file: ArrivingFile, type: String) -> Response {
        let headers = headers(.none, type: type)
        return Representation(size: file.length).response(to: request, headers: headers, now: .now) { range in
            let start = range?.lowerBound ?? 0
            let end = range?.upperBound ?? file.length
            return .stream(length: end.map { $0 - start }, ArrivingBody(file, from: start, to: end))
        }
    }

    private func file(
        _ request: Request, _ token: AssetToken, _ path: FilePath, type: String, caching: Caching,
        tag: String? = nil,
        _ key: String
    ) -> Response {
        let mapped: MappedFile
        do throws(MappedFileError) {
            mapped = try MappedFile(path: path.string)
        } catch {
            let isGone = error.call == nil || [ENOENT, ELOOP].contains(error.errno)
            return Problem(
                status: isGone ? .notFound : .serviceUnavailable, type: "file",
                detail: isGone
                    ? "The file is gone; `offline-server repair` fetches it again."
                    : "The file can't be opened now.",
                token: token, retryAfter: isGone ? nil : 1
            ).response
        }
        let representation = Representation(
            size: mapped.size,
            entityTag: EntityTag(
                strong: tag ?? "\(String(mapped.size, radix: 36))-\(String(mapped.modified, radix: 36))"),
            lastModified: HTTPDate(seconds: mapped.modified / 1_000_000_000))
        let media = CachedMedia(
            token: token, representation: representation, headers: headers(caching, type: type),
            body: .file(mapped, 0..<mapped.size), source: .init(path: path.string, file: mapped))
        cache.store(media, under: key)
        return media.response(to: request)
    }
}

/// How long others may keep a response.
enum Caching {
    /// It never changes.
    case immutable
    /// It may change; ask again each time.
    case revalidate
    /// It is not to be kept.
    case none

    func headers(type: String) -> HTTPFields {
        let control =
            switch self {
            case .immutable: "public, max-age=31536000, immutable"
            case .revalidate: "no-cache"
            case .none: "no-store"
            }
        return [.contentType: type, .cacheControl: control]
    }
}
