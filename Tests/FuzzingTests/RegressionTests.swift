import Foundation
import FuzzTargets
import Testing

@Suite("Readers of bytes from outside") struct RegressionTests {
    @Test("keeps its promises for every input that was ever found", arguments: FuzzTarget.all.map(\.name))
    func corpus(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for input in try Corpus.inputs(name) { check(target, input) }
    }

    @Test("is fuzzed as long as there are inputs of it", arguments: Corpus.Folder.allCases)
    func names(_ folder: Corpus.Folder) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.path(folder).path)
        #expect(Set(files).subtracting(FuzzTarget.all.map(\.name)).isEmpty)
    }

    @Test("keeps its promises for damaged inputs", arguments: FuzzTarget.all.map(\.name))
    func damaged(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = try Corpus.inputs(name) + [target.tokens.joined().utf8.map { $0 }]
        var damage = Damage(tokens: target.tokens.map { Array($0.utf8) })
        for round in 0..<Self.rounds { check(target, damage.apply(to: seeds[round % seeds.count])) }
    }

    /// Half a minute for all targets, of a debug build.
    private static let rounds = 500

    private func check(_ target: FuzzTarget, _ input: [UInt8]) {
        do throws(Finding) {
            try target.run(input)
        } catch {
            Issue.record("\(error): \(Data(input.prefix(2000)).base64EncodedString())")
        }
    }
}

/// The inputs that fuzzing kept.
enum Corpus {
    enum Folder: String, CaseIterable {
        /// Inputs that cover all code; merging makes them anew.
        case corpus
        /// Inputs that once broke a promise.
        case findings
    }

    static func inputs(_ target: String) throws -> [[UInt8]] {
        try read(path(.corpus).appendingPathComponent(target)) + findings(of: target)
    }

    /// Most targets have none.
    private static func findings(of target: String) throws -> [[UInt8]] {
        let file = path(.findings).appendingPathComponent(target)
        return FileManager.default.fileExists(atPath: file.path) ? try read(file) : []
    }

    static func path(_ folder: Folder) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fuzzing/\(folder.rawValue)")
    }

    /// One input per line; a last line without a line end counts, too.
    private static func read(_ file: URL) throws -> [[UInt8]] {
        var lines = try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return try lines.map { [UInt8](try #require(Data(base64Encoded: String($0)))) }
    }
}

/// Changes inputs, in the same way in each run.
private struct Damage: RandomNumberGenerator {
    let tokens: [[UInt8]]
    private var state: UInt64 = 20

    init(tokens: [[UInt8]]) { self.tokens = tokens }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func apply(to input: [UInt8]) -> [UInt8] {
        var bytes = Array(input.prefix(4096))
        for _ in 0..<Int.random(in: 1...5, using: &self) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &self)
        let end = min(bytes.count, place + Int.random(in: 1...16, using: &self))
        switch Int.random(in: 0..<5, using: &self) {
        case 0: bytes.replaceSubrange(place..<end, with: [UInt8.random(in: .min ... .max, using: &self)])
        case 1: bytes.insert(contentsOf: tokens.randomElement(using: &self) ?? [], at: place)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes.removeSubrange(place...)
        }
    }
}
