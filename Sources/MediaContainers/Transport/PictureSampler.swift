/// The data that pictures of one stream need of the segments before.
struct PictureMemory: Sendable {
    var sets = ParameterSets()
    var light = LightFacts()
    /// The decoding time of the last sample.
    var lastDecoding: Int64?
    /// The duration of the last sample.
    var lastDuration: UInt32?
}

/// Makes samples of the units of an H.264 or H.265 byte stream.
struct PictureSampler<Codec: PictureCodec> {
    /// One access unit.
    private struct Access {
        /// The range of its units.
        var units: Range<Int>
        /// The last slice that was seen.
        var slice: Slice?
        var isRandomAccess = false
        var isIntra = true
        var isRecoveryPoint = false
        var description: UInt8 = 0
    }

    private var codec: Codec
    private var memory: PictureMemory
    private let stream: ElementaryStream
    private let units: [ByteStream.Unit]
    /// Units that samples have, if all are kept that are not parameter sets.
    private var isKept: [Bool] = []
    private var isSet: [Bool] = []
    private var accesses: [Access] = []
    private var descriptions: [SampleDescription] = []
    private var facts = PictureFacts()
    /// Whether parameter sets change within the segment, so that samples must contain them.
    private var isInBand = false
    /// The sets after each change of a sequence.
    private var states: [ParameterSets] = []
    private var hasNewSequence = false
    /// Whether there were pictures with unknown parameter sets.
    private(set) var lacksParameterSets = false

    init(_ codec: Codec, _ stream: ElementaryStream, after memory: PictureMemory) throws(SampleError) {
        (self.codec, self.stream, self.memory) = (codec, stream, memory)
        units = try ByteStream.units(in: stream.data)
        for (key, unit) in memory.sets.sets { self.codec.note(key, unit) }
    }

    /// The samples of all access units, and the state for the next segment.
    ///
    /// - Parameter continues: whether the last access unit ends in the next segment.
    /// - Returns: also the bytes of that unit.
    mutating func samples(
        number: Int, continues: Bool
    ) throws(SampleError) -> (track: TrackSamples, memory: PictureMemory, rest: ElementaryStream?) {
        try readUnits()
        var rest: ElementaryStream?
        if continues { rest = stream }
        if continues, let last = accesses.popLast() {
            var cursor = MarkCursor(stream)
            if let before = accesses.last { _ = cursor.mark(upTo: code(of: before)) }
            rest = stream.rest(from: code(of: last), mark: cursor.mark(upTo: code(of: last)))
        }
        describe()
        var track = TrackSamples(number: number, timescale: 90_000)
        track.descriptions = descriptions
        write(to: &track)
        return (track, memory, rest)
    }

    /// The offset of the start code of an access unit.
    private func code(of access: Access) -> Int { units[access.units.lowerBound].code }
}

// MARK: - Access units

extension PictureSampler {
    /// Samples name their descriptions with a byte.
    private static var mostDescriptions: Int { 255 }

    private mutating func readUnits() throws(SampleError) {
        (isKept, isSet) = ([], [])
        isKept.reserveCapacity(units.count)
        isSet.reserveCapacity(units.count)
        var access = Access(units: 0..<0)
        // The beginning of the units before the next picture, if one follows.
        var boundary: Int?
        states = [firstSets()]
        for (index, unit) in units.enumerated() {
            let role = codec.role(of: unit.start..<unit.end, in: stream.data)
            note(role, unit)
            switch role {
            case .slice(let slice):
                take(slice, at: index, into: &access, boundary: &boundary)
                guard states.count <= Self.mostDescriptions else { throw .tooLarge }
            case .trailing, .filler: break
            case .leading, .delimiter, .parameters:
                if access.slice != nil { boundary = boundary ?? index }
                if access.slice == nil, accesses.isEmpty {
                    codec.read(unit.start..<unit.end, in: stream.data, into: &memory.light)
                }
            }
        }
        end(&access, at: boundary ?? units.count)
    }

    private mutating func note(_ role: UnitRole, _ unit: ByteStream.Unit) {
        switch role {
        case .filler, .delimiter: isKept.append(false)
        default: isKept.append(true)
        }
        guard case .parameters(let key) = role else {
            isSet.append(false)
            return
        }
        isSet.append(true)
        take(key, Array(stream.data[unit.start..<unit.end]))
    }

    /// The sets at the beginning of the segment: its own, otherwise those of the segment before.
    private mutating func firstSets() -> ParameterSets {
        var sets = memory.sets
        var seen: Set<ParameterSets.Key> = []
        for unit in units {
            guard codec.isParameterSet(stream.data[unit.start]),
                case .parameters(let key) = codec.role(of: unit.start..<unit.end, in: stream.data),
                seen.insert(key).inserted
            else { continue }
            let bytes = Array(stream.data[unit.start..<unit.end])
            codec.note(key, bytes)
            _ = replace(key, bytes, in: &sets, keeping: seen)
        }
        memory.sets = sets
        return sets
    }

    private func replace(
        _ key: ParameterSets.Key, _ unit: [UInt8], in sets: inout ParameterSets,
        keeping kept: Set<ParameterSets.Key>
    ) -> Bool {
        sets.take(key, unit) { other, bytes in
            key.type == codec.sequenceType && !kept.contains(other)
                && codec.isDependent(other, bytes, on: key.id)
        }
    }

    private mutating func take(_ key: ParameterSets.Key, _ unit: [UInt8]) {
        guard memory.sets[key] != unit else { return }
        isInBand = true
        codec.note(key, unit)
        if replace(key, unit, in: &memory.sets, keeping: []), key.type == codec.sequenceType {
            hasNewSequence = true
        }
    }

    private mutating func take(
        _ slice: Slice, at index: Int, into access: inout Access, boundary: inout Int?
    ) {
        if let last = access.slice, slice.relation(to: last) == .newPicture {
            end(&access, at: boundary ?? index)
        }
        boundary = nil
        if access.slice == nil {
            if hasNewSequence { states.append(memory.sets) }
            hasNewSequence = false
            access.description = UInt8(clamping: states.count - 1)
            access.isRandomAccess = slice.isRandomAccess
        }
        access.slice = slice
        access.isIntra = access.isIntra && slice.isIntra
    }

    private mutating func end(_ access: inout Access, at index: Int) {
        if access.slice != nil {
            access.units = access.units.lowerBound..<index
            access.isRecoveryPoint = !access.isRandomAccess && access.isIntra && hasRecoveryPoint(access)
            if !isDamaged(access) { accesses.append(access) }
        }
        access = Access(units: index..<index)
    }

    private func hasRecoveryPoint(_ access: Access) -> Bool {
        units[access.units].contains { codec.isRecoveryPoint($0.start..<$0.end, in: stream.data) }
    }

    /// Whether bytes of an access unit are missing.
    private func isDamaged(_ access: Access) -> Bool {
        guard let last = access.units.last else { return false }
        return stream.firstBreak(in: code(of: access) + 1..<units[last].end + 1) != nil
    }
}

// MARK: - Samples

extension PictureSampler {
    /// Makes the descriptions; pictures with unknown parameter sets are dropped.
    private mutating func describe() {
        var indexes: [UInt8?] = []
        for state in states {
            let isKnown = !accesses.isEmpty && codec.neededSets.allSatisfy { state.has($0) }
            let known =
                isKnown ? codec.description(state, isInBand: isInBand, light: memory.light) : nil
            indexes.append(known.map { _ in UInt8(descriptions.count) })
            guard let (description, facts) = known else { continue }
            descriptions.append(description)
            self.facts = facts
        }
        let count = accesses.count
        accesses = accesses.compactMap { access in
            guard let index = indexes[Int(access.description)] else { return nil }
            var access = access
            access.description = index
            return access
        }
        lacksParameterSets = accesses.count < count
    }

    private mutating func write(to track: inout TrackSamples) {
        var cursor = MarkCursor(stream)
        var times: [PictureTimes.Stamp] = []
        times.reserveCapacity(accesses.count)
        track.samples.reserveCapacity(accesses.count)
        track.bytes.reserveCapacity(stream.data.count + units.count)
        for access in accesses {
            let mark = cursor.mark(upTo: code(of: access))
            times.append(
                PictureTimes.Stamp(presentation: mark?.presentation, decoding: mark?.decoding))
            let start = track.bytes.count
            append(access, to: &track.bytes)
            let isSync =
                access.isRandomAccess || access.isRecoveryPoint
                || access.isIntra && mark?.isRandomAccess == true
            track.samples.append(
                MediaSample(
                    decodeTime: 0, duration: 0, size: UInt32(clamping: track.bytes.count - start),
                    isSync: isSync, description: access.description))
        }
        PictureTimes(stamps: times, facts: facts).set(in: &track.samples, &memory)
    }

    private func append(_ access: Access, to bytes: inout [UInt8]) {
        for index in access.units where isKept[index] && (isInBand || !isSet[index]) {
            let unit = units[index]
            let length = UInt32(truncatingIfNeeded: unit.end - unit.start)
            for shift in [UInt32(24), 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
            bytes.append(contentsOf: stream.data[unit.start..<unit.end])
        }
    }
}
