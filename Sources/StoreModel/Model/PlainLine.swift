extension String {
    /// The text in one line, without characters that control a terminal or change the direction of neighboring text.
    /// Texts of streams are shown in this form.
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
