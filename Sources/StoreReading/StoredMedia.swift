internal import ASCII
internal import HLSPlaylist
package import SystemPackage

/// The answer to a request for a unit.
package enum UnitAnswer: Sendable {
    /// The file is there and has its size.
    case stored(StoredFile)
    /// The unit belongs to the asset and has no file in the store's folder. It may be arriving, or be in a bucket.
    case absent(AbsentUnit)
    /// The unit will never exist.
    case unknown
}

/// A complete file of an asset.
package struct StoredFile: Sendable {
    /// The path of the file.
    package var path: FilePath
    /// Its length in bytes in the catalog.
    package var size: UInt64
    /// SHA-256 of its bytes, in lower-case hexadecimal digits: a strong validator.
    package var entityTag: String
    /// Its place in the presentation.
    package var mark: PlayMark
    /// The container format of its rendition, also for an initialization section, whatever its name.
    package var container: ContainerFormat

    /// Creates a file from its properties.
    package init(path: FilePath, size: UInt64, entityTag: String, mark: PlayMark, container: ContainerFormat)
    {
        (self.path, self.size, self.entityTag) = (path, size, entityTag)
        (self.mark, self.container) = (mark, container)
    }
}

/// The place of a stored segment in its presentation, from which the position of a player is known.
package struct PlayMark: Sendable {
    package let key: UnitKey
    package let end: Double

    /// Creates a place.
    package init(key: UnitKey, end: Double) {
        (self.key, self.end) = (key, end)
    }
}

/// A unit without a file in the store's folder: it is not stored, or only in a bucket.
package struct AbsentUnit: Sendable {
    /// The state of the asset's transfer.
    package var state: AssetState
    /// The reason for the asset's state; `nil` without one.
    package var reason: String?
    /// The reason for which its optional rendition was given up; `nil` if it was not.
    package var failure: String?
    /// The format of its rendition, as in `StoredFile`.
    package var container: ContainerFormat
    package let key: UnitKey
    /// The path of the file that grows.
    package let path: FilePath
    /// The end of the unit, in seconds of the presentation.
    package let end: Double
    /// Whether the catalog has the unit as stored but its file is missing or has another size.
    package let isGone: Bool
    /// Its object, if it is stored in a bucket.
    package var bucket: BucketUnit?
    /// Whether it is stored in a bucket.
    package var isInBucket: Bool { bucket != nil }
}

/// The object of a bucket that has the bytes of a stored unit.
package struct StoredObject: Sendable {
    /// Its key in the bucket.
    package let key: String
    /// Its length in bytes.
    package let size: UInt64
    /// SHA-256 of its bytes, in lower-case hexadecimal digits.
    package let entityTag: String
    /// The unit's place in the presentation.
    package let mark: PlayMark
    /// The container format, as in `StoredFile`.
    package let container: ContainerFormat
}

/// The files for players: media and posters, and the facts of missing ones.
package struct StoredMedia: ReaderRole {
    let reader: StoreReader

    /// Finds a unit of a rendition.
    ///
    /// - Parameter counts: whether finding a stored unit counts as a play; otherwise the caller calls `played` later.
    package func unit(
        _ token: AssetToken, _ rendition: String, named name: UnitName, extension suffix: String,
        counts: Bool = true
    ) throws(StoreError) -> UnitAnswer {
        Trace.pass(.unit, "\(token)/\(rendition)")
        guard let job = try job(token, rendition, named: name, extension: suffix) else { return .unknown }
        let (unit, row) = (job.unit, job.rendition)
        let key = UnitKey(token: token, unit: job.id)
        let path = paths.rendition(token, rendition).appending(job.fileName)
        let end = unit.start + unit.duration
        if unit.state == .stored, !unit.isInBucket { try paths.media?.restore(token) }
        if unit.state == .stored, let facts = FileSystem.facts(path), facts.isRegular, facts.size == unit.size
        {
            reader.bucket?.used(key)
            if counts { reader.players.requested(key, end: end) }
            return .stored(
                StoredFile(
                    path: path, size: facts.size, entityTag: Hexadecimal.text(unit.sha256 ?? []),
                    mark: PlayMark(key: key, end: end), container: row.container))
        }
        guard let asset = try catalog?.assets.asset(token) else { return .unknown }
        if let bucket = BucketUnit(job, of: token, at: path) {
            return .absent(
                AbsentUnit(
                    state: asset.state, container: row.container, key: key, path: path, end: end,
                    isGone: true, bucket: bucket))
        }
        if unit.state == .stored {
            reader.discoveries.add([AbsentRow(unit, of: row, isGone: FileSystem.isAbsent(path))], of: asset)
        }
        return .absent(
            AbsentUnit(
                state: asset.state, reason: asset.reason, failure: row.failure, container: row.container,
                key: key,
                path: path.parent.appending(job.partName), end: end,
                isGone: unit.state == .stored))
    }

    /// Finds the object of a unit that is stored in a bucket; `nil` for all other units.
    package func object(
        _ token: AssetToken, _ rendition: String, named name: UnitName, extension suffix: String
    ) throws(StoreError) -> StoredObject? {
        guard let job = try job(token, rendition, named: name, extension: suffix) else { return nil }
        let path = paths.rendition(token, rendition).appending(job.fileName)
        guard let unit = BucketUnit(job, of: token, at: path) else { return nil }
        return StoredObject(
            key: unit.objectKey, size: unit.size, entityTag: Hexadecimal.text(unit.sha256),
            mark: PlayMark(
                key: UnitKey(token: token, unit: job.id), end: job.unit.start + job.unit.duration),
            container: job.rendition.container)
    }

    /// The unit of a name; `nil` if the rendition has none.
    private func job(
        _ token: AssetToken, _ rendition: String, named name: UnitName, extension suffix: String
    ) throws(StoreError) -> UnitJob? {
        guard let row = try catalog?.renditions.rendition(token, rendition),
            let unit = try catalog?.units.unit(of: row.id, name.parts.0, name.parts.1), unit.state != .gap
        else { return nil }
        let job = UnitJob(unit: unit, rendition: row)
        return job.fileName.hasSuffix(".\(suffix)") ? job : nil
    }

    /// Notes that a player got a stored segment, or a part of it.
    package func played(_ mark: PlayMark) {
        reader.bucket?.used(mark.key)
        reader.players.requested(mark.key, end: mark.end)
    }

    /// Notes that a player got bytes of a file of the whole asset, from which its position is not known.
    package func played(_ token: AssetToken) {
        reader.players.log.note(token, end: 0, now: SteadyClock.seconds)
    }

    /// The file of an asset's poster; `nil` without one.
    package func poster(_ token: AssetToken) throws(StoreError) -> FilePath? {
        guard let name = try catalog?.assets.asset(token)?.poster else { return nil }
        try paths.media?.restore(token)
        return paths.asset(token).appending(name)
    }
}
