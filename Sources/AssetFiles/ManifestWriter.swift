internal import AssetStore
internal import HLSPlaylist

/// Writes the periods of a DASH manifest (ISO/IEC 23009-1, section 5.3).
enum ManifestWriter {
    /// - Parameters:
    ///   - start: the start of the period, in seconds.
    ///   - part: the query that cuts its part out of a subtitle file.
    static func period(
        _ period: ManifestPeriod, from start: Double, subtitles: [SubtitleRendition], part: String
    ) -> String {
        let sets = period.adaptationSets
        let media = sets.enumerated().map { adaptationSet($1, $0, from: period.begin) }.joined()
        let text = subtitles.enumerated().map { adaptationSet($1, sets.count + $0, part) }.joined()
        return """
            <Period id="\(period.number)" start="PT\(Self.text(start))S" \
            duration="PT\(Self.text(period.end - period.begin))S">\(media)\(text)</Period>

            """
    }

    private static func adaptationSet(_ streams: [ManifestStream], _ number: Int, from begin: Double)
        -> String
    {
        let kind = streams[0].isSound ? "audio" : "video"
        let row = streams[0].row
        let isFirst = row.kind == .variant || row.attributes["DEFAULT"] == "YES"
        return """
            <AdaptationSet id="\(number)" contentType="\(kind)" mimeType="\(kind)/mp4" segmentAlignment="true"\
            \(language(row.language))>\(label(row.title))\(role(isFirst ? "main" : "alternate"))\
            \(streams.map { representation($0, from: begin) }.joined())</AdaptationSet>
            """
    }

    /// The query for a part of a subtitle file; without an end, it is the rest of the file. It has no ampersand,
    /// which ffmpeg can't read in a BaseURL.
    static func part(from start: Double, to end: Double?) -> String {
        "?t=\(text(start))\(end.map { ",\(text($0))" } ?? "")"
    }

    /// The adaptation set of a subtitle file, whose times are those of the period.
    private static func adaptationSet(_ subtitles: SubtitleRendition, _ number: Int, _ part: String) -> String
    {
        let name = escaped(subtitles.name)
        return """
            <AdaptationSet id="\(number)" contentType="text" mimeType="text/vtt"\(language(subtitles.language))>\
            \(label(subtitles.title))\(role(subtitles.isForced ? "forced-subtitle" : "subtitle"))\
            \(subtitles.isDefault ? role("main") : "")\
            <Representation id="\(name)-text" bandwidth="1000"><BaseURL>subtitles/\(name).vtt\(escaped(part))</BaseURL></Representation>\
            </AdaptationSet>
            """
    }

    private static func representation(_ stream: ManifestStream, from begin: Double) -> String {
        let row = stream.row
        let size = stream.size.map { #" width="\#($0.width)" height="\#($0.height)""# } ?? ""
        let bandwidth = row.bandwidth ?? max(1, Int(Double(row.storedBytes) * 8 / max(row.duration, 1)))
        let codecs = escaped(stream.codecs.joined(separator: ","))
        let name = escaped(row.name) + (stream.part == .audio ? "-sound" : "")
        return """
            <Representation id="\(name)" codecs="\(codecs)" bandwidth="\(bandwidth)"\(size)>\
            \(stream.isListed ? list(stream, from: begin) : template(stream, from: begin))</Representation>
            """
    }

    private static func language(_ tag: String?) -> String { tag.map { #" lang="\#(escaped($0))""# } ?? "" }

    private static func label(_ title: String?) -> String {
        title.map { "<Label>\(escaped($0))</Label>" } ?? ""
    }

    private static func role(_ value: String) -> String {
        #"<Role schemeIdUri="urn:mpeg:dash:role:2011" value="\#(value)"/>"#
    }

    private static func template(_ stream: ManifestStream, from begin: Double) -> String {
        let section = stream.section.map { #" initialization="\#(escaped($0))""# } ?? ""
        return """
            <SegmentTemplate timescale="90000" presentationTimeOffset="\(Int64(ticksOf: begin))" \
            startNumber="\(stream.segments.first?.number ?? 0)" \
            media="\(escaped(stream.address(of: nil)))"\(section)>\(timeline(stream))</SegmentTemplate>
            """
    }

    private static func list(_ stream: ManifestStream, from begin: Double) -> String {
        let section = stream.section.map { #"<Initialization sourceURL="\#(escaped($0))"/>"# } ?? ""
        let addresses = stream.segments.map { #"<SegmentURL media="\#(escaped(stream.address(of: $0)))"/>"# }
        return """
            <SegmentList timescale="90000" presentationTimeOffset="\(Int64(ticksOf: begin))">\
            \(section)\(timeline(stream))\(addresses.joined())</SegmentList>
            """
    }

    private static func timeline(_ stream: ManifestStream) -> String {
        var lines = ""
        for (index, segment) in stream.segments.enumerated() {
            let next = index + 1 < stream.segments.count ? stream.segments[index + 1].start : segment.end
            lines += #"<S t="\#(segment.start)" d="\#(max(1, next - segment.start))"/>"#
        }
        return "<SegmentTimeline>\(lines)</SegmentTimeline>"
    }

    /// A number of seconds with three digits behind the point.
    static func text(_ seconds: Double) -> String { "\((max(0, seconds) * 1000).rounded() / 1000)" }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
