internal import Crypto
internal import Locking
internal import ObjectStorage
internal import SystemPackage

/// The findings of a look at objects of a bucket.
package struct BucketInspection: Sendable {
    /// Objects whose bytes were read.
    package var read = 0
    /// The objects with a fault, by their keys.
    fileprivate var faults: [String: StoredInspection.Condition] = [:]

    /// The findings where there is no bucket.
    package init() {}

    /// The condition of a unit's object. An object that was stored after the check is sound.
    package func condition(of unit: BucketUnit) -> StoredInspection.Condition {
        faults[unit.objectKey] ?? .sound
    }
}

extension BucketMedia {
    /// Objects that are read at the same time.
    private static let readers = 8

    /// Checks the objects of an asset's units: whether they exist, their lengths, and their bytes. The bytes are not
    /// kept in the store's folder.
    ///
    /// - Parameter isReading: whether to read the bytes; otherwise a listing gives the lengths at little cost.
    package func inspect(
        _ units: [BucketUnit], of token: AssetToken, isReading: Bool
    ) async throws(StoreError) -> BucketInspection {
        var inspection = BucketInspection()
        guard !units.isEmpty else { return inspection }
        let sizes = try await sizes(of: token)
        let suspects = units.filter { sizes[$0.objectKey] != $0.size }
        for unit in suspects {
            inspection.faults[unit.objectKey] = sizes[unit.objectKey] == nil ? .missing : .damaged
        }
        // A listing may lag behind: objects that it lacks are requested one by one.
        let wanted = units.filter {
            isReading && sizes[$0.objectKey] == $0.size || sizes[$0.objectKey] == nil
        }
        for start in stride(from: 0, to: wanted.count, by: Self.readers) {
            guard !Task.isCancelled else { throw StoreError(.stopped(.cancelled)) }
            for (unit, result) in await conditions(wanted[start..<min(start + Self.readers, wanted.count)]) {
                let condition = try result.get()
                inspection.faults[unit.objectKey] = condition == .sound ? nil : condition
                if condition != .missing { inspection.read += 1 }
            }
        }
        return inspection
    }

    /// The lengths of an asset's objects, by their keys.
    private func sizes(of token: AssetToken) async throws(StoreError) -> [String: UInt64] {
        do throws(S3Error) { return try await client.sizes(below: "\(token)/") } catch {
            throw StoreError(error)
        }
    }

    private typealias Outcome = Result<StoredInspection.Condition, StoreError>

    private func conditions(_ units: ArraySlice<BucketUnit>) async -> [(BucketUnit, Outcome)] {
        await withTaskGroup(of: (BucketUnit, Outcome).self) { group in
            for unit in units { group.addTask { (unit, await self.condition(of: unit)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Reads an object, again if its bytes are wrong.
    private func condition(of unit: BucketUnit) async -> Outcome {
        var wrong = WrongBytes()
        while true {
            let hash = Lock(SHA256())
            do throws(S3Error) {
                try await client.get(unit.objectKey, 0..<unit.size) { bytes in
                    unsafe bytes.withUnsafeBytes { buffer in
                        hash.withLock { unsafe $0.update(bufferPointer: buffer) }
                    }
                }
            } catch {
                if error.isNoSuchKey { return .success(.missing) }
                guard error.isOfLength else { return .failure(StoreError(error)) }
            }
            let found = hash.withLock { Array($0.finalize()) }
            if found == unit.sha256 { return .success(.sound) }
            switch wrong.verdict(on: found) {
            case .damaged: return .success(.damaged)
            case .changedOnTheWay:
                return .failure(StoreError(.bucket(WrongBytes.sentence, isTemporary: true)))
            case .uncertain: continue
            }
        }
    }

    /// Writes a new object of the copy that the store's folder has of a unit.
    ///
    /// - Parameters:
    ///   - row: the place of the unit in the catalog.
    ///   - media: the result of the last look at its bytes.
    package func putBack(
        _ unit: BucketUnit, _ row: AbsentRow, media: UnitFinding?
    ) async throws(StoreError) {
        let object = freshName()
        do throws(S3Error) {
            try await client.put(
                file: unit.path.string, size: unit.size, sha256: unit.sha256, to: unit.objectKey(object))
        } catch {
            throw StoreError(error)
        }
        try catalog.units.setObject(object, insteadOf: unit.object, of: row, media)
    }
}
