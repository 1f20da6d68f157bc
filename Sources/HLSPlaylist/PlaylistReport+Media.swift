extension PlaylistReport {
    static func object(_ playlist: MediaPlaylist) -> JSONText {
        .object([
            ("kind", .string("media")),
            ("version", .integer(playlist.version)),
            ("targetDuration", .integer(playlist.declaredTargetDuration)),
            ("mediaSequence", .integer(playlist.mediaSequence)),
            ("discontinuitySequence", .integer(playlist.discontinuitySequence)),
            ("playlistType", .string(playlist.playlistType?.rawValue)),
            ("endList", .bool(playlist.hasEndList)),
            ("iFramesOnly", .bool(playlist.iFramesOnly)),
            ("imagesOnly", .bool(playlist.imagesOnly)),
            ("independentSegments", .bool(playlist.independentSegments)),
            ("start", start(playlist.start)),
            (
                "segments",
                .list(count: playlist.segments.count) { object(playlist.segments[$0], in: playlist) }
            ),
        ])
    }

    private static func object(_ segment: MediaSegment, in playlist: MediaPlaylist) -> JSONText {
        let section = segment.initializationSection.map { playlist.initializationSections[$0] }
        return .object([
            ("uri", .string(segment.uri)),
            ("mediaSequence", .integer(segment.mediaSequence)),
            ("duration", .number(segment.duration)),
            ("title", .string(segment.title)),
            ("byterange", range(segment.byteRange)),
            ("discontinuity", .bool(segment.isDiscontinuity)),
            ("discontinuitySequence", .integer(segment.discontinuitySequence)),
            ("gap", .bool(segment.isGap)),
            ("bitrate", .integer(segment.bitrate)),
            ("programDateTime", .string(segment.programDateTime)),
            ("map", section.map(map) ?? .null),
            ("key", segment.keys.last.map(key) ?? .null),
            ("keys", .array(segment.keys.map(key))),
            ("tags", .array(segment.otherTags.map { .string($0) })),
        ])
    }

    private static func map(_ section: InitializationSection) -> JSONText {
        .object([("uri", .string(section.uri)), ("byterange", range(section.byteRange))])
    }

    static func key(_ key: EncryptionKey) -> JSONText {
        .object([
            ("method", .string(key.method.verbatim)),
            ("uri", .string(key.uri)),
            ("iv", .string(key.iv?.verbatim ?? key.ivText?.lowercased())),
            ("keyFormat", .string(key.keyFormat)),
        ])
    }

    private static func range(_ range: ByteRange?) -> JSONText {
        guard let range else { return .null }
        return .object([("length", .integer(range.length)), ("offset", .integer(range.offset))])
    }

    static func start(_ start: StartPoint?) -> JSONText {
        guard let start else { return .null }
        return .object([("timeOffset", .number(start.timeOffset)), ("precise", .bool(start.isPrecise))])
    }
}
