import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "Commands on a machine whose node stands by",
    .enabled(if: PostgresServer.runs && ObjectServer.Engine.moto.runs), .serialized, .timeLimit(.minutes(5)))
struct NodeCommandTests {
    @Test("get the subtitles and the media that are in the bucket, and leave none in the node's folder")
    func media() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        try await first.untilComplete(token)
        let wanted = try await pair.one.run("subtitles", "get", "\(token)", "en")
        let got = try await pair.two.run("subtitles", "get", "\(token)", "en")
        #expect(got.status == 0 && got.output == wanted.output && got.output.contains("-->"))
        #expect(got.errors.isEmpty, "\(got.errors)")
        let folder = try TemporaryDirectory()
        let exported = try await pair.two.run("export", "\(token)", folder.file("film"))
        #expect(exported.status == 0, "\(exported.errors)")
        for (path, bytes, _) in SampleStream.served {
            #expect(try folder.read("film/\(path)") == bytes, "\(path)")
        }
        let left = FileManager.default.enumerator(atPath: pair.two.store.file("assets"))?.allObjects ?? []
        #expect(!left.contains { ["ts", "vtt", "part"].contains(URL(filePath: "\($0)").pathExtension) })
        for node in [first, second] { try await node.kill() }
        pair.origin.stop()
    }
}
