internal import Foundation
package import SystemPackage

extension StoreCheckup {
    /// Checks the store that several machines share: its database, the key of this machine, the nodes and the bucket.
    ///
    /// - Parameters:
    ///   - root: the folder of this machine.
    ///   - media: the bucket that options name; `nil` for that of the settings.
    ///   - print: the fingerprint of this machine's key; `nil` without a key.
    ///   - reach: asks the URLs of living nodes; `nil` without a finding.
    package static func shared(
        _ root: FilePath, _ address: PostgresAddress, media: BucketMedia.Settings?,
        print: @Sendable () throws(StoreError) -> [UInt8]?,
        reach: @Sendable ([NodeRecord]) async -> Finding?
    ) async -> [Finding] {
        let facts: DatabaseFacts
        do throws(StoreError) { facts = try DatabaseFacts.read(address) } catch {
            return [Finding(check: "database", isFine: false, detail: error.message)]
        }
        var findings = [server(facts, address), durability(facts), clock(facts), tables(facts)]
        guard facts.format == .current else {
            if media != nil { findings.append(await sharedBucket(root, media, noted: nil)) }
            return findings
        }
        findings += [collation(facts), key(facts, root, print)]
        if let refusal = facts.note?.refusal(undo: MigrationRow.undo) {
            findings.append(Finding(check: "migration", isFine: false, detail: refusal.message))
        }
        do throws(StoreError) {
            let catalog = try Catalog(reading: address)
            defer { catalog.close() }
            let known = try catalog.nodes.all()
            findings.append(nodes(known))
            if let finding = await reach(known.filter { $0.role != .gone }) { findings.append(finding) }
            findings.append(await sharedBucket(root, media, noted: try catalog.storage.mediaPlace()))
        } catch {
            findings.append(Finding(check: "database", isFine: false, detail: error.message))
        }
        return findings
    }

    /// The finding when a shared store was to be checked and none is named.
    package static let noShared = Finding(
        check: "shared store", isFine: false,
        detail:
            "no database of a shared store is named; name it with --catalog, in $\(NodeFolder.variable), or as `catalog` in config.json"
    )

    static func server(_ facts: DatabaseFacts, _ address: PostgresAddress) -> Finding {
        let version = "PostgreSQL \(facts.version / 10_000).\(facts.version % 10_000)"
        if facts.version < DatabaseFacts.oldestVersion {
            return Finding(
                check: "database", isFine: false,
                detail: "\(version) at \(address.shown) is too old; update it to 14 or newer")
        }
        guard !facts.isReadOnly else {
            return Finding(
                check: "database", isFine: false,
                detail:
                    "\(address.shown) is a copy that takes no changes; name the server that it is copied from, or promote it"
            )
        }
        return Finding(check: "database", isFine: true, detail: "\(version) at \(address.shown)")
    }

    static func durability(_ facts: DatabaseFacts) -> Finding {
        let names = facts.unsafeSettings
        guard !names.isEmpty else {
            return Finding(
                check: "durability", isFine: true, detail: "the database keeps what it has acknowledged")
        }
        let list = names.joined(separator: ", ")
        return Finding(
            check: "durability", isFine: false,
            detail:
                "off in the database: \(list); set \(names.count == 1 ? "it" : "each") to on, since a crash may lose what was acknowledged"
        )
    }

    /// Licenses go by the database's clock; the signatures of requests to the bucket by that of this machine.
    static func clock(_ facts: DatabaseFacts) -> Finding {
        let seconds = Double(abs(facts.clockDifference)) / 1000
        let side = facts.clockDifference > 0 ? "ahead of" : "behind"
        guard seconds >= 30 else {
            return Finding(
                check: "clocks", isFine: true,
                detail: seconds < 1
                    ? "that of the database is like that of this machine"
                    : "that of the database is \(Int(seconds)) s \(side) that of this machine")
        }
        return Finding(
            check: "clocks", isFine: false,
            detail:
                "that of the database is \(Int(seconds)) s \(side) that of this machine; have both set by NTP: licenses go by the database's, and a bucket refuses requests from a clock that is 15 minutes wrong"
        )
    }

    static func tables(_ facts: DatabaseFacts) -> Finding {
        let (isFine, detail) =
            switch facts.format {
            case .none: (true, "none yet; the first node makes them")
            case .older:
                (false, "an older version made them; the next node that starts brings them up to date")
            case .current: (true, "in this version's format")
            case .newer: (false, StoreError(.storeTooNew).message)
            }
        return Finding(check: "tables", isFine: isFine, detail: detail)
    }

    static func collation(_ facts: DatabaseFacts) -> Finding {
        guard !facts.collated.isEmpty else {
            return Finding(check: "collation", isFine: true, detail: "texts are compared byte by byte")
        }
        let list = facts.collated.prefix(5).joined(separator: ", ")
        let verb = facts.collated.count == 1 ? "has" : "have"
        let more = facts.collated.count > 5 ? " and \(facts.collated.count - 5) more" : ""
        return Finding(
            check: "collation", isFine: false,
            detail:
                "\(list)\(more) \(verb) another collation than \"C\"; `ALTER TABLE … ALTER COLUMN … TYPE text COLLATE \"C\"`, or restore the database by pg_restore"
        )
    }

    static func key(
        _ facts: DatabaseFacts, _ root: FilePath, _ print: () throws(StoreError) -> [UInt8]?
    ) -> Finding {
        guard let known = facts.key else {
            return Finding(check: "shared key", isFine: true, detail: "none yet; the first node makes it")
        }
        do throws(StoreError) {
            guard try print() == known else {
                throw StoreError(.foreignSecret(KeyVault.path(StorePaths(root: root).storeKey).string))
            }
            return Finding(
                check: "shared key", isFine: true, detail: "this machine has the key of the other nodes")
        } catch {
            return Finding(check: "shared key", isFine: false, detail: error.message)
        }
    }

    static func nodes(_ nodes: [NodeRecord]) -> Finding {
        guard !nodes.isEmpty else {
            return Finding(check: "nodes", isFine: true, detail: "none runs; start one with `serve`")
        }
        func list(_ role: NodeRecord.Role) -> [NodeRecord] { nodes.filter { $0.role == role } }
        var texts: [String] = []
        let owners = list(.active) + list(.draining)
        texts += owners.map { "\($0.url) is \($0.role.rawValue)" }
        if owners.isEmpty {
            texts.append("none is active; `offline-server nodes` shows whether one takes over within 10 s")
        }
        let waiting = list(.standby)
        if !waiting.isEmpty {
            texts.append(
                "\(waiting.map(\.url).joined(separator: ", ")) \(waiting.count == 1 ? "stands" : "stand") by")
        } else if !owners.isEmpty {
            texts.append("none stands by, so that nobody takes over when it dies")
        }
        texts += list(.gone).map { "\($0.url) was last heard of at \($0.leaseUntil.rfc3339)" }
        return Finding(check: "nodes", isFine: !owners.isEmpty, detail: texts.joined(separator: "; "))
    }

    private static func sharedBucket(
        _ root: FilePath, _ named: BucketMedia.Settings?, noted: String?
    ) async -> Finding {
        do throws(StoreError) {
            var settings = named
            if settings == nil, let media = try EngineSettings.read(StorePaths(root: root).settings).media {
                settings = try BucketMedia.Settings(media, environment: ProcessInfo.processInfo.environment)
            }
            guard let settings else {
                let place = noted ?? "the bucket"
                return Finding(
                    check: bucketCheck, isFine: false,
                    detail:
                        "nothing here tells how \(place) is reached; name it with --media and --s3-endpoint, or as `media` in config.json"
                )
            }
            if let noted, noted != settings.place { throw StoreError(.mediaElsewhere(noted)) }
            return reached(settings.place, try await BucketMedia.check(settings))
        } catch {
            return Finding(check: bucketCheck, isFine: false, detail: error.message)
        }
    }
}
