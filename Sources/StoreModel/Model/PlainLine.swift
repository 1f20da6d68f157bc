extension String {
    /// The text in one line that neither controls a terminal nor turns around what is written beside it. What a stream
    /// says of itself is shown to people like this.
    package var plainLine: String {
        String(String.UnicodeScalarView(unicodeScalars.compactMap(\.inPlainLine)))
    }
}

extension Unicode.Scalar {
    fileprivate var inPlainLine: Unicode.Scalar? {
        if properties.isBidiControl { return nil }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return " "
        default: return self
        }
    }
}
