/// A track of subtitles: its cues, and the regions and style sheets they use.
///
/// ```swift
/// let track = try WebVTTFile(parsing: bytes).track
/// for cue in track.cues { print(cue.start, cue.text) }
/// let subRip = SubtitleFormat.srt.bytes(of: track)
/// ```
public struct SubtitleTrack: Sendable, Hashable {
    /// The cues in the order of their file, or by time after merging.
    public var cues: [Cue]
    /// The regions in the order of their file. Cues mean the last one of a name.
    public var regions: [CueRegion]
    /// The text of each `STYLE` block: CSS rules for cues (WebVTT §8.2).
    public var styles: [String]

    /// A track of the parts given.
    public init(cues: [Cue] = [], regions: [CueRegion] = [], styles: [String] = []) {
        self.cues = cues
        self.regions = regions
        self.styles = styles
    }

    /// The region that shows a cue, if there is one.
    public func region(of cue: Cue) -> CueRegion? {
        cue.settings.region.flatMap { name in regions.last { $0.identifier == name } }
    }

    /// Sorts the cues in display order: by start, the longer one first, otherwise in their present order (HTML, "text
    /// track cue order").
    public mutating func sortCues() {
        let before = cues
        func isBefore(_ first: Int, _ second: Int) -> Bool {
            let starts = (before[first].start, before[second].start)
            let ends = (before[first].end, before[second].end)
            if starts.0 != starts.1 { return starts.0 < starts.1 }
            return ends.0 != ends.1 ? ends.0 > ends.1 : first < second
        }
        let isSorted = before.indices.dropFirst().allSatisfy { isBefore($0 - 1, $0) }
        if !isSorted { cues = before.indices.sorted(by: isBefore).map { before[$0] } }
    }
}
