internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer
internal import SubtitleRaster

/// `doctor`: checks the installation and the store.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the installation and the store, and advise.")

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        var findings = StoreCheckup.run(global.root)
        if let bucket = await bucket() { findings.append(bucket) }
        findings += publicKey()
        findings += Self.players() + [Self.pictures()]
        if global.json {
            let items: [JSONValue] = findings.map {
                ["check": .string($0.check), "ok": .bool($0.isFine), "detail": .string($0.detail)]
            }
            Console.result(JSONValue.array(items).text)
        } else {
            for finding in findings {
                Console.result("\(finding.isFine ? "ok     " : "wrong  ")\(finding.check): \(finding.detail)")
            }
        }
        if !findings.allSatisfy(\.isFine) { throw CommandFailure(message: nil) }
    }

    /// The finding about the bucket of the media. A server that runs on the store is asked, since it uses the bucket.
    private func bucket() async -> StoreCheckup.Finding? {
        guard let client = (try? await EngineClient.find(global.root)) ?? nil else {
            return await StoreCheckup.bucket(global.root)
        }
        let finding = try? await client.finding(of: StoreCheckup.bucketCheck)
        await client.close()
        return finding
    }

    /// The finding about the public key, only if the store exists: a check makes no store.
    private func publicKey() -> [StoreCheckup.Finding] {
        guard findsStore, let key = try? global.reader().publicKey() else { return [] }
        return [.init(check: "public key", isFine: true, detail: key.description)]
    }

    private var findsStore: Bool { StorePaths(root: global.root).hasKey }

    private static func players() -> [StoreCheckup.Finding] {
        let found = ["mpv", "vlc", "ffplay"].filter { Play.find($0) != nil }
        let detail =
            found.isEmpty ? "none found; `play` needs mpv, vlc or ffplay" : found.joined(separator: ", ")
        return [.init(check: "players", isFine: true, detail: detail)]
    }
    private static func pictures() -> StoreCheckup.Finding {
        let detail: String
        do throws(RasterError) {
            _ = try SubtitleRasterizer()
            detail = "Pango and Cairo paint them"
        } catch {
            detail = error.description
        }
        return .init(check: "pictures of subtitles", isFine: true, detail: detail)
    }
}
