extension TrackSamples {
    /// The samples for a track that was begun with other descriptions. Parameter sets that the track lacks are
    /// inserted into the samples, before each picture with which decoding can begin.
    func described(as track: OutputTrack) -> TrackSamples {
        guard descriptions != track.descriptions || timescale != track.timescale else { return self }
        let places = descriptions.map { own in track.descriptions.firstIndex { $0.entry == own.entry } }
        let sets = zip(descriptions, places).map { $1 == nil ? $0.parameterSets : [] }
        var described = self.timed(in: track.timescale)
        described.descriptions = track.descriptions
        for (index, sample) in samples.enumerated() {
            let place = Int(sample.description) < places.count ? places[Int(sample.description)] : nil
            described.samples[index].description = UInt8(clamping: place ?? 0)
        }
        return sets.allSatisfy(\.isEmpty)
            ? described : described.preceded { sets[Int(samples[$0].description)] }
    }

    /// The samples with their parameter sets before the first picture and before each with which decoding can begin.
    ///
    /// After samples with other sets of the same numbers, a player needs them again.
    public var withParameterSets: TrackSamples {
        let sets = descriptions.map(\.parameterSets)
        return sets.allSatisfy(\.isEmpty) ? self : preceded { sets[Int(samples[$0].description)] }
    }

    /// The samples with times in another timescale; rounding errors do not add up.
    private func timed(in scale: UInt32) -> TrackSamples {
        guard scale != timescale else { return self }
        var timed = self
        timed.timescale = scale
        func ticks(_ time: Int64) -> Int64 { Ticks.scaled(time, from: timescale, to: scale) }
        for (index, sample) in samples.enumerated() {
            let (start, end) = (sample.decodeTime, sample.decodeTime + Int64(sample.duration))
            timed.samples[index].decodeTime = ticks(start)
            timed.samples[index].duration = UInt32(clamping: ticks(end) - ticks(start))
            timed.samples[index].presentationOffset = Int32(
                clamping: ticks(start + Int64(sample.presentationOffset)) - ticks(start))
        }
        return timed
    }

    private func preceded(by sets: (Int) -> [UInt8]) -> TrackSamples {
        var all: [UInt8] = []
        all.reserveCapacity(bytes.count + 1024)
        var made = self
        var place = 0
        for (index, sample) in samples.enumerated() {
            let end = place + Int(sample.size)
            if index == 0 || sample.isSync {
                let more = sets(index)
                all += more
                made.samples[index].size += UInt32(more.count)
            }
            all += bytes[place..<end]
            place = end
        }
        made.bytes = all
        return made
    }
}

extension SampleDescription {
    /// Its parameter sets as the units of a sample, each behind its length of four bytes; empty without any, and if
    /// lengths have fewer bytes.
    fileprivate var parameterSets: [UInt8] {
        guard let sets = ParameterSets(entry: entry)?.sets, hasUsualLengths else { return [] }
        var writer = ByteWriter()
        for (_, unit) in sets.sorted(by: { $0.key < $1.key }) {
            writer.u32(unit.count)
            writer.append(unit)
        }
        return writer.bytes
    }

    /// Whether lengths of units take four bytes, by `avcC` or `hvcC`.
    private var hasUsualLengths: Bool { Self.hasUsualLengths(entry) }

    /// Whether lengths of units take four bytes, by `avcC` or `hvcC` of a sample entry.
    static func hasUsualLengths(_ entry: [UInt8]) -> Bool {
        for box in Box.list(entry, 86..<max(86, entry.count)) {
            let place = box.name == "avcC" ? 4 : 21
            guard ["avcC", "hvcC"].contains(box.name), box.content.count > place else { continue }
            return entry[box.content.lowerBound + place] & 3 == 3
        }
        return false
    }
}
