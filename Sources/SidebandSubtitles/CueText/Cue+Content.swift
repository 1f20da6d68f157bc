extension Cue {
    /// The cue text read into a tree (WebVTT §6.4). It is read at each call.
    public var content: CueText { CueText(text) }
}
