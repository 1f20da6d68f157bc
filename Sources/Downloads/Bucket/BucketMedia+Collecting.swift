internal import FoundationEssentials
internal import Logging
internal import ObjectStorage

/// Deletes objects that were never entered, or whose units are gone.
extension BucketMedia {
    /// Seconds for which an object may lack a row: its unit may be about to be entered.
    package static let grace: Int64 = {
        #if DEBUG
            if let seconds = ProcessInfo.processInfo.environment["OFFLINE_SERVER_BUCKET_GRACE"].flatMap(
                Int64.init)
            {
                return seconds
            }
        #endif
        return 3600
    }()

    /// Deletes objects without a row that are older than `grace`, by the bucket's clock, and aborts unfinished
    /// uploads. Objects with names of another form are not the store's and stay.
    ///
    /// - Returns: the number of deleted objects.
    @discardableResult
    package func collect(olderThan grace: Int64 = BucketMedia.grace) async throws(StoreError) -> Int {
        do throws(S3Error) {
            var (count, after, time) = (0, String?.none, Int64.max)
            repeat {
                let page = try await client.list(after: after)
                time = page.time ?? time
                let old = page.objects.filter { $0.modified <= time - grace }.map(\.key)
                let garbage = self.garbage(among: old)
                try await client.delete(garbage)
                (count, after) = (count + garbage.count, page.next)
            } while after != nil
            if time != .max { try await client.abortUploads(begunBefore: time - grace) }
            return count
        } catch {
            throw StoreError(error)
        }
    }

    /// Collects every hour until the task is cancelled.
    package func keepCollecting() async {
        while (try? await Task.sleep(for: .seconds(Self.grace))) != nil {
            do throws(StoreError) {
                let count = try await collect()
                if count > 0 {
                    log.info(
                        "objects that belong to no segment were deleted", metadata: ["count": "\(count)"])
                }
            } catch {
                log.warning("the bucket could not be tidied", metadata: ["error": "\(error.message)"])
            }
        }
    }

    /// The keys of objects that may be deleted: no unit has such an object. These stay:
    /// - the object of a lost unit: it may come back from a backup,
    /// - an object whose row can't be read,
    /// - an object of an asset that this catalog has never had. Another store may use the bucket, or the catalog may be
    ///   lost and come back from a backup.
    private func garbage(among keys: [String]) -> [String] {
        var rows: [String: RenditionRecord?] = [:]
        return keys.filter { key in
            guard let name = ObjectName(key) else { return false }
            return (try? isGarbage(name, &rows)) == true
        }
    }

    /// - Parameter rows: the renditions that were looked up before, by their folders.
    private func isGarbage(
        _ name: ObjectName, _ rows: inout [String: RenditionRecord?]
    ) throws(StoreError) -> Bool {
        let folder = "\(name.token)/\(name.rendition)"
        if rows[folder] == nil {
            rows[folder] = try catalog.renditions.rendition(name.token, name.rendition)
        }
        guard case let row?? = rows[folder] else {
            if try catalog.assets.asset(name.token) != nil { return true }
            return try catalog.assets.wasThere(name.token)
        }
        let unit = try catalog.units.unit(of: row.id, name.kind, name.number)
        return unit?.object != name.object
    }
}

/// The parts of an object's key: `TOKEN/RENDITION/FILE.WRITER-NUMBER`.
struct ObjectName: Equatable {
    let token: AssetToken
    let rendition: String
    let kind: UnitKind
    let number: Int
    let object: String

    /// `nil` for a key that this program has not made.
    init?(_ key: String) {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let token = AssetToken(String(parts[0])), !parts[1].isEmpty else {
            return nil
        }
        let names = parts[2].split(separator: ".", omittingEmptySubsequences: false)
        guard names.count == 3, !names[1].isEmpty else { return nil }
        let writer = names[2].split(separator: "-", omittingEmptySubsequences: false)
        guard writer.count == 2, UInt64(writer[0], radix: 36) != nil, UInt64(writer[1]) != nil else {
            return nil
        }
        let isSection = names[0].hasPrefix("init-")
        guard let number = Int(names[0].dropFirst(isSection ? 5 : 0)), number >= 0 else { return nil }
        (self.token, self.number) = (token, number)
        (rendition, object) = (String(parts[1]), String(names[2]))
        kind = isSection ? .initialization : .segment
    }
}
