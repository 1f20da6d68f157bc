internal import HLSPlaylist
internal import SystemPackage

/// A unit to be fetched, with all that its transfer needs.
struct UnitJob: Sendable {
    var unit: UnitRecord
    var rendition: RenditionRecord

    /// The unit's file in the rendition's folder.
    var fileName: String { Self.fileName(unit.kind, unit.number, rendition.container) }

    static func fileName(_ kind: UnitKind, _ number: Int, _ container: ContainerFormat) -> String {
        switch kind {
        case .segment: ServedMediaPlaylist.segmentName(number, container)
        case .initialization: ServedMediaPlaylist.initializationName(number)
        }
    }

    /// Initialization sections first, then by presentation time, so that all renditions advance together.
    static func isBefore(_ left: UnitJob, _ right: UnitJob) -> Bool {
        let l = (left.unit.kind == .initialization ? 0 : 1, left.unit.start, left.rendition.position)
        let r = (right.unit.kind == .initialization ? 0 : 1, right.unit.start, right.rendition.position)
        return l == r ? left.unit.number < right.unit.number : l < r
    }
}

/// The units of an asset that wait for their transfer, in the order in which they are fetched.
struct UnitQueue {
    private var jobs: ArraySlice<UnitJob>
    private var lostRenditions: Set<Int64> = []

    init(_ jobs: [UnitJob]) { self.jobs = jobs.sorted(by: UnitJob.isBefore)[...] }

    mutating func next() -> UnitJob? {
        while let job = jobs.popFirst() {
            if !lostRenditions.contains(job.rendition.id) { return job }
        }
        return nil
    }

    /// Takes a rendition's units out.
    mutating func drop(rendition id: Int64) { lostRenditions.insert(id) }
}
