internal import AssetStore

/// Writes the periods of a DASH manifest (ISO/IEC 23009-1, section 5.3).
enum ManifestWriter {
    static func period(_ period: ManifestPeriod, from start: Double) -> String {
        let sets = period.streams.enumerated().map { adaptationSet($1, $0, from: period.begin) }.joined()
        return """
            <Period id="\(period.number)" start="PT\(text(start))S" \
            duration="PT\(text(period.end - period.begin))S">\(sets)</Period>

            """
    }

    private static func adaptationSet(_ stream: ManifestStream, _ number: Int, from begin: Double) -> String {
        let row = stream.row
        let kind = stream.isSound ? "audio" : "video"
        let language = row.language.map { #" lang="\#(escaped($0))""# } ?? ""
        let size = stream.size.map { #" width="\#($0.width)" height="\#($0.height)""# } ?? ""
        let bandwidth = row.bandwidth ?? max(1, Int(Double(row.storedBytes) * 8 / max(row.duration, 1)))
        let codecs = escaped(stream.codecs.joined(separator: ","))
        let name = escaped(row.name) + (stream.part == .audio ? "-sound" : "")
        return """
            <AdaptationSet id="\(number)" contentType="\(kind)" mimeType="\(kind)/mp4" segmentAlignment="true"\(language)>\
            <Representation id="\(name)" codecs="\(codecs)" bandwidth="\(bandwidth)"\(size)>\
            \(stream.isListed ? list(stream, from: begin) : template(stream, from: begin))\
            </Representation></AdaptationSet>
            """
    }

    private static func template(_ stream: ManifestStream, from begin: Double) -> String {
        let section = stream.section.map { #" initialization="\#(escaped($0))""# } ?? ""
        return """
            <SegmentTemplate timescale="90000" presentationTimeOffset="\(Int(begin * 90_000))" \
            startNumber="\(stream.segments.first?.number ?? 0)" \
            media="\(escaped(stream.address(of: nil)))"\(section)>\(timeline(stream))</SegmentTemplate>
            """
    }

    private static func list(_ stream: ManifestStream, from begin: Double) -> String {
        let section = stream.section.map { #"<Initialization sourceURL="\#(escaped($0))"/>"# } ?? ""
        let addresses = stream.segments.map { #"<SegmentURL media="\#(escaped(stream.address(of: $0)))"/>"# }
        return """
            <SegmentList timescale="90000" presentationTimeOffset="\(Int(begin * 90_000))">\
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
