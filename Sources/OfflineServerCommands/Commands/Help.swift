internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer

/// `help`: what a command takes, or a guide of the manual.
struct Help: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show what a command takes, or a guide of the manual.",
        discussion: "Without a word it lists commands and guides.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("A command, or a guide such as `players`.", valueName: "topic"))
    var words: [String] = []

    func run() throws {
        let guides = Guide.all(besides: Bundle.main.executableURL)
        if words.isEmpty {
            Console.result(RootCommand.helpMessage() + Self.list(guides))
        } else if let command = Self.command(words) {
            Console.result(RootCommand.helpMessage(for: command))
        } else if words.count == 1, let guide = guides.first(where: { $0.name == words[0] }) {
            let text = GuideText(isColored: Self.isColored)
            Console.result(bytes: Array(text.text(of: guide.page).utf8))
        } else {
            throw Self.unknown(words, guides)
        }
    }

    private static var isColored: Bool {
        Console.hasResultTerminal && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    }

    /// The command that the words name, from the root on.
    static func command(_ words: [String]) -> (any ParsableCommand.Type)? {
        var command: any ParsableCommand.Type = RootCommand.self
        for word in words {
            let children: [any ParsableCommand.Type] = command.configuration.subcommands
            guard let child = children.first(where: { $0.configuration.commandName == word }) else {
                return nil
            }
            command = child
        }
        return command
    }

    private static func list(_ guides: [Guide]) -> String {
        guard !guides.isEmpty else { return "" }
        let width = guides.map(\.name.count).max() ?? 0
        let lines = guides.map { guide in
            "  \(guide.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(guide.title)"
        }
        return "\n\nGUIDES:\n\(lines.joined(separator: "\n"))\n\n  See 'offline-server help <guide>'."
    }

    private static func unknown(_ words: [String], _ guides: [Guide]) -> CommandFailure {
        let names =
            guides.map(\.name)
            + RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        let nearest = NearestName.of(words[0], among: names).map { ". Did you mean `\($0)`?" } ?? ""
        return CommandFailure(
            usage: "\(words.joined(separator: " ")) is neither a command nor a guide\(nearest)", status: 64)
    }
}
