internal import SystemPackage

/// The limits of a store's size, and the classes of assets that may be evicted automatically to make room.
///
/// ```swift
/// var policy = StoragePolicy()
/// policy.quota = 50_000_000_000
/// policy.evict = [.expired, .watched]
/// var configuration = OfflineStore.Configuration()
/// configuration.storage = policy
/// ```
public struct StoragePolicy: Codable, Sendable, Equatable {
    /// Bytes of media that the store may hold; `nil` is no limit but the file system's.
    public var quota: UInt64?
    /// The classes of assets that may be evicted. Empty: requested downloads are never evicted.
    public var evict: Set<EvictionClass> = []

    /// Makes a policy without a quota and without evictions.
    public init() {}

    /// Reads a policy: `quota` in bytes or as `"50G"`, `evict` as a list of classes, `"all"` or `"none"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try? container.decode(String.self, forKey: .quota) {
            guard let count = ByteCount(text) else { throw Self.invalid(container.codingPath) }
            quota = count.bytes
        } else {
            quota = try container.decodeIfPresent(UInt64.self, forKey: .quota)
        }
        if let text = try? container.decode(String.self, forKey: .evict) {
            guard let classes = EvictionClass.set(text) else { throw Self.invalid(container.codingPath) }
            evict = classes
        } else {
            let names = try container.decodeIfPresent([String].self, forKey: .evict) ?? []
            guard let classes = EvictionClass.set(names) else { throw Self.invalid(container.codingPath) }
            evict = classes
        }
    }

    /// Bytes that downloads leave free: 1 GiB, or 5 % of the file system when that is more; never more than a quarter of it.
    package static func cushion(of total: UInt64) -> UInt64 { max(min(1 << 30, total / 4), total / 20) }

    private static func invalid(_ path: [any CodingKey]) -> DecodingError {
        DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "not a storage policy"))
    }
}

/// The classes of assets that may be evicted, in the order of eviction.
public enum EvictionClass: String, Codable, Sendable, CaseIterable, Hashable {
    /// Cancelled assets, whose media are kept only for a resume. Always allowed.
    case cancelled
    /// Assets that can't be played because their license has ended.
    case expired
    /// Assets that were watched to their end, or nearly.
    case watched
    /// Assets with a priority below 0.
    case lowPriority = "low-priority"
    /// Any asset; the one that was not played for the longest time is evicted first.
    case leastRecentlyPlayed = "least-recently-played"

    /// Reads names separated by commas, `all` or `none`; `nil` if one is unknown.
    public static func set(_ text: String) -> Set<EvictionClass>? {
        text == "none" ? [] : set(text.split(separator: ",").map(String.init))
    }

    /// Reads names; `all` stands for every class; `nil` if one is unknown.
    fileprivate static func set(_ names: [String]) -> Set<EvictionClass>? {
        let classes = names.filter { $0 != "all" }.map { EvictionClass(rawValue: $0) }
        guard !classes.contains(nil) else { return nil }
        return names.contains("all") ? Set(allCases) : Set(classes.compactMap(\.self))
    }
}

/// A number of bytes as people write it: `500M`, `50G`, `1.5T`, in powers of ten, or `50GiB` in powers of two.
package struct ByteCount: Sendable, Equatable {
    /// The bytes.
    package var bytes: UInt64

    /// Reads a number with an optional k, M, G or T, and an optional B or iB behind it; `nil` for other texts.
    package init?(_ text: String) {
        var rest = text.lowercased()[...]
        if rest.last == "b" { rest.removeLast() }
        let isBinary = rest.last == "i"
        if isBinary { rest.removeLast() }
        let power =
            rest.last.flatMap { "kmgt".firstIndex(of: $0) }.map {
                "kmgt".distance(from: "kmgt".startIndex, to: $0) + 1
            } ?? 0
        if power > 0 { rest.removeLast() }
        guard !isBinary || power > 0, let number = Double(rest), number >= 0 else { return nil }
        let value = (0..<power).reduce(number) { value, _ in value * (isBinary ? 1024 : 1000) }
        guard value < 1e18 else { return nil }
        bytes = UInt64(value)
    }
}
