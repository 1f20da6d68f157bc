internal import ASCII

/// The kind of a playlist, by its first characteristic tag.
enum PlaylistKind {
    case media, multivariant

    init(of bytes: [UInt8], limits: ParseLimits) throws(PlaylistError) {
        var scanner = LineScanner(bytes: bytes, limit: limits.lineLength)
        try PlaylistKind.checkFirstLine(&scanner)
        var hasRendition = false
        while let line = try scanner.next() {
            guard bytes[line.start] == .hash else { continue }
            switch Tag.find(in: bytes, line: line)?.tag {
            case .streamInf, .iFrameStreamInf:
                self = .multivariant
                return
            case .inf, .targetDuration:
                self = .media
                return
            case .media: hasRendition = true
            default: break
            }
        }
        self = hasRendition ? .multivariant : .media
    }

    /// Consumes the `#EXTM3U` line; throws with the line that stands there instead.
    private static func checkFirstLine(_ scanner: inout LineScanner) throws(PlaylistError) {
        let name = Array("#EXTM3U".utf8)
        let first: Line?
        do throws(PlaylistError) {
            first = try scanner.next()
        } catch {
            // No text at all, such as a segment.
            guard error.code == .controlCharacter, !scanner.bytes.starts(with: name) else { throw error }
            throw PlaylistError(code: .notAPlaylist, line: error.line)
        }
        guard let line = first else { throw PlaylistError(code: .empty, line: 0) }
        let text = scanner.bytes[line.start..<line.end]
        if text.starts(with: name), text.count == name.count || text[line.start + name.count].isBlank {
            return
        }
        let code: PlaylistError.Code = text.first == UInt8(ascii: "<") ? .webPage : .notAPlaylist
        throw PlaylistError(code: code, line: line.number, excerpt: Excerpt.make(text))
    }
}
