import SidebandSubtitles

extension FuzzTarget {
    static let subtitleFormats = [
        FuzzTarget("subtitle-file", tokens: fileTokens) { bytes throws(Finding) in
            guard let track = try? SubtitleFile(reading: bytes).track else { return }
            let again = try? WebVTTFile(parsing: WebVTTWriter().bytes(of: track)).track
            try Finding.expect(
                again?.cues.count == track.cues.count, "a file that is read can be kept as WebVTT")
            for format in SubtitleFormat.allCases { _ = format.bytes(of: track) }
        },
        FuzzTarget("media", tokens: mediaTokens) { bytes throws(Finding) in
            let found = MediaTimestamps(of: bytes)
            try Finding.expect((0..<1 << 33).contains(found.first ?? 0), "a timestamp has 33 bits")
            var merger = SegmentMerger(clocks: [0: MediaClock(firstTicks: found.first)])
            _ = try? merger.add(bytes, at: SegmentPlace(start: 0, duration: 6), initialization: bytes)
            let cues = merger.merged().track.cues
            try Finding.expect(cues.allSatisfy { $0.start.milliseconds >= 0 }, "no cue is before the start")
        },
    ]

    private static let fileTokens = [
        "1\n00:00:01,000 --> 00:00:02,000\n", "{\\an8}", "<font color=\"red\">", "[Script Info]\n",
        "[Events]\n",
        "Format: Start, End, Style, Text\n", "Dialogue: ", "0:00:01.00,", "{\\k20\\pos(1,2)}", "\\N",
        "Style: ",
        "<tt>", "<p begin=\"1s\" end=\"2s\">", "</p>", "<region xml:id=\"r\" tts:origin=\"1% 2%\"/>", "<br/>",
        "<span tts:ruby=\"text\">", "<!--", "<![CDATA[", "&amp;", "timeContainer=\"seq\" ", "\u{FEFF}",
    ]
    private static let mediaTokens = [
        "moof", "traf", "trun", "tfhd", "tfdt", "mdat", "moov", "trak", "mdia", "stsd", "wvtt", "stpp",
        "vttc", "payl",
        "sttg", "elst", "\0\0\0\u{8}", "\0\0\0\u{1}", "G@\u{11}\u{10}", "ID3", "PRIV",
        "com.apple.streaming.transportStreamTimestamp\0",
    ]
}
