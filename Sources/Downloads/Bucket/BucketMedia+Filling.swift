internal import Dispatch
internal import Locking
internal import Logging
internal import ObjectStorage
package import SystemPackage

/// A unit that lies in a bucket.
package struct BucketUnit: Sendable {
    let key: UnitKey
    let rendition: Int64
    /// The file in the store's folder.
    let path: FilePath
    let object: String
    package let size: UInt64
    package let sha256: [UInt8]

    /// Makes the unit; `nil` if it is not in a bucket.
    package init?(_ job: UnitJob, of token: AssetToken, at path: FilePath) {
        guard job.unit.isInBucket, let object = job.unit.object, let size = job.unit.size,
            let sha256 = job.unit.sha256
        else { return nil }
        key = UnitKey(token: token, unit: job.id)
        rendition = job.rendition.id
        (self.path, self.object, self.size, self.sha256) = (path, object, size, sha256)
    }

    /// A unit that was found gone or damaged, as it was; `nil` if it was not in a bucket.
    package static func lost(
        _ unit: UnitRecord, of row: RenditionRecord, _ token: AssetToken, in folder: FilePath
    )
        -> BucketUnit?
    {
        var unit = unit
        unit.state = .stored
        let job = UnitJob(unit: unit, rendition: row)
        return BucketUnit(job, of: token, at: folder.appending(job.fileName))
    }

    /// The unit as stored again.
    package func stored(_ row: AbsentRow, in folder: FilePath) -> StoredUnit {
        var unit = StoredUnit(
            rendition: row.rendition, kind: row.kind, number: row.number, size: size, sha256: sha256,
            folderTime: FileSystem.folderTime(folder))
        unit.object = object
        return unit
    }

    /// The key of its object.
    package var objectKey: String { objectKey(object) }

    /// The key of another object with the same prefix.
    func objectKey(_ object: String) -> String {
        "\(key.token)/\(key.unit.rendition)/\(path.name).\(object)"
    }

    /// The file into which it is fetched, beside its own; downloads use another name.
    var fillPath: FilePath {
        path.parent.appending(".\(path.name).fill")
    }
}

/// Fetches units from the bucket into the store's folder, while players read them.
extension BucketMedia {
    /// The file into which a unit is fetched. The fetch begins if it does not run yet; all readers share the file.
    package func arriving(_ unit: BucketUnit) -> PartialFile {
        let (file, isNew) = fills.withLock { fills in
            if let file = fills[unit.key] { return (file, false) }
            let file = PartialFile(at: unit.fillPath)
            file.expectedLength = unit.size
            file.trouble = StoreError(.bucket(Self.silence, isTemporary: true))
            fills[unit.key] = file
            return (file, true)
        }
        if isNew { Task(executorPreference: Self.threads) { await self.fill(unit, file) } }
        return file
    }

    /// The reason that holds until the first byte is there.
    private static let silence = "the bucket of the store's media has not answered yet; try again"

    package func bring(_ key: UnitKey, named name: String) throws(StoreError) {
        try restore(key.token)
        try fetch(key, named: name)
    }

    /// Has the file of a unit that lies in the bucket.
    ///
    /// - Parameter name: that of the file.
    func fetch(_ key: UnitKey, named name: String) throws(StoreError) {
        guard let row = try catalog.renditions.rendition(key.token, key.unit.rendition),
            let unit = try catalog.units.unit(of: row.id, key.unit.kind, key.unit.number)
        else { return }
        let job = UnitJob(unit: unit, rendition: row)
        let path = paths.rendition(key.token, row.name).appending(name)
        guard let wanted = BucketUnit(job, of: key.token, at: path),
            FileSystem.age(ofFile: path)?.size != wanted.size
        else { return }
        let file = arriving(wanted)
        let ended = DispatchSemaphore(value: 0)
        while file.end == nil {
            file.whenGrown(beyond: file.watermark) { ended.signal() }
            ended.wait()
        }
        // A unit that was found damaged counts as not stored, as the next check of its file will show.
        if case .failed(let reason?) = file.end, try isCurrent(wanted) { throw reason }
    }

    private func fill(_ unit: BucketUnit, _ file: PartialFile) async {
        do throws(StoreError) {
            try FileSystem.makeDirectory(unit.path.parent)
            try file.create()
            try await fetch(unit, into: file)
            try file.synchronize()
            guard try isCurrent(unit) else { throw StoreError(.notWhole(unit.key.token)) }
            try FileSystem.rename(file.path, to: unit.path)
            cache.added(unit.size)
            end(unit, file, with: .complete)
        } catch {
            if case .diskFull = error.code { cache.shrink() }
            try? FileSystem.unlink(file.path)
            end(unit, file, with: .failed(error))
        }
    }

    /// Fetches the object, again if its bytes are wrong or too few. Readers get the last byte only when the hash is
    /// right.
    private func fetch(_ unit: BucketUnit, into file: PartialFile) async throws(StoreError) {
        var wrong = WrongBytes()
        while true {
            do throws(S3Error) {
                try await client.get(unit.objectKey, 0..<unit.size, isUrgent: true) { bytes in
                    try file.append(bytes)
                }
            } catch {
                if error.isNoSuchKey { note(unit, .gone) }
                guard error.isOfLength else { throw error.ofFile ?? StoreError(error) }
            }
            let found = file.sha256
            if found == unit.sha256 { return }
            let verdict = wrong.verdict(on: found)
            log.warning(
                "an object of the bucket differs from what was stored",
                metadata: ["object": "\(unit.objectKey)", "again": "\(verdict == .uncertain)"])
            switch verdict {
            case .damaged:
                note(unit, .damaged)
                throw StoreError(.integrity(.hash))
            case .changedOnTheWay: throw StoreError(.bucket(WrongBytes.sentence, isTemporary: true))
            case .uncertain: break
            }
            guard file.watermark > 0 else { continue }
            try file.restart()
            file.expectedLength = unit.size
        }
    }

    /// Whether the catalog still has this object for the unit.
    private func isCurrent(_ unit: BucketUnit) throws(StoreError) -> Bool {
        let id = unit.key.unit
        let row = try catalog.units.unit(of: unit.rendition, id.kind, id.number)
        return row?.isInBucket == true && row?.object == unit.object
    }

    private func end(_ unit: BucketUnit, _ file: PartialFile, with end: PartialFile.End) {
        fills.withLock { $0[unit.key] = nil }
        file.finish(end)
    }

    /// Takes back that a unit is stored.
    private func note(_ unit: BucketUnit, _ finding: UnitFinding) {
        guard (try? isCurrent(unit)) == true else { return }
        let id = unit.key.unit
        let row = AbsentRow(
            rendition: unit.rendition, kind: id.kind, number: id.number, finding: finding)
        let reason = "\(id.rendition)/\(unit.path.name)"
        try? catalog.units.noteDamage(to: unit.key.token, [row], reason: reason, at: clock.now)
    }
}

extension S3Error {
    /// The trouble of the file that an object was written to, when it is that.
    fileprivate var ofFile: StoreError? {
        if case .receiver(let error) = code { error as? StoreError } else { nil }
    }
}
