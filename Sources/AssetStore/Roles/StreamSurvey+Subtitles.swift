internal import HLSPlaylist
internal import SidebandSubtitles
internal import SystemPackage

extension StreamSurvey {
    /// Fetches and reads subtitle files.
    ///
    /// - Parameters:
    ///   - stream: the address of the asset's stream.
    ///   - origin: the access to its host.
    ///   - failed: is called with the error if a file can't be read, and may throw. Without it, the error is thrown.
    func subtitles(
        _ sources: [SubtitleSource], of stream: String, origin: Origin,
        failed: ((SubtitleSource, StoreError) throws(StoreError) -> Void)? = nil
    ) async throws(StoreError) -> [ReadSubtitles] {
        var files: [ReadSubtitles] = []
        for source in sources {
            do throws(StoreError) {
                let bytes = try await content(of: source, stream: stream, origin: origin)
                let file = try ReadSubtitles.parsed(bytes, source.redacted)
                files.append(ReadSubtitles(source: source, original: bytes, file: file))
            } catch {
                guard let failed else { throw error }
                try failed(source, error)
            }
        }
        return files
    }

    /// Reads a subtitle file. Cookies are sent to the stream's own host only. `HeaderRule` decides about other header
    /// fields.
    private func content(
        of source: SubtitleSource, stream: String, origin: Origin
    ) async throws(StoreError) -> [UInt8] {
        guard source.isRemote else {
            guard let bytes = try DurableWrite.read(FilePath(source.source), limit: SubtitleSource.sizeLimit)
            else {
                throw .system(.read, FilePath(source.source), reason: .noSuchFileOrDirectory)
            }
            return bytes
        }
        var origin = origin
        if URIReference(source.source).authority != URIReference(stream).authority {
            var access = origin.access
            (access.cookies, access.isPrivate) = (nil, false)
            origin = try context.origins.origin(access, of: stream)
        }
        origin = try await origin.adapted(to: source.source) ?? origin
        return try await origin.small(
            source.source, for: .subtitles, limit: UInt64(SubtitleSource.sizeLimit))
    }
}
