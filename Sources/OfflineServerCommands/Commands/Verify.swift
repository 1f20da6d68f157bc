internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `verify`: hashes stored files again and compares.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read every stored byte again and compare it with what was downloaded (exit 2 on damage).",
        discussion: """
            Damaged segments are not served any more, until `repair` fetches them again, or you put their files \
            back from a backup and run `verify` again. An asset \
            that can't be read is reported, and the others are read all the same (exit 1). If the media are in a bucket, every \
            object is read from there, and so is every copy in the store's folder.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("Assets (default: all).", valueName: "token"))
    var tokens: [String] = []

    func run() async throws {
        let reader = try global.reader()
        var wanted = try TokenArgument.expand(tokens, reader)
        if tokens.isEmpty { wanted = try reader.tokens().reversed() }
        for token in wanted { try reader.requireProgress(of: token) }
        guard !wanted.isEmpty else { return showNothing() }
        let session = try await EngineSession.open(global, startsDownloads: false)
        let results = try await session.closing { try await verify(wanted, in: session) }
        show(results, reader)
        guard results.count == wanted.count else { throw CommandFailure(message: nil) }
        if !results.allSatisfy(\.isSound) { throw CommandFailure(message: nil, status: CommandFailure.no) }
    }

    /// An error of one asset is reported and does not stop the others.
    private func verify(
        _ tokens: [AssetToken], in session: EngineSession
    ) async throws -> [Verification] {
        var results: [Verification] = []
        for token in tokens {
            do {
                results.append(try await session.verify(token))
            } catch {
                guard tokens.count > 1, !Task.isCancelled, let message = CommandFailure(error)?.message else {
                    throw error
                }
                Console.note("offline-server: \(token): \(message)")
            }
        }
        return results
    }

    /// Without a token, no store has to exist, and none is made.
    private func showNothing() {
        if global.json { show([], nil) } else { global.note("no assets") }
    }

    private func show(_ results: [Verification], _ reader: StoreReader?) {
        guard !global.json else {
            return Console.result(JSONValue.array(results.map { VerificationDocument($0).json }).text)
        }
        for result in results {
            let copies = Set(result.copies)
            for name in result.returned {
                Console.result("\(result.token)/\(name): put back, and served again")
            }
            for (names, fault) in [(result.missing, "missing"), (result.damaged, "damaged")] {
                for name in names {
                    let place = copies.contains(name) ? " in the bucket; the copy here is sound" : ""
                    Console.result("\(result.token)/\(name): \(fault)\(place)")
                }
            }
            for name in result.undecodable {
                Console.result("\(result.token)/\(name): no player can decode it")
            }
            let files = result.checked == 1 ? "1 file" : "\(result.checked) files"
            Console.result(
                "\(result.token): \(files)\(Self.objects(result)), \(Self.verdict(result, reader))")
        }
    }

    /// A summary of the objects that were read from a bucket.
    private static func objects(_ result: Verification) -> String {
        guard let place = result.mediaPlace else { return "" }
        return " (\(result.objects == 1 ? "1 object" : "\(result.objects) objects") read from \(place))"
    }

    private static func verdict(_ result: Verification, _ reader: StoreReader?) -> String {
        guard !result.isSound else {
            guard result.health != .sound, let asset = (try? reader?.progress(of: result.token)) ?? nil else {
                return "sound"
            }
            return "as stored; \(asset.state.rawValue)\(HealthReport.suffix(asset))"
        }
        let keys = result.closedKeys.count
        var advice: [String] = []
        let asset = (try? reader?.progress(of: result.token)) ?? nil
        let isOfFolder = asset.map(HealthReport.isOfFolder) ?? false
        let mendable =
            result.missing.count + result.damaged.count + (isOfFolder ? 0 : result.undecodable.count)
        let copies = result.copies.count
        if mendable > keys {
            let cure =
                mendable - keys > copies
                ? copies > 0
                    ? "fetches what is missing or damaged, and restores objects of the bucket from the copies here"
                    : "fetches what is missing or damaged"
                : "restores it in the bucket from the copies here"
            advice.append("`offline-server repair \(result.token)` \(cure)")
        }
        if keys > 0 {
            advice.append(
                "`offline-server license renew \(result.token)` asks for its keys again, `offline-server key add` gives one"
            )
        }
        if advice.isEmpty, isOfFolder {
            advice.append("the folder that it was imported from has the same damage")
        }
        return "damaged; \(advice.joined(separator: ", "))"
    }
}
