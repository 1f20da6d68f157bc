package import SystemPackage

/// The findings of a look at all stored units of an asset.
package struct StoredInspection: Sendable {
    /// The condition of a file, by its bytes.
    package enum Condition: Sendable {
        case sound, missing, damaged
    }

    package var result: Verification
    /// Units that the catalog has as stored, and that are missing or damaged.
    package var absent: [AbsentRow] = []
    /// Sound units that no player can decode.
    package var undecodable: [AbsentRow] = []
    /// The findings of units that were never checked before.
    package var findings: [Finding] = []
    /// Units whose object in the bucket is missing or damaged, and of which the store's folder has a sound copy.
    package var copied: [Copied] = []

    /// A unit with a sound copy.
    package struct Copied: Sendable {
        package var job: UnitJob
        /// The unit with its object's damage.
        package var unit: AbsentRow
        /// The result of the last look at its bytes.
        package var media: UnitFinding?
    }

    /// The result of a look at one unit.
    package struct Finding: Sendable {
        package var unit: AbsentRow
        package var finding: UnitFinding { unit.finding }

        package init(_ job: UnitJob, _ finding: UnitFinding) { unit = AbsentRow(job, finding) }
    }

    package init(of token: AssetToken) {
        result = Verification(token: token, checked: 0, missing: [], damaged: [])
    }

    /// Adds a unit.
    ///
    /// - Parameter look: checks its bytes; called for units that were never checked, or whose key was missing.
    package mutating func add(
        _ condition: Condition, of job: UnitJob, _ look: () throws(StoreError) -> UnitFinding?
    ) throws(StoreError) {
        let name = "\(job.rendition.name)/\(job.fileName)"
        result.checked += 1
        switch condition {
        case .missing: result.missing.append(name)
        case .damaged: result.damaged.append(name)
        case .sound: return try addSound(job, name, look: look)
        }
        if job.unit.state == .stored {
            absent.append(AbsentRow(job.unit, of: job.rendition, isGone: condition == .missing))
        }
    }

    /// Adds a unit whose object in the bucket is damaged, and of which the store's folder has a sound copy.
    ///
    /// - Parameter look: as in `add`.
    package mutating func addCopied(
        _ condition: Condition, of job: UnitJob, _ look: () throws(StoreError) -> UnitFinding?
    ) throws(StoreError) {
        let name = "\(job.rendition.name)/\(job.fileName)"
        result.checked += 1
        if condition == .missing { result.missing.append(name) } else { result.damaged.append(name) }
        result.copies.append(name)
        var media = job.unit.finding
        if media?.isOfAbsence ?? true { media = try look() }
        copied.append(
            Copied(
                job: job, unit: AbsentRow(job.unit, of: job.rendition, isGone: condition == .missing),
                media: media))
    }

    private mutating func addSound(
        _ job: UnitJob, _ name: String, look: () throws(StoreError) -> UnitFinding?
    ) throws(StoreError) {
        var finding = job.unit.finding
        if finding == nil || finding == .sealed || finding?.isOfAbsence == true, let fresh = try look() {
            if fresh != finding { findings.append(Finding(job, fresh)) }
            finding = fresh
        }
        guard finding == .undecodable else { return }
        result.undecodable.append(name)
        undecodable.append(AbsentRow(job, .undecodable))
    }
}

extension AbsentRow {
    fileprivate init(_ job: UnitJob, _ finding: UnitFinding) {
        self.init(
            rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number, finding: finding)
    }
}

extension UnitInspector {
    /// The finding of a look at a stored file; `nil` when it can't be read now.
    package func finding(in path: FilePath) throws(StoreError) -> UnitFinding? {
        finding(try verdict(of: FileBytes(file: try OpenedFile(path))))
    }

    /// The finding for a verdict on bytes that are kept, whatever the verdict is.
    package func finding(_ verdict: Verdict) -> UnitFinding {
        switch verdict {
        case .sound(let finding), .doubtful(_, let finding): finding
        case .bad: .undecodable
        }
    }
}
