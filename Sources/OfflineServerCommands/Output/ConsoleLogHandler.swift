internal import Logging

/// Writes a log to stderr, above the line at the bottom of the terminal.
struct ConsoleLogHandler: LogHandler {
    private var stream: StreamLogHandler

    init(label: String) { stream = .standardError(label: label) }

    var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }

    var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { Console.above { stream.log(event: event) } }
}
