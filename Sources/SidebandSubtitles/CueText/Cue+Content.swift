extension Cue {
    /// The cue text as a tree (WebVTT §6.4). It is parsed at each call.
    public var content: CueText { CueText(text) }
}
