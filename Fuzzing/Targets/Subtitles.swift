internal import SidebandSubtitles

extension FuzzTarget {
    static let subtitles = [
        FuzzTarget("webvtt", tokens: cueTokens) { bytes throws(Finding) in
            guard let file = try? WebVTTFile(parsing: bytes) else { return }
            let again = try? WebVTTFile(parsing: WebVTTWriter().bytes(of: file.track))
            try Finding.expect(again?.track == file.track, "a track reads as it was written")
            try Finding.expect(
                !JSONWriter(includesTrees: true).bytes(of: file.track).isEmpty, "a track has a report")
        },
        FuzzTarget("cue-text", tokens: textTokens) { bytes throws(Finding) in
            try checkNesting(CueText(String(decoding: bytes, as: UTF8.self)))
        },
        FuzzTarget("merge", tokens: cueTokens + ["X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:", "8589934592"])
        {
            bytes throws(Finding) in
            try checkOrder(merged(bytes))
        },
        FuzzTarget("cut-and-merge", tokens: cueTokens + ["00:00:05.999", "00:00:06.000", "00:00:12.000"]) {
            bytes throws(Finding) in
            guard let file = try? WebVTTFile(parsing: bytes) else { return }
            try checkPieces(of: file.track.cues)
        },
    ]

    private static let cueTokens = [
        "WEBVTT\n\n", "00:00:01.000 --> 00:00:02.000", "\n\n", "STYLE\n", "REGION\n", "NOTE\n", "line:",
        "position:",
        "align:", "size:", "region:", "vertical:", "%", "-->", "\0", "\r", "\u{FEFF}", "X-TIMESTAMP-MAP=",
    ]
    private static let textTokens = [
        "<b>", "</b>", "<i.", "<c.yellow>", "<ruby>", "<rt>", "<v Ann>", "<lang en>", "<00:00:01.000>",
        "&amp;", "&#x",
        "&notin;", "&", ";", "<", ">", "\n",
    ]

    /// The pieces between form feeds as segments of two discontinuities.
    private static func merged(_ bytes: [UInt8]) -> [Cue] {
        var merger = SegmentMerger(clocks: [1: MediaClock(firstTicks: 8_589_900_000)])
        for (index, piece) in bytes.split(separator: 0x0C, maxSplits: 6).enumerated() {
            let place = SegmentPlace(start: Double(index) * 6, duration: 6, discontinuity: index / 3)
            try? merger.add(Array(piece), at: place)
        }
        return merger.merged().track.cues
    }

    /// Checks that a track that is cut into segments and merged again has each cue once, in order. A number in its
    /// text identifies each cue: two equal cues may be merged.
    private static func checkPieces(of cues: [Cue]) throws(Finding) {
        let minute = CueTime(milliseconds: 0)...CueTime(milliseconds: 60_000)
        let cues = cues.filter { minute.contains($0.start) && minute.contains($0.end) && $0.start < $0.end }
        var track = SubtitleTrack(
            cues: cues.enumerated().map { number, cue in
                Cue(start: cue.start, end: cue.end, text: "\(number) \(cue.text)")
            })
        track.sortCues()
        let starts = stride(from: 0.0, to: 60, by: 6).map { $0 }
        let pieces = SegmentedTrack(track, segmentStarts: starts, writer: WebVTTWriter())
        var merger = SegmentMerger(unmappedTimes: .presentation)
        for (index, start) in starts.enumerated() {
            try? merger.add(pieces.segment(index), at: SegmentPlace(start: start, duration: 6))
        }
        let merged = merger.merged().track.cues
        try Finding.expect(merged.count == track.cues.count, "merging keeps the number of cues")
        try Finding.expect(
            zip(merged, track.cues).allSatisfy {
                $0.text == $1.text && $0.start == $1.start && $0.end == $1.end
            },
            "merging keeps the order and times of cues")
    }

    private static func checkOrder(_ cues: [Cue]) throws(Finding) {
        try Finding.expect(cues.allSatisfy { $0.start >= CueTime(milliseconds: 0) }, "no cue begins before 0")
        try Finding.expect(
            zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start },
            "cues are in the order of their times")
    }

    /// Nodes lie within their parents.
    private static func checkNesting(_ text: CueText) throws(Finding) {
        var ends = [text.nodes.count]
        for (index, node) in text.nodes.enumerated() {
            while let end = ends.last, end == index { ends.removeLast() }
            try Finding.expect(
                node.end > index && node.end <= (ends.last ?? 0), "a node lies within the one around it")
            if node.end > index + 1 { ends.append(node.end) }
        }
    }
}
