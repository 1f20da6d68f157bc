import Foundation
public import Logging

/// Keeps everything that is logged, of any level.
public final class CollectedLog: @unchecked Sendable {
    // `@unchecked`: the text is behind its lock.
    private let lock = NSLock()
    private var collected = ""

    /// An empty one.
    public init() {}

    /// What was logged so far: messages with their metadata and errors, a line each.
    public var text: String { lock.withLock { collected } }

    /// A logger that writes here.
    public var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private func append(_ line: String) { lock.withLock { collected += line + "\n" } }

    private struct Handler: LogHandler {
        let log: CollectedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            log.append("\(event.level) \(event.message) \(all) \(event.error.map { "\($0)" } ?? "")")
        }
    }
}
