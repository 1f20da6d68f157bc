internal import APIDocuments
internal import AssetStore
internal import OfflineServer

/// The selected renditions, in a line or a table.
enum RenditionSummary {
    /// A line such as `1280x720 4.9 Mbit/s; audio en, de; subtitles en, en (forced)`, without repetitions.
    static func text(_ renditions: [AssetRendition]) -> String {
        var parts = renditions.filter { $0.kind == .variant }.map(variant)
        for (kind, name) in [
            (RenditionKind.audio, "audio"), (.subtitles, "subtitles"), (.iframe, "trick play"),
            (.images, "thumbnails"),
        ] {
            let members = renditions.filter { $0.kind == kind }
            guard !members.isEmpty else { continue }
            var said: Set<String> = []
            let labels = members.map(label).filter { said.insert($0).inserted }
            parts.append("\(name) \(labels.joined(separator: ", "))")
        }
        return parts.joined(separator: "; ").plainLine
    }

    private static func variant(_ rendition: AssetRendition) -> String {
        let facts = [rendition.resolution, rendition.bandwidth.map(HumanUnits.bitrate)].compactMap(\.self)
        return facts.isEmpty ? "one media playlist" : facts.joined(separator: " ")
    }

    private static func label(_ rendition: AssetRendition) -> String {
        RenditionName.language(rendition) ?? rendition.title ?? rendition.resolution ?? rendition.name
    }
}

extension SizeEstimate.Method {
    /// The source of the figures, in words.
    var words: String {
        switch self {
        case .byteRanges: "byte ranges"
        case .sampled: "sizes of some segments"
        case .averageBandwidth: "average bandwidth"
        case .bandwidth: "peak bandwidth"
        }
    }
}

extension PreviewReport {
    /// Prints it as text or as JSON.
    func show(json: Bool) {
        guard json else {
            Console.result(RenditionSummary.text(preview.renditions))
            let segments = preview.renditions.reduce(0) { $0 + $1.segments }
            let length = HumanUnits.duration(preview.duration)
            Console.result("\(length), \(segments) segments, about \(SizeSummary.text(preview.size))")
            for reason in preview.lost { Console.note("would be left out: \(reason)") }
            KeyProviderNames.lines(preview.keyProviders).forEach(Console.result)
            for item in preview.leftOut { Console.note("left out: \(item.sentence)") }
            return
        }
        Console.result(self.json.text)
    }
}

/// An estimated size, in words.
enum SizeSummary {
    /// A text such as `12 MB, between 10 MB and 14 MB (by sizes of some segments)`.
    static func text(_ size: SizeEstimate) -> String {
        let (low, high) = (HumanUnits.bytes(size.low), HumanUnits.bytes(size.high))
        let range = low == high ? "" : ", between \(low) and \(high)"
        return "\(HumanUnits.bytes(size.likely))\(range) (by \(size.method.words))"
    }
}
