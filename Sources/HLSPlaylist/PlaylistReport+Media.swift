internal import ASCII

extension PlaylistReport {
    static func write(_ playlist: MediaPlaylist, to output: inout JSONOutput) {
        output.object {
            $0.member("kind", "media")
            $0.member("version", playlist.version)
            $0.member("targetDuration", playlist.declaredTargetDuration)
            $0.member("mediaSequence", playlist.mediaSequence)
            $0.member("discontinuitySequence", playlist.discontinuitySequence)
            $0.member("playlistType", playlist.playlistType?.rawValue)
            $0.member("endList", playlist.hasEndList)
            $0.member("iFramesOnly", playlist.iFramesOnly)
            $0.member("imagesOnly", playlist.imagesOnly)
            $0.member("independentSegments", playlist.independentSegments)
            $0.member("start", playlist.start, write: write(start:to:))
            $0.array("segments", playlist.segments) { write($0, in: playlist, to: &$1) }
        }
    }

    private static func write(
        _ segment: MediaSegment, in playlist: MediaPlaylist, to output: inout JSONOutput
    ) {
        output.object {
            $0.member("uri", segment.uri)
            $0.member("mediaSequence", segment.mediaSequence)
            $0.member("duration", segment.duration)
            $0.member("title", segment.title)
            $0.member("byterange", segment.byteRange, write: write(range:to:))
            $0.member("discontinuity", segment.isDiscontinuity)
            $0.member("discontinuitySequence", segment.discontinuitySequence)
            $0.member("gap", segment.isGap)
            $0.member("bitrate", segment.bitrate)
            $0.member("programDateTime", segment.programDateTime)
            let section = segment.initializationSection.map { playlist.initializationSections[$0] }
            $0.member("map", section, write: write(section:to:))
            $0.member("key", segment.keys.last, write: write(key:to:))
            $0.array("keys", segment.keys, write: write(key:to:))
            $0.array("tags", segment.otherTags) { $1.value($0) }
        }
    }

    private static func write(section: InitializationSection, to output: inout JSONOutput) {
        output.object {
            $0.member("uri", section.uri)
            $0.member("byterange", section.byteRange, write: write(range:to:))
        }
    }

    static func write(key: EncryptionKey, to output: inout JSONOutput) {
        output.object {
            $0.member("method", key.method.verbatim)
            $0.member("uri", key.uri)
            $0.member("iv", key.iv?.verbatim ?? key.ivText?.lowercased())
            $0.member("keyFormat", key.keyFormat)
        }
    }

    private static func write(range: ByteRange, to output: inout JSONOutput) {
        output.object {
            $0.member("length", range.length)
            $0.member("offset", range.offset)
        }
    }

    static func write(start: StartPoint, to output: inout JSONOutput) {
        output.object {
            $0.member("timeOffset", start.timeOffset)
            $0.member("precise", start.isPrecise)
        }
    }
}
