import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("The settings of a store in their file")
struct SettingsFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var path: FilePath { FilePath(folder.file("config.json")) }

    private func settings(_ text: String) throws -> EngineSettings {
        try folder.write(Array(text.utf8), to: "config.json")
        return try EngineSettings.read(path)
    }

    @Test("are the defaults without a file, and else those of the file")
    func reading() throws {
        #expect(try EngineSettings.read(path).keyProviders.isEmpty)
        #expect(try StoragePolicy(settingsIn: FilePath(folder.path)) == StoragePolicy())
        _ = try settings(#"{"storage": {"quota": 5}}"#)
        #expect(try StoragePolicy(settingsIn: FilePath(folder.path)).quota == 5)
    }

    @Test("that are wrong are refused with the line of the fault")
    func refused() throws {
        let error = #expect(throws: StoreError.self) { try settings("{\n\n\"storag\": {}}") }
        #expect(error?.message.contains("config.json, line 3") == true)
        let shapeless = #expect(throws: StoreError.self) { try settings("[]") }
        #expect(shapeless?.message.contains("config.json, line 1") == true)
    }

    @Test("with header fields of a key provider are to be read by their owner alone")
    func exposure() throws {
        let secret =
            #"{"key_providers": [{"name": "a", "hosts": ["h"], "url": "https://k/", "headers": {"X": "s"}}]}"#
        let plain = #"{"key_providers": [{"name": "a", "hosts": ["h"], "url": "https://k/"}]}"#
        for (text, mode, isExposed) in [(secret, 0o644, true), (secret, 0o600, false), (plain, 0o644, false)]
            as [(String, Int, Bool)]
        {
            let settings = try settings(text)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path.string)
            #expect((settings.exposure(path) != nil) == isExposed)
        }
    }

    @Test("with the address of the catalog's database are to be read by their owner alone")
    func catalogAddress() throws {
        let settings = try settings(#"{"catalog": "postgres://user:word@host/store"}"#)
        for (mode, isExposed) in [(0o644, true), (0o600, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path.string)
            #expect(settings.exposure(path)?.contains("the catalog's database") == (isExposed ? true : nil))
        }
    }

    @Test("report missing variables, credentials and files that they name")
    func absences() throws {
        let provider = { (place: String) in
            #"{"key_providers": [{"name": "acme", "hosts": ["h"], "key": \#(place)}]}"#
        }
        let variable = try settings(provider(#"{"env": "NO_SUCH"}"#))
        #expect(variable.absences([:]).map { $0.hasPrefix("the key provider acme: ") } == [true])
        #expect(variable.absences(["NO_SUCH": "0"]).isEmpty)
        let file = try settings(provider(#"{"file": "\#(folder.file("key"))"}"#))
        #expect(file.absences([:]).count == 1)
        try folder.write([1], to: "key")
        #expect(file.absences([:]).isEmpty)
    }

    @Test("name credentials by plain names in a folder that the environment tells")
    func credentials() throws {
        try folder.write([7, 8], to: "given/k")
        let environment = ["CREDENTIALS_DIRECTORY": folder.file("given")]
        #expect(try SettingsText.credential("k").bytes(environment) == [7, 8])
        #expect(try SettingsText.plain("ab").bytes([:]) == Array("ab".utf8))
        #expect(SettingsText.credential("k").problem(environment) == nil)
        for (name, environment) in [
            ("k", [:]), ("k", ["CREDENTIALS_DIRECTORY": ""]), ("..", environment), ("a/k", environment),
            ("none", environment),
        ] { #expect(SettingsText.credential(name).problem(environment) != nil) }
        #expect(SettingsText.file(folder.file("none")).problem([:]) != nil)
        try folder.write([UInt8](repeating: 0, count: 1 << 20), to: "most")
        try folder.write([UInt8](repeating: 0, count: 1 << 20 + 1), to: "more")
        #expect(try SettingsText.file(folder.file("most")).bytes([:]).count == 1 << 20)
        #expect(throws: StoreError.self) { try SettingsText.file(folder.file("more")).bytes([:]) }
    }

    @Test("name programs by a path, or by a name that is looked for in PATH")
    func programs() throws {
        try folder.write(Array("#!/bin/sh\n".utf8), to: "bin/tell")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.file("bin/tell"))
        let settings = try settings(
            #"{"hooks": [{"command": ["tell"]}, {"url": "http://h/"}], "link_resolver": {"command": ["\#(folder.file("bin/tell"))"]}}"#
        )
        #expect(settings.lackingPrograms(["PATH": "/none:\(folder.file("bin"))"]).isEmpty)
        #expect(settings.lackingPrograms(["PATH": "/none"]).map { $0.hasPrefix("a hook: ") } == [true])
        #expect(settings.lackingPrograms([:]).count == 1)
        let usual = try self.settings(#"{"hooks": [{"command": ["sh"]}]}"#)
        #expect(usual.lackingPrograms([:]).isEmpty)
    }

    @Test("are changed member by member; an unreadable file, before or after the change, stays unchanged")
    func changing() throws {
        let root = FilePath(folder.file("store"))
        try EngineSettings.change(in: root, Array(#"{"limit_rate": 5, "schedule": "always"}"#.utf8))
        try EngineSettings.change(in: root, Array(#"{"schedule": null, "metered_ok": true}"#.utf8))
        let text = String(decoding: try folder.read("store/config.json"), as: UTF8.self)
        #expect(text == "{\n  \"limit_rate\" : 5,\n  \"metered_ok\" : true\n}\n")
        #expect(throws: StoreError.self) {
            try EngineSettings.change(in: root, Array(#"{"limit_rate": "x"}"#.utf8))
        }
        #expect(String(decoding: try folder.read("store/config.json"), as: UTF8.self) == text)
        try folder.write(Array("{".utf8), to: "store/config.json")
        #expect(throws: StoreError.self) {
            try EngineSettings.change(in: root, Array(#"{"limit_rate": 1}"#.utf8))
        }
        #expect(try folder.read("store/config.json") == Array("{".utf8))
    }
}
