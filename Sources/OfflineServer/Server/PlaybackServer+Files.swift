internal import APIDocuments
internal import AssetFiles
internal import AssetStore
internal import HTTPDaemon
internal import Locking

extension PlaybackServer {
    /// Bytes that are read at once.
    private static let piece = 512 << 10

    /// Reads the bytes of a file that is made of an asset, for the program that runs this server. This is faster than a
    /// request over HTTP.
    ///
    /// If the file has changed or can't be read, the call ends early without an error. Request the rest over HTTP to learn
    /// the reason.
    ///
    /// - Parameters:
    ///   - target: the path and the query of the file, such as `assets/TOKEN/video.mp4?audio=en`.
    ///   - start: the first byte.
    ///   - tag: the entity tag that the file must have, in the form of the ETag field.
    ///   - receive: gets the bytes in order. It may block.
    /// - Throws: the error of `receive`.
    package func readFile(
        _ target: String, from start: UInt64, tag: String,
        _ receive: @escaping @Sendable (RawSpan) throws -> Void
    ) async throws {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        guard let path = parts.first, case .asset(let token, .file(let format))? = Route(path: "/\(path)"),
            case .success(let file)? = await media.files.file(
                of: token, AssetFileChoice(QueryItems(parts.dropFirst().first), format), in: media.store,
                patience: .seconds(1)),
            EntityTag(strong: file.entityTag)?.fieldValue == tag
        else { return }
        let reader = AssetFileReader(file, in: media.store)
        let work = Task(executorPreference: WorkPool.queries) {
            var ahead: Task<Void, Never>?
            var place = start
            while place < file.length, !Task.isCancelled {
                guard let bytes = reader.ready(at: place, count: Self.piece) else {
                    await ahead?.value
                    guard (try? reader.load(at: place)) != nil else { return }
                    continue
                }
                guard let bytes = try? bytes.read(), !bytes.isEmpty else { return }
                try unsafe receive(bytes.span.bytes)
                place += UInt64(bytes.count)
                guard let turn = reader.takeTurn() else { continue }
                await ahead?.value
                ahead = Task(executorPreference: WorkPool.queries) {
                    reader.loadAhead(of: turn, upTo: file.length)
                }
            }
        }
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
