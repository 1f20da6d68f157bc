internal import ArgumentParser
internal import AssetStore

/// The one command that this process was asked for. To look at all of them, and at the scripts for shells, takes the
/// parser longer than most commands have to do.
struct NamedCommand: ParsableCommand {
    // A command with a super-command is not looked at for scripts.
    static let configuration = CommandConfiguration(
        commandName: RootCommand.configuration.commandName, _superCommandName: "",
        subcommands: RootCommand.configuration.subcommands.filter {
            $0.configuration.commandName == arguments.first
        })

    /// The words after the program's name, global options behind the command's.
    static let arguments = GlobalOptions.moved(
        HostHeaderArgument.joined(Array(ProcessResources.arguments.dropFirst())))

    /// Whether `--json` is given.
    static var wantsJSON: Bool { arguments.prefix { $0 != "--" }.contains("--json") }

    /// The message about an unknown or missing name of a command; `nil` if there is one.
    static var fault: String? {
        let names = RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard let word = arguments.first else { return nil }
        if GlobalOptions.isOne(word) { return "the name of a command is missing" }
        if RootCommand.groups.contains(word), arguments.count > 1, GlobalOptions.isOne(arguments[1]) {
            return "\(word) wants the name of what to do right behind it"
        }
        guard !word.hasPrefix("-"), !names.contains(word) else { return nil }
        let meant = NearestName.of(word, among: names).map { ". Did you mean `\($0)`?" } ?? ""
        return "there is no command \(word)\(meant)"
    }

    /// The forms of values, by the names that help gives them.
    private static let forms = [
        "b": "bits a second, such as 800k or 2.5M", "d": "a time such as 90s, 45m, 48h, 30d or 2w",
        "h": "a whole number of pixels", "n": "a whole number", "r": "bytes a second, such as 500k or 2M",
        "size": "a number of bytes, such as 500M or 10G",
        "t": "a time of the stream, such as 90, 1:30 or 0:01:30.5",
        "times": "times of day such as 22:00-06:00, or always",
    ]

    /// The parser's message; for a value that it can't read, with the form of a right value.
    static func explained(_ message: String) -> String {
        guard let name = message.firstMatch(of: /is invalid for '[^'<]*<([^>']+)>'/)?.1,
            let form = forms[String(name)]
        else { return message }
        return "\(message): it takes \(form)"
    }

    /// The message about a negative number, which the parser takes for an option.
    ///
    /// - Parameter message: the parser's message, which names the option.
    static func negative(in message: String, _ arguments: [String] = arguments) -> String? {
        guard let option = message.firstMatch(of: /'(--[a-z-]+) </)?.1 else { return nil }
        for (index, word) in arguments.enumerated() {
            let next = index + 1 < arguments.count ? arguments[index + 1] : ""
            let value =
                word == option
                ? next[...] : word.hasPrefix("\(option)=") ? word.dropFirst(option.count + 1) : ""
            if value.wholeMatch(of: /-[0-9.].*/) != nil {
                return "\(option) can't be negative, as \(value) is"
            }
        }
        return nil
    }

    /// The command that shows the options of the command that was named.
    static var help: String {
        let isKnown = arguments.first.map { name in
            RootCommand.configuration.subcommands.contains { $0.configuration.commandName == name }
        }
        guard isKnown == true, let name = arguments.first else { return "offline-server --help" }
        let command = RootCommand.configuration.subcommands.first { $0.configuration.commandName == name }
        let parts = command?.configuration.subcommands.compactMap { $0.configuration.commandName } ?? []
        let words = [name] + arguments.dropFirst().prefix(1).filter(parts.contains)
        return "offline-server \(words.joined(separator: " ")) --help"
    }

    /// The parsed command. `nil` if the words have an error or ask for help: the root command handles these.
    static var parsed: (any ParsableCommand)? {
        let wantsHelp = arguments.contains { ["help", "-h", "--help", "--help-hidden"].contains($0) }
        guard !configuration.subcommands.isEmpty, !wantsHelp else { return nil }
        return try? parseAsRoot(arguments)
    }
}
