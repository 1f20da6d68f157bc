/// Text with times, which becomes a track of a file: subtitles or chapters.
public struct TimedText: Sendable {
    /// A text and when it is shown.
    public struct Line: Sendable, Equatable {
        /// The start time, in seconds of the file.
        public var start: Double
        /// The end time.
        public var end: Double
        /// The text; lines are separated by LF.
        public var text: String

        /// A text and when it is shown.
        public init(start: Double, end: Double, text: String) {
            (self.start, self.end, self.text) = (start, end, text)
        }
    }

    /// Milliseconds.
    static let timescale: UInt32 = 1000
    /// The longest text of a sample, in bytes of UTF-8.
    private static let longest = 4000

    /// The visible lines of each moment, one sample after the other without gaps: simultaneous lines become one text.
    static func samples(_ lines: [Line]) -> TrackSamples {
        var marks: [Int64: (starts: [Int], ends: [Int])] = [0: ([], [])]
        for (index, line) in lines.enumerated() {
            let start = max(0, Ticks.nearest(line.start, timescale))
            let end = Ticks.nearest(line.end, timescale)
            guard end > start else { continue }
            marks[start, default: ([], [])].starts.append(index)
            marks[end, default: ([], [])].ends.append(index)
        }
        let times = marks.keys.sorted()
        var samples = TrackSamples(number: 0, timescale: timescale, descriptions: [])
        var shown: [Int] = []
        for (place, time) in times.enumerated() {
            let mark = marks[time] ?? ([], [])
            shown.removeAll { mark.ends.contains($0) }
            shown += mark.starts
            // The last sample is empty and ends the text before.
            let next = place + 1 < times.count ? times[place + 1] : time + 1
            let text = shown.map { lines[$0].text }.joined(separator: "\n").prefix(utf8: longest)
            samples.bytes += [UInt8(text.count >> 8), UInt8(text.count & 255)] + text
            samples.samples.append(
                MediaSample(
                    decodeTime: time, duration: UInt32(clamping: next - time), size: UInt32(text.count + 2),
                    isSync: true))
        }
        return samples
    }

    /// The sample entry of timed text (3GPP TS 26.245, section 5.16).
    ///
    /// - Parameter isForced: whether viewers without subtitles see it, too.
    static func description(isForced: Bool) -> SampleDescription {
        var writer = ByteWriter()
        writer.box("tx3g") { writer in
            writer.zeros(6)
            writer.u16(1)
            writer.u32(isForced ? 0xC000_0000 as UInt32 : 0)
            // Centered, at the bottom, without a background.
            writer.append([1, 0xFF, 0, 0, 0, 0])
            writer.zeros(8)
            // The usual style: no characters of its own, the first font, 18 pixels, white.
            writer.append([0, 0, 0, 0, 0, 1, 0, 18, 255, 255, 255, 255])
            writer.box("ftab") { writer in
                writer.u16(1)
                writer.u16(1)
                writer.u8(5)
                writer.text("Serif")
            }
        }
        return SampleDescription(entry: writer.bytes, codec: "tx3g", shape: .other)
    }
}

extension MovieLayoutBuilder {
    /// The number of the next track.
    private var nextNumber: UInt32 { (tracks.map(\.output.number).max() ?? 0) + 1 }

    /// Adds a track of subtitles.
    ///
    /// - Parameters:
    ///   - lines: its texts, in the order of their times.
    ///   - language: ISO 639-2; `nil` if unknown.
    ///   - name: what a menu shows; `nil` if it has none.
    ///   - isForced: whether viewers without subtitles see it, too.
    ///   - isEnabled: whether players show it without being asked.
    public mutating func addSubtitles(
        _ lines: [TimedText.Line], language: String?, name: String?, isForced: Bool = false,
        isEnabled: Bool = false
    ) {
        let output = OutputTrack(
            number: nextNumber, timescale: TimedText.timescale, language: language, name: name, kind: .text,
            descriptions: [TimedText.description(isForced: isForced)], isEnabled: isEnabled, alternateGroup: 2
        )
        add(output, made: TimedText.samples(lines))
    }

    /// Adds chapters as a track that all others refer to; they end with the file.
    public mutating func addChapters(_ chapters: [MovieInformation.Chapter], end: Double) {
        guard !chapters.isEmpty else { return }
        let lines = chapters.enumerated().map { index, chapter in
            let next = index + 1 < chapters.count ? chapters[index + 1].start : max(end, chapter.start + 1)
            return TimedText.Line(start: chapter.start, end: next, text: chapter.title)
        }
        let output = OutputTrack(
            number: nextNumber, timescale: TimedText.timescale, kind: .text,
            descriptions: [TimedText.description(isForced: false)], isEnabled: false)
        var samples = TimedText.samples(lines)
        // The last chapter extends to the end of the file, so no empty sample follows it.
        samples.bytes.removeLast(2)
        samples.samples.removeLast()
        add(output, made: samples)
        useLastTrackAsChapters()
    }
}
