/// Merges the segments of a WebVTT playlist into one track (RFC 8216bis §3.1.4).
///
/// Add the segments in the order of the playlist. A cue that is in several segments is kept once. The times of cues
/// become times of the presentation: 0 is its start, whatever the clock of the media is.
///
/// ```swift
/// var merger = SegmentMerger()
/// for (number, segment) in segments.enumerated() {
///     try merger.add(segment, at: SegmentPlace(start: Double(number) * 6, duration: 6))
/// }
/// let track = merger.merged().track
/// ```
public struct SegmentMerger: Sendable {
    private let clocks: [Int: MediaClock]
    private let unmappedTimes: UnmappedTimes
    private let limits: WebVTTLimits

    private var result = MergedSubtitles()
    private var definitions = DefinitionMerger()
    private var segmentCount = 0
    private var section = Section()
    private var latestInitialization: (bytes: [UInt8], file: WebVTTFile?)?

    /// The state of the discontinuity whose segments are being added.
    private struct Section {
        var discontinuity: Int?
        var start = 0.0
        var firstTicks: Int?
        var latestMap: TimestampMap?
        var duplicates = DuplicateFinder()
    }

    /// Makes a merger without segments.
    ///
    /// - Parameters:
    ///   - clocks: the media clock of each discontinuity.
    ///   - unmappedTimes: the meaning of cue times in segments without `X-TIMESTAMP-MAP`.
    ///   - limits: the limits of each segment; the number of cues also limits the whole track.
    public init(
        clocks: [Int: MediaClock] = [:], unmappedTimes: UnmappedTimes = .mediaClock,
        limits: WebVTTLimits = .init()
    ) {
        self.clocks = clocks
        self.unmappedTimes = unmappedTimes
        self.limits = limits
    }

    /// Adds the next segment.
    ///
    /// A segment without the signature `WEBVTT` is read with the timestamp map of the segment before. A segment that
    /// is not WebVTT at all is listed in the problems of the result.
    ///
    /// - Parameters:
    ///   - bytes: the segment, decrypted: WebVTT, or fragmented MP4 with WebVTT or TTML in it; `nil` for a missing
    ///     segment, such as one with `EXT-X-GAP`.
    ///   - place: its place in the presentation.
    ///   - initialization: its Media Initialization Section (`EXT-X-MAP`): a WebVTT header, or the tracks of MP4.
    /// - Throws: an error if the track gets more cues than the limit.
    public mutating func add(
        _ bytes: [UInt8]?, at place: SegmentPlace, initialization: [UInt8]? = nil
    ) throws(WebVTTError) {
        defer { segmentCount += 1 }
        enterSection(place)
        guard let bytes else {
            result.missingSegments += 1
            return
        }
        result.segments += 1
        let isMovie = bytes.looksLikeMP4
        let header = isMovie ? nil : initialization.flatMap { readInitialization($0) }
        guard let file = isMovie ? readMovie(bytes, initialization) : read(bytes, after: header) else {
            return
        }
        for lines in [header?.headerLines ?? [], file.headerLines] where result.headerLines.isEmpty {
            result.headerLines = lines
        }
        let timeline = timeline(of: file, header, place, hasCues: !file.track.cues.isEmpty)
        var renamed = header.map { definitions.add($0.track, limit: limits.blocks) } ?? [:]
        renamed.merge(definitions.add(file.track, limit: limits.blocks)) { $1 }
        for cue in file.track.cues { try add(cue, timeline, renamed: renamed) }
    }

    /// The track merged from the segments that were added so far.
    public func merged() -> MergedSubtitles {
        var merged = result
        merged.track.regions = definitions.regions
        merged.track.styles = definitions.styles
        merged.track.sortCues()
        return merged
    }

    private mutating func enterSection(_ place: SegmentPlace) {
        if section.discontinuity == place.discontinuity { return }
        let clock = clocks[place.discontinuity]
        section = Section(discontinuity: place.discontinuity, firstTicks: clock?.firstTicks)
        let start = clock?.start ?? place.start
        section.start = start.isFinite ? start : 0
    }

    private mutating func timeline(
        of file: WebVTTFile, _ header: WebVTTFile?, _ place: SegmentPlace, hasCues: Bool
    ) -> SegmentTimeline {
        let inherited = file.hasSignature ? nil : section.latestMap
        let map = file.timestampMap ?? header?.timestampMap ?? inherited
        if map == nil && hasCues { result.unmappedSegments += 1 }
        section.latestMap = map
        let isPresentation = map == nil && unmappedTimes == .presentation
        let mapInForce = isPresentation ? nil : map ?? TimestampMap()
        if section.firstTicks == nil, let mapInForce, map != nil || hasCues {
            section.firstTicks = mapInForce.mpegTicks
        }
        return SegmentTimeline(
            place: place, origin: section.start, map: mapInForce, firstTicks: section.firstTicks ?? 0)
    }

    private mutating func add(
        _ cue: Cue, _ timeline: SegmentTimeline, renamed: [String: String]
    ) throws(WebVTTError) {
        var cue = cue
        if let region = cue.settings.region, let name = renamed[region] { cue.settings.region = name }
        let time = timeline.place(cue)
        let (start, end) = (timeline.time(time.start), timeline.time(time.end))
        if end.milliseconds <= 0 { return }
        let index = result.track.cues.count
        let verdict = section.duplicates.judge(
            cue, time, index: index, segment: segmentCount, segmentStart: timeline.segment.start)
        switch verdict {
        case .partOf(let known, let end):
            result.track.cues[known].end = timeline.time(end)
        case .new:
            guard index < limits.cues else { throw WebVTTError(.tooManyCues) }
            cue.moveTimestamps(by: start.milliseconds - cue.start.milliseconds)
            cue.start = max(start, CueTime(milliseconds: 0))
            cue.end = end
            result.track.cues.append(cue)
        }
    }
}

// MARK: - Reading

extension SegmentMerger {
    /// - Parameter header: the WebVTT header from the initialization section. Cues may name its regions.
    private mutating func read(_ bytes: [UInt8], after header: WebVTTFile?) -> WebVTTFile? {
        if bytes.isEmpty { return nil }
        let regions = Set(header?.track.regions.map(\.identifier) ?? [])
        do throws(WebVTTError) {
            let file = try WebVTTFile(
                parsing: bytes, limits: limits, needsSignature: false, regions: regions)
            if !file.hasSignature && file.track.cues.isEmpty { throw WebVTTError(explaining: bytes) }
            for warning in file.warnings { note(.warning(warning)) }
            return file
        } catch {
            note(.refused(error))
            return nil
        }
    }

    private mutating func readMovie(_ bytes: [UInt8], _ initialization: [UInt8]?) -> WebVTTFile? {
        do throws(WebVTTError) {
            return try FragmentedText.file(bytes, initialization: initialization, limits: limits)
        } catch {
            note(.refused(error))
            return nil
        }
    }

    private mutating func readInitialization(_ bytes: [UInt8]) -> WebVTTFile? {
        if let latestInitialization, latestInitialization.bytes == bytes { return latestInitialization.file }
        var file: WebVTTFile?
        do throws(WebVTTError) {
            file = try WebVTTFile(parsing: bytes, limits: limits)
        } catch {
            note(.refused(error))
        }
        latestInitialization = (bytes, file)
        return file
    }

    private mutating func note(_ code: SegmentProblem.Code) {
        result.note(SegmentProblem(segment: segmentCount, code: code))
    }
}
