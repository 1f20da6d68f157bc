/// The limit that keeps a download waiting for room.
public struct RoomShortage: Sendable, Equatable {
    /// The kinds of limits.
    public enum Limit: String, Sendable, CaseIterable {
        /// The quota of the store.
        case quota
        /// The free space of the file system.
        case fileSystem = "file-system"
        /// The space of the file system that is to stay free.
        case reserve
    }

    /// Bytes that the download is known to want still; 0 when its size is not known.
    public var needed: UInt64
    /// Bytes that are available to the asset under the limit, beside the needs of running downloads.
    public var free: UInt64
    /// The limit in bytes: the quota, the free space of the file system, or the space that is to stay free.
    public var size: UInt64
    /// The limit that it is.
    public var limit: Limit

    /// The sizes that limits are made of.
    package struct Figures: Sendable {
        package var quota: UInt64?
        /// Bytes of media that are stored.
        package var stored: UInt64 = 0
        /// Bytes that running downloads are known to want still.
        package var taken: UInt64 = 0
        /// The file system; `nil` when it does not tell.
        package var space: (free: UInt64, total: UInt64)?

        package init(
            quota: UInt64? = nil, stored: UInt64 = 0, taken: UInt64 = 0,
            space: (free: UInt64, total: UInt64)? = nil
        ) {
            self.quota = quota
            self.stored = stored
            self.taken = taken
            self.space = space
        }
    }

    /// The limit under which a download lacks most; `nil` when it fits. Pure.
    package init?(needed: UInt64, _ figures: Figures) {
        var limits: [(limit: Limit, size: UInt64, free: Int64)] = []
        let taken = Int64(clamping: figures.taken)
        if let quota = figures.quota {
            limits.append((.quota, quota, Int64(clamping: quota) - Int64(clamping: figures.stored) - taken))
        }
        if let space = figures.space {
            let (free, cushion) = (Int64(clamping: space.free), StoragePolicy.cushion(of: space.total))
            let isFull = free - taken < Int64(clamping: needed)
            limits.append(
                (
                    isFull ? .fileSystem : .reserve, isFull ? space.free : cushion,
                    free - Int64(clamping: cushion) - taken
                ))
        }
        guard let least = limits.min(by: { $0.free < $1.free }), least.free < 0 || least.free < needed else {
            return nil
        }
        self.needed = needed
        (limit, size, free) = (least.limit, least.size, UInt64(max(0, least.free)))
    }
}
