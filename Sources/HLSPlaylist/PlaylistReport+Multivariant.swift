internal import ASCII

extension PlaylistReport {
    static func write(_ playlist: MultivariantPlaylist, to output: inout JSONOutput) {
        output.object {
            $0.member("kind", "multivariant")
            $0.member("version", playlist.version)
            $0.member("independentSegments", playlist.independentSegments)
            $0.member("start", playlist.start, write: write(start:to:))
            $0.array("variants", playlist.variants, write: write(variant:to:))
            $0.array("iFrameStreams", playlist.iFrameStreams) { stream, output in
                output.object { write(stream: stream, uri: stream.uri, to: &$0) }
            }
            $0.array("imageStreams", playlist.imageStreams) { stream, output in
                output.object { write(stream: stream, uri: stream.uri, to: &$0) }
            }
            $0.array("media", playlist.renditions, write: write(rendition:to:))
            $0.array("sessionData", playlist.sessionData, write: write(data:to:))
            $0.array("sessionKeys", playlist.sessionKeys, write: write(key:to:))
        }
    }

    private static func write(variant: VariantStream, to output: inout JSONOutput) {
        output.object {
            write(stream: variant, uri: variant.uri, to: &$0)
            $0.member("frameRate", variant.frameRate)
            $0.member("audio", variant.audio)
            $0.member("video", variant.video)
            $0.member("subtitles", variant.subtitles)
            $0.member("closedCaptions", variant.attributes["CLOSED-CAPTIONS"])
        }
    }

    /// Writes the members that all kinds of streams have.
    private static func write(stream: some StreamAttributes, uri: String, to output: inout JSONOutput) {
        output.member("uri", uri)
        output.member("bandwidth", stream.bandwidth)
        output.member("averageBandwidth", stream.averageBandwidth)
        output.member("resolution", stream.attributes["RESOLUTION"])
        output.member("codecs", stream.attributes["CODECS"])
        output.member("pathwayId", stream.pathwayID)
    }

    private static func write(rendition: Rendition, to output: inout JSONOutput) {
        output.object {
            $0.member("type", rendition.type.rawValue)
            $0.member("groupId", rendition.groupID)
            $0.member("name", rendition.name)
            $0.member("language", rendition.language)
            $0.member("default", rendition.isDefault)
            $0.member("autoselect", rendition.autoselect)
            $0.member("forced", rendition.forced)
            $0.member("uri", rendition.uri)
            $0.member("instreamId", rendition.instreamID)
            $0.member("characteristics", rendition.attributes["CHARACTERISTICS"])
            $0.member("channels", rendition.channels)
        }
    }

    private static func write(data: SessionData, to output: inout JSONOutput) {
        output.object {
            $0.member("dataId", data.dataID)
            $0.member("value", data.value)
            $0.member("uri", data.uri)
            $0.member("language", data.language)
        }
    }
}
