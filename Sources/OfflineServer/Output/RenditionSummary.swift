internal import AssetStore

/// What was chosen, in a line or a table.
enum RenditionSummary {
    /// `1280x720 4.9 Mbit/s; audio en, de; subtitles en, en (forced)`; what would be said twice is said once.
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
        return facts.isEmpty ? "one variant" : facts.joined(separator: " ")
    }

    private static func label(_ rendition: AssetRendition) -> String {
        language(rendition) ?? rendition.title ?? rendition.resolution ?? rendition.name
    }

    /// `en` or `en (forced)`; `nil` when it says none.
    static func language(_ rendition: AssetRendition) -> String? {
        rendition.language.map { rendition.isForced ? "\($0) (forced)" : $0 }
    }
}

/// What a selection would come to.
struct PreviewReport {
    private let preview: StreamInspector.Preview

    init(_ preview: StreamInspector.Preview) { self.preview = preview }

    func show(json: Bool) {
        guard json else {
            Console.result(RenditionSummary.text(preview.renditions))
            let segments = preview.renditions.reduce(0) { $0 + $1.segments }
            let length = HumanUnits.duration(preview.duration)
            Console.result("\(length), \(segments) segments, about \(Estimate.sentence(preview.size))")
            for reason in preview.lost { Console.note("would be left out: \(reason)") }
            KeyProviderNames.lines(preview.keyProviders).forEach(Console.result)
            for item in preview.leftOut { Console.note("left out: \(item.sentence)") }
            return
        }
        let document: JSONValue = [
            "duration": JSONValue(preview.duration),
            "renditions": .array(preview.renditions.map(AssetDocument.json)),
            "lost": .array(preview.lost.map { .string($0) }), "estimate": .object(sizes),
            "key_providers": keyProviders,
        ]
        Console.result(document.adding([AssetDocument.leftOut(preview.leftOut)]).text)
    }

    /// How large it would be, and who would be asked for keys.
    var estimate: JSONValue {
        .object(sizes + [("key_providers", keyProviders), AssetDocument.leftOut(preview.leftOut)])
    }

    private var sizes: [(String, JSONValue)] {
        let size = preview.size
        return [
            ("low", .integer(size.low)), ("likely", .integer(size.likely)), ("high", .integer(size.high)),
            ("method", .string(size.method.rawValue)),
        ]
    }

    private var keyProviders: JSONValue { .array(preview.keyProviders.map { .string($0) }) }
}

extension SizeEstimate.Method {
    /// What the figures come from, for people.
    var words: String {
        switch self {
        case .byteRanges: "byte ranges"
        case .sampled: "sizes of some segments"
        case .averageBandwidth: "average bandwidth"
        case .bandwidth: "peak bandwidth"
        }
    }
}
