/// The units of an asset to fetch, in order: those that players wait for, those that they will want soon, then all by
/// presentation time. Pure.
package struct UnitQueue {
    private enum Status {
        case waiting, running, done
    }

    private var jobs: [UnitJob]
    private var status: [Status]
    /// The index from which the next unit in presentation order is searched.
    private var front = 0
    private var waiting: Int
    private var indexes: [UnitID: Int]
    /// The segments of each rendition by number.
    private var tracks: [String: [Int]]

    /// Seconds that a player should have ahead of it.
    package static let lead = 30.0
    /// Seconds ahead below which a player goes first again.
    static let lowLead = 15.0

    package init(_ jobs: [UnitJob]) {
        let jobs = jobs.sorted(by: UnitJob.isBefore)
        self.jobs = jobs
        status = Array(repeating: .waiting, count: jobs.count)
        waiting = jobs.count
        indexes = Dictionary(jobs.indices.map { (jobs[$0].id, $0) }) { first, _ in first }
        tracks = Dictionary(grouping: jobs.indices.filter { jobs[$0].unit.kind == .segment }) {
            jobs[$0].rendition.name
        }.mapValues { list in list.sorted { jobs[$0].unit.number < jobs[$1].unit.number } }
    }

    /// Adds more units behind the present ones. Finished units are removed from time to time.
    package mutating func add(_ more: [UnitJob]) {
        if front > Self.largestPast, front > jobs.count / 2 {
            let open = jobs.indices.filter { status[$0] != .done }
            let running = open.map { status[$0] == .running }
            let kept = open.map { jobs[$0] }
            self = UnitQueue(kept)
            for (job, isRunning) in zip(kept, running) where isRunning { _ = take(job.id) }
        }
        append(more)
    }

    private mutating func append(_ more: [UnitJob]) {
        for job in more.sorted(by: UnitJob.isBefore) where indexes[job.id] == nil {
            indexes[job.id] = jobs.count
            if job.unit.kind == .segment {
                let place = place(of: job)
                tracks[job.rendition.name, default: []].insert(jobs.count, at: place)
            }
            jobs.append(job)
            status.append(.waiting)
            waiting += 1
        }
    }

    /// The place of a segment in the list of its rendition. New segments come last; a forgotten one that is put back
    /// comes before those with higher numbers.
    private func place(of job: UnitJob) -> Int {
        guard let track = tracks[job.rendition.name], let last = track.last else { return 0 }
        guard jobs[last].unit.number > job.unit.number else { return track.count }
        return track.firstIndex { jobs[$0].unit.number > job.unit.number } ?? track.count
    }

    /// Lets a unit wait again, also one that was forgotten.
    package mutating func putBack(_ job: UnitJob) {
        append([job])
        renew(job.id)
    }

    /// Units that may be done and still be known.
    private static let largestPast = 2048

    /// Whether some unit waits for its transfer.
    package var hasWaiting: Bool { waiting > 0 }

    /// Takes the next unit in the order of the presentation.
    package mutating func next() -> UnitJob? {
        while front < jobs.count, status[front] != .waiting { front += 1 }
        return front < jobs.count ? take(front) : nil
    }

    /// Takes a unit out of its turn; `nil` when it does not wait.
    package mutating func take(_ unit: UnitID) -> UnitJob? {
        guard let index = indexes[unit], status[index] == .waiting else { return nil }
        return take(index)
    }

    private mutating func take(_ index: Int) -> UnitJob {
        status[index] = .running
        waiting -= 1
        return jobs[index]
    }

    /// A unit's transfer has ended, well or not.
    package mutating func finished(_ unit: UnitID) {
        if let index = indexes[unit] { status[index] = .done }
    }

    /// Lets a unit wait again.
    package mutating func renew(_ unit: UnitID) {
        guard let index = indexes[unit], status[index] == .done else { return }
        status[index] = .waiting
        waiting += 1
        front = min(front, index)
    }

    /// Takes a rendition's units out.
    package mutating func drop(rendition id: Int64) {
        for index in jobs.indices where jobs[index].rendition.id == id && status[index] == .waiting {
            status[index] = .done
            waiting -= 1
        }
    }
}

/// The units that the players of an asset need of its download.
package struct PlayerWants: Equatable {
    /// The units that players wait for and that are not there, in the order of the requests.
    package var demanded: [UnitID] = []
    /// The next unit that each player will want, the most pressing first.
    package var ahead: [UnitID] = []
    package var pressure = PlayerPressure.none
}

extension UnitQueue {
    /// The units that players need now.
    ///
    /// - Parameters:
    ///   - playheads: the players' positions; notes which players have enough ahead.
    ///   - isResting: whether a unit's transfer waits for a retry or for a silent origin, so that others may go on.
    package func wants(_ playheads: inout Playheads, isResting: (UnitID) -> Bool) -> PlayerWants {
        var wants = PlayerWants(demanded: playheads.held.filter(isOpen))
        var next: [(unit: UnitID, distance: Double)] = []
        var isLow = false
        for head in playheads.present {
            let job = firstOpen(of: head)
            let distance = job.map { $0.unit.start - head.time } ?? .infinity
            let isFilled = distance >= (head.isFilled ? Self.lowLead : Self.lead)
            playheads.setFilled(head.id, isFilled)
            guard let job, distance < Self.lead else { continue }
            // A resting transfer brings the player nothing, even if others leave it the line.
            isLow = isLow || !isFilled && !isResting(job.id)
            if !next.contains(where: { $0.unit == job.id }) { next.append((job.id, distance)) }
        }
        wants.ahead = next.sorted { $0.distance < $1.distance }.map(\.unit)
        let isWaited = wants.demanded.contains { !isResting($0) }
        wants.pressure = isWaited ? .demand : isLow ? .ahead : playheads.isEmpty ? .none : .shared
        return wants
    }

    /// Whether a unit is to be fetched and is missing.
    package func isOpen(_ unit: UnitID) -> Bool { indexes[unit].map { status[$0] != .done } ?? false }

    /// The first missing unit from a player's position on.
    private func firstOpen(of head: Playheads.Head) -> UnitJob? {
        guard let track = tracks[head.rendition] else { return nil }
        var (low, high) = (0, track.count)
        while low < high {
            let middle = (low + high) / 2
            if jobs[track[middle]].unit.number < head.number { low = middle + 1 } else { high = middle }
        }
        while low < track.count, jobs[track[low]].unit.start < head.time + Self.lead {
            if status[track[low]] != .done { return jobs[track[low]] }
            low += 1
        }
        return nil
    }
}
