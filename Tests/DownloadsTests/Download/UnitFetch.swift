import StoreTestSupport
import SystemPackage
import TestSupport

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Fetches one unit of an origin into a file of its own, as a download does.
struct UnitFetch: Sendable {
    /// The unit's path at its origin.
    static let path = "/s.ts"
    let origin: OriginServer
    var range: ClosedOffsetRange?
    /// The length of a piece; `nil` requests the whole unit, from an unknown origin.
    var piece: UInt64?
    /// Rests after failures.
    var sleep = RetryPause { _ in }
    /// Bytes that it may have when the origin does not tell how many.
    var limit = Origin.segmentLimit
    /// Bytes of the version with this `ETag` that an earlier process has left.
    var left: (bytes: [UInt8], etag: String)?

    /// The stored bytes at the end; `meanwhile` runs beside the transfer.
    func run(
        meanwhile: @escaping @Sendable (PartialFile, TransferLeash) async throws -> Void = { _, _ in }
    ) async throws -> [UInt8] {
        try await StoreFixture.run { fixture async throws in
            let (leash, habits) = (TransferLeash(), OriginHabits())
            leash.set(isUrgent: false, isPaused: false, piece: piece)
            if piece != nil { habits.sawRanges() }
            let file = try PartialFile(creating: fixture.root.appending("unit.part"))
            if let left { try unsafe file.append(left.bytes.span.bytes) }
            var access = OriginAccess()
            access.isPrivate = true
            let other = Task { try await meanwhile(file, leash) }
            defer { other.cancel() }
            let unit = UnitRecord(
                kind: .segment, number: 0, start: 0, duration: 4, url: origin.url(Self.path), range: range)
            _ = try await SegmentFetch(
                origin: try Origin(loop: fixture.store.parts.loop, access: access, stream: ""), unit: unit,
                file: file,
                meter: ByteMeter(), inspector: Self.inspector(of: unit), leash: leash, habits: habits,
                sleep: sleep, limit: limit
            ).run(goingOnWith: left.map { Validator(etag: $0.etag) })
            return try file.read(at: 0, count: Int(file.watermark))
        }
    }

    /// A look that takes whatever comes: encrypted bytes without their key.
    private static func inspector(of unit: UnitRecord) -> UnitInspector {
        var unit = unit
        unit.encryption = .other
        let rendition = RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
            container: .ts, duration: 4, segments: 1)
        return UnitInspector(UnitJob(unit: unit, rendition: rendition))
    }
}
