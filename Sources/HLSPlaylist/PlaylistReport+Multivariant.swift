extension PlaylistReport {
    static func object(_ playlist: MultivariantPlaylist) -> JSONText {
        .object([
            ("kind", .string("multivariant")),
            ("version", .integer(playlist.version)),
            ("independentSegments", .bool(playlist.independentSegments)),
            ("start", start(playlist.start)),
            ("variants", .array(playlist.variants.map(object))),
            ("iFrameStreams", .array(playlist.iFrameStreams.map { stream($0, uri: $0.uri) })),
            ("imageStreams", .array(playlist.imageStreams.map { stream($0, uri: $0.uri) })),
            ("media", .array(playlist.renditions.map(object))),
            ("sessionData", .array(playlist.sessionData.map(object))),
            ("sessionKeys", .array(playlist.sessionKeys.map(key))),
        ])
    }

    private static func object(_ variant: VariantStream) -> JSONText {
        stream(variant, uri: variant.uri).adding([
            ("frameRate", .number(variant.frameRate)),
            ("audio", .string(variant.audio)),
            ("video", .string(variant.video)),
            ("subtitles", .string(variant.subtitles)),
            ("closedCaptions", .string(variant.attributes["CLOSED-CAPTIONS"])),
        ])
    }

    private static func stream(_ stream: some StreamAttributes, uri: String) -> JSONText {
        .object([
            ("uri", .string(uri)),
            ("bandwidth", .integer(stream.bandwidth)),
            ("averageBandwidth", .integer(stream.averageBandwidth)),
            ("resolution", .string(stream.attributes["RESOLUTION"])),
            ("codecs", .string(stream.attributes["CODECS"])),
            ("pathwayId", .string(stream.pathwayID)),
        ])
    }

    private static func object(_ rendition: Rendition) -> JSONText {
        .object([
            ("type", .string(rendition.type.rawValue)),
            ("groupId", .string(rendition.groupID)),
            ("name", .string(rendition.name)),
            ("language", .string(rendition.language)),
            ("default", .bool(rendition.isDefault)),
            ("autoselect", .bool(rendition.autoselect)),
            ("forced", .bool(rendition.forced)),
            ("uri", .string(rendition.uri)),
            ("instreamId", .string(rendition.instreamID)),
            ("characteristics", .string(rendition.attributes["CHARACTERISTICS"])),
            ("channels", .string(rendition.channels)),
        ])
    }

    private static func object(_ data: SessionData) -> JSONText {
        .object([
            ("dataId", .string(data.dataID)), ("value", .string(data.value)), ("uri", .string(data.uri)),
            ("language", .string(data.language)),
        ])
    }
}
