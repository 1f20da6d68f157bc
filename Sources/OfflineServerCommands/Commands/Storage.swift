internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer

/// `storage`: shows how much space assets use.
struct Storage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage", abstract: "Show how much space each asset takes, or free some.",
        subcommands: [Show.self, Prune.self], defaultSubcommand: Show.self)

    /// `storage show`, which is also meant by `storage` alone.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show how much space each asset takes, the limits, and files that belong to no asset.")

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let use = try await use()
            guard !global.json else { return Console.result(StorageDocument(use).json.text) }
            var table = Table("TOKEN", "BYTES", "PLAYED", "EVICTABLE AS", "NAME")
            for share in use.assets {
                table.add(
                    share.token.description, HumanUnits.bytes(share.bytes),
                    share.lastPlayedAt.map { String($0.localText.prefix(10)) } ?? "never",
                    share.isPinned ? "pinned" : share.evictionClass?.rawValue ?? "-", share.name)
            }
            for line in table.lines + Self.summary(use) { Console.result(line) }
        }

        /// A running server knows of plays that it has not written down yet.
        private func use() async throws -> StorageUse {
            var use = try global.reader().storage()
            guard let client = try? await EngineClient.find(global.root) else { return use }
            let plays = await client.plays() ?? [:]
            await client.close()
            for index in use.assets.indices {
                guard let play = plays[use.assets[index].token] else { continue }
                use.assets[index].lastPlayedAt = max(play, use.assets[index].lastPlayedAt ?? play)
            }
            return use
        }

        private static func summary(_ use: StorageUse) -> [String] {
            let total = use.assets.reduce(0) { $0 + $1.bytes }
            let classes = StorageDocument(use).classes
            return [
                "media \(HumanUnits.bytes(total)), catalog \(HumanUnits.bytes(use.catalogBytes)), "
                    + "being deleted \(HumanUnits.bytes(use.removedBytes)), "
                    + "free \(use.freeBytes.map(HumanUnits.bytes) ?? "unknown")",
                "quota \(use.policy.quota.map { HumanUnits.bytes(Int64(clamping: $0)) } ?? "none"), "
                    + "left free \(use.cushion.map(HumanUnits.bytes) ?? "nothing"), "
                    + "evicted: \(classes.isEmpty ? "nothing" : classes.joined(separator: ", "))",
            ]
                + use.orphans.map {
                    "\($0.path) belongs to no asset (\($0.kind.rawValue), \(HumanUnits.bytes($0.bytes)))"
                }
        }
    }

    /// `storage prune`: frees by the policy.
    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune", abstract: "Free bytes by the storage policy.",
            discussion: """
                Deletes files that belong to no asset, files of cancelled assets and, if allowed, \
                assets whose license has ended. Then it evicts assets until the store is within its \
                limits: watched ones, low priority, least recently played, as far as config.json, \
                serve --evict or --evict here allow it. Evicted assets stay in the list as \
                cancelled; resume fetches them again.
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Only list what would be deleted.")
        var dryRun = false

        @Option(help: ArgumentHelp("Free at least this many bytes, such as 10G.", valueName: "size"))
        var free: ByteCount?

        @Option(
            help: ArgumentHelp(
                "Classes that may be evicted this time: expired, watched, low-priority, least-recently-played, all or none.",
                valueName: "class,…"), transform: EvictionArgument.parse)
        var evict: Set<EvictionClass>?

        func run() async throws {
            guard try global.reader().paths.isMade else { return try show(nothing) }
            let session = try await EngineSession.open(global, startsDownloads: false)
            let report = try await session.closing {
                try await session.prune(
                    PruneBody(dryRun: dryRun, free: free?.bytes, evict: evict.map(Array.init)))
            }
            try show(report)
        }

        /// The answer without a store; none is made.
        private var nothing: [String: Any] {
            [
                "dry_run": dryRun, "bytes": 0, "enough": free?.bytes ?? 0 == 0, "evicted": [Any](),
                "orphans": [Any](),
            ]
        }

        private func show(_ report: [String: Any]) throws {
            if global.json {
                try Console.result(object: report)
            } else {
                for item in report["evicted"] as? [[String: Any]] ?? [] { line(item, "token", "as", "name") }
                for item in report["orphans"] as? [[String: Any]] ?? [] {
                    line(item, "path", "kind", "token")
                }
                let bytes = (report["bytes"] as? NSNumber)?.int64Value ?? 0
                global.note("\(dryRun ? "would free" : "freed") \(HumanUnits.bytes(bytes))")
            }
            guard report["enough"] as? Bool == false else { return }
            throw CommandFailure(
                message: "the storage policy does not allow so much to be freed; see `offline-server storage`"
            )
        }

        private func line(_ item: [String: Any], _ members: String...) {
            let bytes = HumanUnits.bytes((item["bytes"] as? NSNumber)?.int64Value ?? 0)
            let texts = members.compactMap { item[$0] as? String }
            Console.result("\(texts.joined(separator: "  "))  \(bytes)")
        }
    }
}

/// The value of `--evict`.
enum EvictionArgument {
    static func parse(_ text: String) throws -> Set<EvictionClass> {
        guard let classes = EvictionClass.set(text) else {
            let names = EvictionClass.allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--evict wants \(names), all or none.")
        }
        return classes
    }
}

extension ByteCount: ExpressibleByArgument {
    /// A size as a user types it.
    package init?(argument: String) { self.init(argument) }
}
