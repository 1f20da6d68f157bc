internal import AssetFiles
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Answers requests for an asset as one file, with ranges, a length and a strong validator, without writing to the
/// disk.
struct FileResponder: Sendable {
    let media: MediaResponder

    /// How long a player waits for a file whose segments are indexed for the first time.
    private static let patience = Duration.seconds(25)

    func answer(_ token: AssetToken, _ format: AssetFileFormat) -> Answer {
        .later(deadline: MediaResponder.deadline) { request in
            await media.onceResolved(token) { await response(request, token, format: format) }
        }
    }

    /// Answers requests for the DASH manifest.
    func manifest(_ token: AssetToken) -> Answer {
        .later(deadline: MediaResponder.deadline) { request in
            await media.onceResolved(token) {
                let store = media.store
                let made = await WorkPool.queries.run { () -> Result<[UInt8], AssetFileError> in
                    do throws(AssetFileError) {
                        return .success(try AssetManifest(of: token, in: store).bytes())
                    } catch {
                        return .failure(error)
                    }
                }
                switch made {
                case .success(let bytes):
                    return media.text(request, bytes, type: MediaType.of(extension: "mpd"))
                case .failure(let error): return await failure(error, token)
                }
            }
        }
    }

    private func response(_ request: Request, _ token: AssetToken, format: AssetFileFormat) async
        -> Response
    {
        let query = QueryItems(request.query)
        if let part = query["part"], Int(part).map({ $0 > 0 }) != true {
            return Problem(
                status: .badRequest, type: "query", detail: "A part is a number from 1.", token: token,
                parameter: "part"
            ).response
        }
        let store = media.store
        if let refusal = await WorkPool.queries.run({ (try? store.media.refusalOfFiles(token)) ?? nil }) {
            return refusal.problem(token).response
        }
        let choice = AssetFileChoice(query, format)
        let made = await media.files.file(of: token, choice, in: store, patience: Self.patience)
        switch made {
        case nil:
            return Problem(
                status: .serviceUnavailable, type: "preparing",
                detail:
                    "The server reads the asset's segments once to prepare this file; ask again in a moment.",
                token: token, retryAfter: 5
            ).response
        case .failure(let error): return await failure(error, token)
        case .success(let file): return await response(request, file)
        }
    }

    /// An asset that was only entered so far has not been resolved; the request is not at fault.
    private func failure(_ error: AssetFileError, _ token: AssetToken) async -> Response {
        let unresolved = await WorkPool.queries.run { (try? media.unresolvedResponse(token)) ?? nil }
        return unresolved ?? error.problem(token).response
    }

    private func response(_ request: Request, _ file: AssetFile) async -> Response {
        let store = media.store
        let isLicensed = await WorkPool.queries.run { ((try? store.keys.folder(file.token)) ?? nil) != nil }
        let representation = Representation(size: file.length, entityTag: EntityTag(strong: file.entityTag))
        let fields = media.headers(isLicensed ? .none : .revalidate, type: file.choice.format.contentType)
        let response = representation.response(to: request, headers: fields, now: .now) { range in
            let range = range ?? 0..<file.length
            return .stream(
                length: range.upperBound - range.lowerBound,
                AssetFileBody(AssetFileReader(file, in: store), range) {
                    store.reader.media.played(file.token)
                })
        }
        guard case .stream(_, let body as AssetFileBody) = response.body, !request.isHead else {
            return response
        }
        // If the first bytes can't be read, the client learns why.
        if let error = await WorkPool.queries.run({ body.begin() }) {
            return await failure(error, file.token)
        }
        return response
    }
}

extension AssetFileFormat {
    fileprivate var contentType: String {
        switch self {
        case .mp4: "video/mp4"
        case .m4a: "audio/mp4"
        case .ts: "video/mp2t"
        }
    }
}

extension AssetFileChoice {
    /// Reads a query. Languages are separated by commas; `none` is the empty list.
    init(_ query: QueryItems, _ format: AssetFileFormat) {
        func list(_ name: String) -> [String]? {
            query[name].flatMap { text in
                switch text {
                case "all": nil
                case "none", "": []
                default: text.split(separator: ",").map(String.init)
                }
            }
        }
        self.init(
            format, video: query["video"], audio: list("audio"), subtitles: list("subtitles"),
            skipsGaps: query["gaps"] == "skip", part: query["part"].flatMap { Int($0) })
    }
}
