/// Finds decoding and presentation times of access units whose stream tells only some.
struct PictureTimes {
    /// The time stamps that the stream gives an access unit.
    struct Stamp {
        var presentation: Int64?
        var decoding: Int64?
    }

    private var stamps: [Stamp]
    private let facts: PictureFacts

    init(stamps: [Stamp], facts: PictureFacts) { (self.stamps, self.facts) = (stamps, facts) }

    /// Writes the times into samples; decoding times increase from one to the next.
    func set(in samples: inout [MediaSample], _ memory: inout PictureMemory) {
        guard !samples.isEmpty else { return }
        let presentation = filledPresentation(after: memory)
        let decoding = decodingTimes(presentation, after: memory.lastDecoding)
        let last = lastDuration(decoding, memory)
        for index in samples.indices {
            samples[index].decodeTime = decoding[index]
            samples[index].presentationOffset = Int32(clamping: presentation[index] - decoding[index])
            samples[index].duration =
                index + 1 < samples.count ? UInt32(clamping: decoding[index + 1] - decoding[index]) : last
        }
        (memory.lastDecoding, memory.lastDuration) = (decoding[samples.count - 1], last)
    }

    /// The usual distance of pictures.
    private var distance: Int64 {
        if let ticks = facts.pictureTicks { return Int64(ticks) }
        let known = stamps.enumerated().compactMap { index, stamp in
            (stamp.decoding ?? stamp.presentation).map { (index: index, time: $0) }
        }
        // If each picture has a time, those of reordered pictures are sorted first.
        let isWhole = known.count == stamps.count
        let times = isWhole ? known.sorted { $0.time < $1.time } : known
        let steps = zip(times, times.dropFirst())
            .map { ($1.time - $0.time) / Int64(isWhole ? 1 : $1.index - $0.index) }
            .filter { $0 > 0 }.sorted()
        return steps.isEmpty ? 3600 : steps[steps.count / 2]
    }

    /// Presentation times of all: where a PES packet has several pictures, those behind the first follow it.
    private func filledPresentation(after memory: PictureMemory) -> [Int64] {
        let step = stamps.contains { $0.presentation == nil } ? distance : 0
        let firstKnown = stamps.firstIndex { $0.presentation != nil }
        var next: Int64 =
            memory.lastDecoding.map { $0 + Int64(memory.lastDuration ?? 0) }
            ?? firstKnown.flatMap { index in stamps[index].presentation.map { $0 - Int64(index) * step } }
            ?? 0
        return stamps.map { stamp in
            let time = stamp.presentation ?? next
            next = time + step
            return time
        }
    }

    private func decodingTimes(_ presentation: [Int64], after last: Int64?) -> [Int64] {
        var times = stamps.indices.map { stamps[$0].decoding ?? presentation[$0] }
        let isTold = stamps.contains { $0.decoding != nil }
        let isReordered = zip(presentation, presentation.dropFirst()).contains { $0 >= $1 }
        if !isTold, isReordered { times = sorted(presentation) }
        var floor = last ?? .min
        for index in times.indices {
            // Small steps back are errors of encoders; a jump is a new beginning.
            if times[index] <= floor, floor - times[index] < 10 * 90_000 { times[index] = floor + 1 }
            floor = times[index]
        }
        return times
    }

    /// Decoding times of a stream without any: the sorted presentation times, earlier by the depth of reordering.
    private func sorted(_ presentation: [Int64]) -> [Int64] {
        let order = presentation.sorted()
        let depth = max(facts.reorderDepth ?? 0, depth(presentation, order))
        let step = distance
        return order.indices.map { index in
            index >= depth ? order[index - depth] : order[0] - Int64(depth - index) * step
        }
    }

    /// The number of pictures by which decoding must be ahead, so that none is shown before it is decoded.
    private func depth(_ presentation: [Int64], _ order: [Int64]) -> Int {
        presentation.indices.reduce(0) { depth, index in
            max(depth, index - order.firstIndex(below: presentation[index]) { $0 })
        }
    }

    private func lastDuration(_ decoding: [Int64], _ memory: PictureMemory) -> UInt32 {
        if decoding.count > 1 {
            return UInt32(clamping: decoding[decoding.count - 1] - decoding[decoding.count - 2])
        }
        return memory.lastDuration ?? UInt32(clamping: distance)
    }
}
