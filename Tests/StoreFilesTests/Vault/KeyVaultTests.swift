import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("The store's key")
struct KeyVaultTests {
    private let folder: TemporaryDirectory
    private let digits = String(repeating: "0f", count: 32)

    init() throws { folder = try TemporaryDirectory() }

    private var own: FilePath { FilePath(folder.file("store.key")) }

    private func sealed(_ environment: [String: String]) throws -> [UInt8] {
        try KeyVault(own, environment: environment).seal([1, 2, 3], for: "x")
    }

    @Test("is made for a new store, readable by its owner only")
    func made() throws {
        let box = try sealed([:])
        #expect(try KeyVault(own, environment: [:]).open(box, for: "x") == [1, 2, 3])
        #expect(try folder.read("store.key").count == 32)
        #expect(FileSystem.facts(own)?.isRegular == true)
    }

    @Test("has no copy beside it that a killed or failed writer left; the file of one at work stays")
    func copyOfWriter() throws {
        _ = try sealed([:])
        let working = try TemporaryFile(beside: own, mode: 0o600)
        _ = try sealed([:])
        #expect(!FileSystem.isAbsent(working.path))
        working.close()
        _ = try sealed([:])
        #expect(FileSystem.isAbsent(working.path))
        _ = try FileSystem.link(own, to: working.path)
        _ = try sealed([:])
        #expect(FileSystem.isAbsent(working.path) && !FileSystem.isAbsent(own))
    }

    @Test(
        "makes a digest of a client's request, so that the same request is recognized"
    )
    func fingerprint() throws {
        let vault = try KeyVault(own, environment: [:])
        let now = Timestamp(milliseconds: 1)
        var request = AssetRequest(url: "https://host/x")
        func digest() throws -> [UInt8]? {
            var record = AssetRecord(
                token: AssetToken(at: now), name: "x", sourceURL: request.url, state: .queued,
                requestedAt: now)
            try record.identify(request, vault)
            #expect(record.clientID == request.clientID && record.asked != nil)
            return record.clientDigest
        }
        #expect(try digest() == nil)
        request.clientID = "c"
        let first = try #require(try digest())
        request.clientID = "d"
        #expect(try digest() == first)
        request.name = "n"
        #expect(try digest() != first)
    }

    @Test("is the same for all that make it at once, and nothing else is left of it", .timeLimit(.minutes(1)))
    func madeAtOnce() async throws {
        let own = own
        let vaults = try await withThrowingTaskGroup(of: KeyVault.self) { group in
            for _ in 0..<32 { group.addTask { try KeyVault(own, environment: [:]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let box = try vaults[0].seal([1, 2, 3], for: "x")
        for vault in vaults { #expect(try vault.open(box, for: "x") == [1, 2, 3]) }
        #expect(FileSystem.names(in: own.removingLastComponent()) == ["store.key"])
    }

    @Test(
        "stays the same when another process makes one meanwhile, also after a killed process")
    func leftover() throws {
        try DurableWrite.create([1, 2, 3], at: own)
        #expect(try FileSystem.link(own, to: FilePath(folder.file(".store.key.tmp"))))
        try DurableWrite.create([4, 5], at: own)
        #expect(try folder.read("store.key") == [1, 2, 3])
        #expect(FileSystem.names(in: own.removingLastComponent()) == ["store.key"])
    }

    @Test("comes from a credential first, then from the file that the environment names")
    func sources() throws {
        try folder.write(Array("\(digits)\n".utf8), to: "credentials/\(KeyVault.credential)")
        try folder.write([UInt8](repeating: 0x0F, count: 32), to: "named")
        try folder.write([UInt8](repeating: 1, count: 32), to: "other")
        let credential = ["CREDENTIALS_DIRECTORY": folder.file("credentials")]
        let named = [KeyVault.variable: folder.file("named")]
        let box = try sealed(credential.merging([KeyVault.variable: folder.file("other")]) { $1 })
        #expect(try KeyVault(own, environment: named).open(box, for: "x") == [1, 2, 3])
        #expect(FileSystem.facts(own) == nil)
        let other = try KeyVault(own, environment: [KeyVault.variable: folder.file("other")])
        #expect(throws: StoreError.self) { try other.open(box, for: "x") }
    }

    @Test("that is named and missing or invalid is an error, and no new key is made", arguments: ["", "abc"])
    func wrong(content: String) throws {
        if !content.isEmpty { try folder.write(Array(content.utf8), to: "named") }
        #expect(throws: StoreError.self) { try sealed([KeyVault.variable: folder.file("named")]) }
        #expect(FileSystem.facts(own) == nil)
    }

    @Test("is not made while it is unknown whether there is a credential")
    func unseenCredential() throws {
        let loop = folder.file("loop")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        #expect(throws: StoreError.self) { try sealed(["CREDENTIALS_DIRECTORY": loop]) }
        #expect(FileSystem.facts(own) == nil)
    }

    @Test("opens only unchanged items that were sealed for the same purpose")
    func purposes() throws {
        let vault = try KeyVault(own, environment: [:])
        var box = try vault.seal([1, 2, 3], for: "x")
        #expect(throws: StoreError.self) { try vault.open(box, for: "y") }
        box[box.count - 1] ^= 1
        #expect(throws: StoreError.self) { try vault.open(box, for: "x") }
    }
}
