internal import HLSPlaylist
internal import Locking
internal import MediaContainers
internal import SystemPackage

/// Makes the checks of one asset's units, each with its key and its predecessor in the rendition.
package final class UnitInspectors: Sendable {
    let token: AssetToken
    let catalog: Catalog
    let paths: StorePaths
    private let keys: WholeSegmentKeys
    let state = Lock(State())

    struct State {
        var stretches: [Int64: StretchesOfMedia] = [:]
        var starts: [Place: MediaExpectation.Start] = [:]
        /// Segments that were checked before their predecessors were stored.
        var early: Set<Place> = []
        /// The tallies of stretches, by their first segments.
        var tallies: [Place: StreamTally] = [:]
    }

    /// A unit, by which checks of other segments are found.
    struct Place: Hashable {
        let rendition: Int64
        let kind: UnitKind
        let number: Int

        init(rendition: Int64, kind: UnitKind, number: Int) {
            (self.rendition, self.kind, self.number) = (rendition, kind, number)
        }

        init(_ job: UnitJob) {
            self.init(rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number)
        }
    }

    package init(_ token: AssetToken, catalog: Catalog, paths: StorePaths, vault: KeyVault?) {
        (self.token, self.catalog, self.paths) = (token, catalog, paths)
        keys = WholeSegmentKeys(token, catalog: catalog, vault: vault)
    }

    /// The inspector of a unit.
    package func inspector(of job: UnitJob) throws(StoreError) -> UnitInspector {
        var inspector = UnitInspector(job, cipher: try keys.cipher(of: job))
        inspector.start = { () throws(StoreError) in
            let start = try self.start(of: job)
            if job.unit.kind == .segment { self.noteEarly(start == .unknown, job) }
            return start
        }
        inspector.compare = { self.oddity($0, of: job) }
        inspector.noteOutline = { self.note($0, of: job) }
        return inspector
    }

    /// The facts for the check of a segment, from its initialization section or the first segment of its stretch;
    /// `unknown` if that is not stored.
    func start(of job: UnitJob) throws(StoreError) -> MediaExpectation.Start {
        guard job.unit.kind == .segment, let stretch = try stretch(of: job) else { return .unknown }
        if let section = stretch.section {
            let start = try start(job.rendition, .initialization, number: section)
            guard case .movie(let outline, _) = start else { return start }
            return .movie(outline, isOld: !stretch.hasOwnSection)
        }
        guard stretch.first != job.unit.number else { return .nothing }
        // A segment without an initialization section may still be MP4: one MP4 file with its `moov` box at the start
        // may be cut into segments.
        let start = try start(job.rendition, .segment, number: stretch.first)
        return start == .packets ? .nothing : start
    }

    /// The facts that a stored unit gives for the check of the segments after it.
    private func start(
        _ rendition: RenditionRecord, _ kind: UnitKind, number: Int
    ) throws(StoreError) -> MediaExpectation.Start {
        let place = Place(rendition: rendition.id, kind: kind, number: number)
        if let known = state.withLock({ $0.starts[place] }) { return known }
        guard let unit = try catalog.units.unit(of: rendition.id, kind, number), unit.state == .stored,
            unit.encryption != .other
        else { return .unknown }
        let job = UnitJob(unit: unit, rendition: rendition)
        // Checks of files will report a file that can't be read.
        guard let path = try? paths.file(of: job.id, token, named: job.fileName),
            let file = try? OpenedFile(path)
        else { return .unknown }
        let inspector = UnitInspector(job, cipher: try keys.cipher(of: job))
        guard let start = try? inspector.outline(of: FileBytes(file: file)) else { return .unknown }
        state.withLock { $0.starts[place] = start }
        return start
    }

    private func note(_ start: MediaExpectation.Start, of job: UnitJob) {
        state.withLock { $0.starts[Place(job)] = start }
    }

    func stretch(of job: UnitJob) throws(StoreError) -> StretchesOfMedia.Stretch? {
        let (rendition, number) = (job.rendition, job.unit.number)
        if let known = state.withLock({ $0.stretches[rendition.id] }), number <= known.last {
            return known.stretch(of: number)
        }
        guard let source = try catalog.renditions.mediaPlaylist(token, rendition.name) else { return nil }
        let stretches = StretchesOfMedia(source.playlist)
        state.withLock { $0.stretches[rendition.id] = stretches }
        return stretches.stretch(of: number)
    }
}

/// The stretches of a playlist whose segments are of one kind: each begins with a discontinuity, or with an
/// initialization section.
struct StretchesOfMedia {
    struct Stretch {
        /// The media sequence number of its first segment.
        let first: Int
        let section: Int?
        /// Whether EXT-X-MAP stands in this stretch, and not before its discontinuity.
        let hasOwnSection: Bool
    }

    private var stretches: [Stretch] = []
    /// The media sequence number of the last segment.
    let last: Int

    init(_ playlist: MediaPlaylist) {
        last = playlist.segments.last?.mediaSequence ?? -1
        for segment in playlist.segments where !segment.isGap {
            let before = stretches.last
            let isNew = before.map { $0.section != segment.initializationSection } ?? true
            guard isNew || segment.isDiscontinuity else { continue }
            stretches.append(
                Stretch(
                    first: segment.mediaSequence, section: segment.initializationSection,
                    hasOwnSection: isNew))
        }
    }

    func stretch(of number: Int) -> Stretch? { stretches.last { $0.first <= number } }

    /// Whether a segment is the last one of its stretch, or of the playlist.
    func isLast(_ number: Int) -> Bool { number >= last || stretches.contains { $0.first == number + 1 } }
}
