/// Finds the style of every part of a cue: the defaults of WebVTT §7.4, then the default color classes, then the
/// style sheets by specificity and order, then `!important` declarations (CSS Cascade 4 §6).
struct CueStyler {
    let sheet: CueStyleSheet
    /// The track's language.
    let language: String
    let frame: FrameSize

    /// How many times a selector is held against an element at most, for one cue. Elements beyond that have no style but
    /// that of the element around them.
    private static let budget = 400_000
    /// How many elements of a cue are looked at.
    private static let maximumElements = 10_000

    /// A cue with its styles.
    struct StyledCue {
        /// The style of text outside of elements.
        var root: TextStyle
        /// The cue's background box.
        var box: BoxStyle
        /// The styles of elements by their nodes.
        var styles: [Int: TextStyle]
        /// The languages of elements by their nodes.
        var languages: [Int: String]
    }

    /// The style of text outside of any cue.
    var initial: TextStyle { TextStyle(fontSize: Double(frame.height) / 20) }

    /// The styles of a cue at a playback position.
    ///
    /// - Parameter base: the style that the cue inherits.
    func style(_ cue: Cue, _ content: CueText, at time: CueTime, base: TextStyle) -> StyledCue {
        let elements = CueElements(content, identifier: cue.identifier, language: language, at: time).all
            .prefix(CueStyler.maximumElements)
        let matched = matchedRules(Array(elements))
        var styles = [root(matched.first ?? [], base)]
        var result = StyledCue(root: styles[0].0, box: styles[0].1, styles: [:], languages: [:])
        for (index, element) in elements.enumerated().dropFirst() {
            let parent = styles[element.parent ?? 0].0
            var builder = StyleBuilder(parent: parent, in: frame)
            if let content = element.content { builder.apply(defaultsOf: content) }
            if index < matched.count { apply(matched[index], to: &builder) }
            let style = builder.finished(isRoot: false)
            styles.append((style, result.box))
            guard let node = element.node else { continue }
            result.styles[node] = style
            result.languages[node] = element.language
        }
        return result
    }

    /// The style that a region's cues inherit, and that of its box.
    func style(ofRegion identifier: String) -> (text: TextStyle, box: BoxStyle) {
        let rules = sheet.rules.indices.filter { index in
            let selector = sheet.rules[index].selector
            guard selector.subject == .region else { return false }
            return selector.parts.isEmpty
                || (selector.parts.count == 1 && selector.parts[0].conditions == [.identifier(identifier)])
        }
        return root(inOrder(rules), initial)
    }

    private func root(_ rules: [Int], _ base: TextStyle) -> (TextStyle, BoxStyle) {
        var builder = StyleBuilder(parent: base, in: frame)
        apply(rules, to: &builder)
        return (builder.finished(isRoot: true), builder.box(default: .shade))
    }

    /// The rules that match each element, the strongest last.
    private func matchedRules(_ elements: [CueElements.Element]) -> [[Int]] {
        let count = min(elements.count, max(1, CueStyler.budget / max(1, sheet.rules.count)))
        var matched = [[Int]](repeating: [], count: count)
        let looked = Array(elements.prefix(count))
        for (index, rule) in sheet.rules.enumerated() where rule.selector.subject == .cue {
            for element in SelectorMatcher.matches(rule.selector, looked) { matched[element].append(index) }
        }
        return matched.map(inOrder)
    }

    private func inOrder(_ rules: [Int]) -> [Int] {
        rules.sorted {
            let weights = (sheet.rules[$0].selector.specificity, sheet.rules[$1].selector.specificity)
            return weights.0 == weights.1 ? $0 < $1 : weights.0 < weights.1
        }
    }

    private func apply(_ rules: [Int], to builder: inout StyleBuilder) {
        builder.apply(rules.flatMap { sheet.rules[$0].declarations })
        builder.apply(rules.flatMap { sheet.rules[$0].important })
    }
}
