internal import Locking
internal import MediaContainers
internal import SystemPackage

/// Checks that need other units of the rendition.
extension UnitInspectors {
    /// The stored segments that do not fit a unit that is stored now, so that no player can decode them. They were
    /// stored before their initialization section or predecessor, and could not be checked then.
    func strangers(after job: UnitJob) throws(StoreError) -> [UnitJob] {
        var strangers: [UnitJob] = []
        for unit in try toLookAtAgain(after: job) where unit.state == .stored {
            let other = UnitJob(unit: unit, rendition: job.rendition)
            let inspector = try inspector(of: other)
            // Checks of files will report a file that can't be read.
            guard let path = try? paths.file(of: other.id, token, named: other.fileName),
                let file = try? OpenedFile(path),
                case .bad? = try? inspector.verdict(of: FileBytes(file: file))
            else { continue }
            strangers.append(other)
        }
        return strangers
    }

    /// Notes whether a segment is checked before its initialization section or predecessor is stored.
    func noteEarly(_ isEarly: Bool, _ job: UnitJob) {
        state.withLock { state in
            if isEarly { state.early.insert(Place(job)) } else { state.early.remove(Place(job)) }
        }
    }

    private func toLookAtAgain(after job: UnitJob) throws(StoreError) -> [UnitRecord] {
        let id = job.rendition.id
        if job.unit.kind == .initialization {
            // An earlier run may have stored them.
            return try catalog.units.all(of: id, states: [.stored]).filter { unit in
                guard unit.kind == .segment, unit.encryption != .other else { return false }
                let segment = UnitJob(unit: unit, rendition: job.rendition)
                return (try? stretch(of: segment))?.section == job.unit.number
            }
        }
        var units: [UnitRecord] = []
        for number in try early(after: job) {
            guard let unit = try catalog.units.unit(of: id, .segment, number) else { continue }
            let isEarly = try start(of: UnitJob(unit: unit, rendition: job.rendition)) == .unknown
            if !isEarly { units.append(unit) }
        }
        return units
    }

    /// The early segments for which this unit may be the missing predecessor; also the unit itself, whose predecessor
    /// may have been stored in the meantime.
    private func early(after job: UnitJob) throws(StoreError) -> [Int] {
        let (id, number) = (job.rendition.id, job.unit.number)
        let stretch = try stretch(of: job)
        let isFirst = stretch?.first == number && stretch?.section == nil
        return state.withLock { state in
            guard isFirst else { return state.early.contains(Place(job)) ? [number] : [] }
            return state.early.filter { place in
                place.rendition == id && state.stretches[id]?.stretch(of: place.number)?.first == number
            }.map(\.number).sorted()
        }
    }

    /// The difference between a segment and the others of its stretch.
    func oddity(_ outline: TransportOutline, of job: UnitJob) -> UnitFinding? {
        guard let stretch = try? stretch(of: job) else { return nil }
        let (id, number) = (job.rendition.id, job.unit.number)
        return state.withLock { state in
            let isLast = state.stretches[id]?.isLast(number) ?? true
            return state.tallies[
                Place(rendition: id, kind: .segment, number: stretch.first), default: StreamTally()
            ].take(
                outline, of: number, duration: job.unit.duration, isLast: isLast)
        }
    }

    /// The stored segments that differ from others of their stretch, which is known only since a unit was stored, by
    /// finding. They are kept, since the origin may no longer have them.
    func late(after job: UnitJob) throws(StoreError) -> [UnitFinding: [AbsentRow]] {
        guard job.unit.kind == .segment, let stretch = try stretch(of: job) else { return [:] }
        let id = job.rendition.id
        let place = Place(rendition: id, kind: .segment, number: stretch.first)
        var late: [UnitFinding: [AbsentRow]] = [:]
        let tally = state.withLock { $0.tallies[place] } ?? StreamTally()
        for (number, finding) in tally.late {
            // A segment that is not stored yet is checked when it is.
            guard try catalog.units.unit(of: id, .segment, number)?.state == .stored,
                state.withLock({ $0.tallies[place]?.tell(number) ?? false })
            else { continue }
            late[finding, default: []].append(
                AbsentRow(rendition: id, kind: .segment, number: number, finding: finding))
        }
        return late
    }
}
