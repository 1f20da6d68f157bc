package import AssetStore
internal import MediaContainers

/// The requested form of segments as fragmented MP4.
package struct FragmentedForm: Sendable, Hashable {
    /// The tracks of a rendition that has pictures and sound.
    package enum Part: String, Sendable, Hashable {
        case all
        case video
        case audio
    }

    package var part = Part.all
    /// The start time of a segment, in ticks of 90 kHz, so that segments of several discontinuities are on one
    /// timeline; `nil` keeps the clock of its source.
    package var beginning: Int64?

    package init(_ part: Part = .all, beginning: Int64? = nil) {
        (self.part, self.beginning) = (part, beginning)
    }

    /// Names the form.
    var name: String { part.rawValue + (beginning.map { "-\($0)" } ?? "") }

    /// Whether segments of a format are converted; fragmented MP4 is served unchanged if that is sufficient.
    package func isMade(of container: ContainerFormat) -> Bool {
        switch container {
        case .m4s, .mp4: part != .all || beginning != nil
        default: container.isConverted
        }
    }

    /// The writer for the requested tracks.
    func writer(_ all: FragmentWriter) -> FragmentWriter {
        switch part {
        case .all: all
        case .video: FragmentWriter(tracks: all.tracks.filter { $0.kind == .video })
        case .audio: FragmentWriter(tracks: all.tracks.filter { $0.kind == .audio })
        }
    }

    /// A segment, made of samples.
    ///
    /// - Parameter repeatsSets: whether samples bring their parameter sets along, for players that read only one
    ///   initialization section.
    func segment(
        _ samples: SegmentSamples, by all: FragmentWriter, number: Int, repeatsSets: Bool
    ) -> [UInt8] {
        let writer = writer(all)
        let tracks = samples.tracks.map { track in
            repeatsSets || samples.changed.contains(track.number) ? track.withParameterSets : track
        }
        let start = samples.index.firstTick
        return writer.segment(
            writer.arranged(tracks), sequenceNumber: UInt32(truncatingIfNeeded: number &+ 1),
            shift: beginning.map { $0 - start } ?? 0, tags: part == .audio ? [] : samples.tags)
    }
}

extension SampleIndex {
    /// The time of its first presentation, in ticks of 90 kHz.
    var firstTick: Int64 {
        let times = tracks.filter { $0.kind == .video || $0.kind == .audio }.compactMap(\.presentation?.start)
        return Int64(ticksOf: max(0, times.min() ?? 0))
    }
}

extension FragmentWriter {
    /// The tracks of a segment in the order of the writer; one that the segment has not is empty.
    fileprivate func arranged(_ samples: [TrackSamples]) -> [TrackSamples] {
        var left = samples
        return tracks.map { track in
            guard let index = left.firstIndex(where: { $0.kind == track.kind }) else {
                return TrackSamples(number: 0, timescale: track.timescale)
            }
            return left.remove(at: index)
        }
    }
}
