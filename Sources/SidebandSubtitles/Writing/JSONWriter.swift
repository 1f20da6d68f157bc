internal import ASCII

/// Writes a track as JSON: `cues`, `regions` and `styles`, times in seconds.
///
/// Each cue has `id`, `start`, `end`, `text`, `vertical`, `line`, `snapToLines`, `lineAlign`, `position`,
/// `positionAlign`, `size`, `align` and `region`; automatic values are `"auto"`. With trees it has `tree` too:
/// the nodes that WebVTT §6.5 makes of the text, as `{"type":"text","value":…}`,
/// `{"type":"timestamp","value":…}` and `{"type":"element","name":…,"attrs":…,"children":…}`.
public struct JSONWriter: Sendable {
    /// Whether to write the tree of each cue.
    public var includesTrees: Bool

    /// A writer.
    public init(includesTrees: Bool = false) {
        self.includesTrees = includesTrees
    }

    /// The track as JSON text (RFC 8259) in UTF-8.
    public func bytes(of track: SubtitleTrack) -> [UInt8] { OutputPieces.joined { write(track, to: $0) } }

    /// Passes the track as JSON text to a function in pieces of about 64 KiB, so that a long track takes little
    /// memory.
    ///
    /// - Throws: the function's error.
    public func write<Failure: Error>(
        _ track: SubtitleTrack, to receive: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var output = JSONOutput()
        var settings = SettingsMembers()
        output.open("{")
        output.name("cues")
        output.open("[")
        for cue in track.cues {
            write(cue, &settings, to: &output)
            if output.bytes.count < OutputPieces.size { continue }
            try receive(output.bytes)
            output.bytes.removeAll(keepingCapacity: true)
        }
        output.close("]")
        output.array("regions", track.regions) { JSONWriter.write($0, to: &$1) }
        output.array("styles", track.styles) { $1.value($0) }
        output.close("}")
        output.bytes.append(.lineFeed)
        try receive(output.bytes)
    }

    private func write(_ cue: Cue, _ settings: inout SettingsMembers, to output: inout JSONOutput) {
        output.open("{")
        output.member("id", cue.identifier)
        output.member("start", seconds: cue.start)
        output.member("end", seconds: cue.end)
        output.member("text", cue.text)
        settings.write(cue, to: &output)
        if includesTrees {
            output.name("tree")
            output.tree(cue.content)
        }
        output.close("}")
    }

    private static func write(_ region: CueRegion, to output: inout JSONOutput) {
        output.open("{")
        output.member("id", region.identifier)
        output.member("width", numberOrAuto: region.width)
        output.member("lines", numberOrAuto: region.lines)
        output.member("regionAnchorX", numberOrAuto: region.anchor.x)
        output.member("regionAnchorY", numberOrAuto: region.anchor.y)
        output.member("viewportAnchorX", numberOrAuto: region.viewportAnchor.x)
        output.member("viewportAnchorY", numberOrAuto: region.viewportAnchor.y)
        output.member("scroll", region.scrollsUp ? "up" : "")
        output.close("}")
    }
}

/// Writes the settings of cues. Most cues have those of the cue before, so the text is cached.
private struct SettingsMembers {
    private var latest: (settings: StoredSettings?, text: ArraySlice<UInt8>)?

    mutating func write(_ cue: Cue, to output: inout JSONOutput) {
        if let latest, latest.settings == cue.storedSettings { return output.members(latest.text) }
        let start = output.bytes.count
        SettingsMembers.write(cue.settings, to: &output)
        latest = (cue.storedSettings, ArraySlice(Array(output.bytes[start...])))
    }

    private static func write(_ settings: CueSettings, to output: inout JSONOutput) {
        output.member("vertical", settings.writingDirection.rawValue)
        output.member("line", numberOrAuto: settings.line)
        output.name("snapToLines")
        output.value(settings.snapsToLines)
        output.member("lineAlign", settings.lineAlignment.rawValue)
        output.member("position", numberOrAuto: settings.position)
        output.member("positionAlign", settings.positionAlignment.rawValue)
        output.member("size", numberOrAuto: settings.size)
        output.member("align", settings.textAlignment.rawValue)
        output.name("region")
        if let region = settings.region { output.value(region) } else { output.null() }
    }
}
