/// A cue: a text with the time for which it is shown (WebVTT §3.2).
public struct Cue: Sendable, Hashable {
    /// The cue's identifier; empty when it has none.
    public var identifier: String
    /// The time at which the cue appears.
    public var start: CueTime
    /// The time at which the cue disappears. A file may place it before `start`; such a cue is never shown.
    public var end: CueTime
    /// The cue text as written in the file: lines joined by LF, with tags and character references.
    public var text: String
    private(set) var storedSettings: StoredSettings?

    /// A cue with the settings given.
    public init(
        identifier: String = "", start: CueTime, end: CueTime, settings: CueSettings = .init(), text: String
    ) {
        self.identifier = identifier
        self.start = start
        self.end = end
        self.text = text
        storedSettings = StoredSettings.store(settings)
    }

    init(identifier: String, start: CueTime, end: CueTime, stored: StoredSettings?, text: String) {
        self.identifier = identifier
        self.start = start
        self.end = end
        self.text = text
        storedSettings = stored
    }

    /// The place of the cue, and how it is shown.
    public var settings: CueSettings {
        get { storedSettings?.settings ?? CueSettings() }
        set { storedSettings = StoredSettings.store(newValue) }
    }

    /// Whether the cue has no end: then `end` is the largest possible time.
    public var isEndless: Bool { end >= CueTime.largest }
}

/// Settings that many cues share. Cues without settings have no such object.
final class StoredSettings: Sendable, Hashable {
    let settings: CueSettings

    private init(_ settings: CueSettings) {
        self.settings = settings
    }

    static func store(_ settings: CueSettings) -> StoredSettings? {
        settings == CueSettings() ? nil : StoredSettings(settings)
    }

    static func == (first: StoredSettings, second: StoredSettings) -> Bool {
        first === second || first.settings == second.settings
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(settings)
    }
}
