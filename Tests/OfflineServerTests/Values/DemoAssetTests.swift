import Foundation
import TestSupport
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("The demo asset's place") struct DemoAssetTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write([0], to: "lib/offline-server")
    }

    private func installDemo() throws -> String {
        try folder.write([0], to: "lib/offline-server_OfflineServerCommands.resources/demo/master.m3u8")
        return folder.file("lib/offline-server_OfflineServerCommands.resources/demo")
    }

    @Test("is beside the program") func besideTheProgram() throws {
        let demo = try installDemo()
        let found = try #require(
            DemoAsset.folder(besides: URL(fileURLWithPath: folder.file("lib/offline-server"))))
        #expect(found.path == demo)
    }

    @Test("is beside the program that a symbolic link names") func besideALinkedProgram() throws {
        let demo = try installDemo()
        let link = folder.file("offline-server")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.file("lib/offline-server"))
        #expect(DemoAsset.folder(besides: URL(fileURLWithPath: link))?.path == demo)
    }

    @Test("does not exist if the program was copied without it") func nowhere() {
        let program = URL(fileURLWithPath: folder.file("lib/offline-server"))
        #expect(DemoAsset.folder(besides: program) == nil)
        #expect(DemoAsset.folder(besides: nil) == nil)
    }
}
