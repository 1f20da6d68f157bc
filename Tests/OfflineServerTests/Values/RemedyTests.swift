import ArgumentParser
import AssetStore
import Testing

@testable import OfflineServerCommands

@Suite("The words for the steps of advice")
struct RemedyTests {
    private static let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"

    @Test("are there for every step")
    func complete() { #expect(Set(Remedy.commands.keys) == Set(Remedy.allCases)) }

    @Test("name commands that there are", arguments: Remedy.allCases)
    func commands(_ remedy: Remedy) throws {
        let words = remedy.asCommand.replacing("%", with: Self.token)
        for quoted in words.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where quoted.offset % 2 == 1 && quoted.element.hasPrefix("offline-server ") {
            let command = quoted.element.split(separator: " ").dropFirst().prefix { word in
                !word.hasPrefix("--") && word.allSatisfy { $0.isLowercase || $0 == "-" }
            }
            #expect(Self.commands.contains(command.joined(separator: " ")), "\(quoted.element)")
        }
    }

    @Test("name options that there are", arguments: Remedy.allCases)
    func options(_ remedy: Remedy) {
        for word in remedy.asCommand.split(whereSeparator: { " `(),;".contains($0) })
        where word.hasPrefix("--") {
            #expect(Self.helps.contains { $0.contains(word) }, "\(word)")
        }
    }

    @Test("are those of the library if no program sets others", arguments: Remedy.allCases)
    func library(_ remedy: Remedy) throws {
        let token = try #require(AssetToken(Self.token))
        for words in [remedy.description, remedy(token)] {
            #expect(!words.isEmpty && !words.contains("offline-server") && !words.contains("--"))
        }
    }

    /// Every command by its words, such as `key add`.
    private static let commands: Set<String> = {
        var found: Set<String> = []
        func collect(_ command: any ParsableCommand.Type, after words: [String]) {
            for child in command.configuration.subcommands {
                let name = words + [child._commandName]
                found.insert(name.joined(separator: " "))
                collect(child, after: name)
            }
        }
        collect(RootCommand.self, after: [])
        return found
    }()

    private static let helps: [String] = {
        var found: [String] = []
        func collect(_ command: any ParsableCommand.Type) {
            found.append(command.helpMessage(includeHidden: true))
            command.configuration.subcommands.forEach(collect)
        }
        collect(RootCommand.self)
        return found
    }()
}
