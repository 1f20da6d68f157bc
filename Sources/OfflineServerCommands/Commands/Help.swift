internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer

/// `help`: shows the usage of a command, or a page of the manual.
struct Help: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show what a command takes, or a page of the manual.",
        discussion: "Without a word it lists commands and pages.")

    @OptionGroup var global: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "A command, or a page such as `tutorial`, `players` or `errors`.", valueName: "topic"))
    var words: [String] = []

    func run() throws {
        let guides = Guide.all(besides: Bundle.main.executableURL, commands: Set(Self.commands))
        if words.isEmpty {
            Console.result(RootCommand.helpMessage() + Self.list(guides))
        } else if let command = Self.command(words) {
            Console.result(RootCommand.helpMessage(for: command))
        } else if words.count == 1, let guide = Self.guide(words[0], among: guides) {
            let text = GuideText(isColored: Self.isColored)
            Console.result(bytes: Array(text.text(of: guide.page).utf8))
        } else {
            throw Self.unknown(words, guides)
        }
    }

    /// The page with a name. Only if two pages share a name, their folder must be given before it.
    private static func guide(_ name: String, among guides: [Guide]) -> Guide? {
        guides.first { $0.name == name } ?? guides.first { name.hasSuffix("/\($0.name)") }
    }

    private static var commands: [String] {
        RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
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
        return
            "\n\nPAGES OF THE MANUAL:\n\(lines.joined(separator: "\n"))\n\n  See 'offline-server help <page>'."
    }

    private static func unknown(_ words: [String], _ guides: [Guide]) -> CommandFailure {
        let names = guides.map(\.name) + commands
        let nearest = NearestName.of(words[0], among: names).map { ". Did you mean `\($0)`?" } ?? ""
        return CommandFailure(
            usage: "\(words.joined(separator: " ")) is neither a command nor a page of the manual\(nearest)",
            status: 64)
    }
}
