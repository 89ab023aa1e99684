/** A style rule, or an at-rule with rules of its own. */
type Rule = {
  text: string
  /** The classes of the selector. A rule without classes always applies. */
  classes: readonly string[]
  /** The rules in the at-rule, or null if there are none. */
  nested: { prelude: string; rules: readonly Rule[] } | null
}

/** The classes of the body, which are not in the markup of a page. */
const BODY_CLASSES = ['desktop', 'mobile', 'dark', 'light']

/**
 * Returns a function that selects the rules of a style sheet that a page uses: those with at least one class of its
 * markup in their selectors. The sheet serves all pages of the account centre, and no page uses half of it.
 */
export function createRuleSelection(sheet: string): (markup: string) => string {
  const rules = parseRules(sheet)
  return (markup) => {
    const names = [...markup.matchAll(/ class="([^"]*)"/g)].flatMap(([, list = '']) => list.split(' '))
    const used = new Set([...names, ...BODY_CLASSES])
    return rules.map((rule) => textOf(rule, used)).join('')
  }
}

function textOf({ text, classes, nested }: Rule, used: ReadonlySet<string>): string {
  if (!nested) return classes.length === 0 || classes.some((name) => used.has(name)) ? text : ''
  const inner = nested.rules.map((rule) => textOf(rule, used)).join('')
  return inner && `${nested.prelude}{${inner}}`
}

/** Splits a minified style sheet, in which no text contains a brace. */
function parseRules(sheet: string): Rule[] {
  const rules: Rule[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < sheet.length; at++) {
    if (sheet[at] === '{') depth++
    if (sheet[at] !== '}' || --depth > 0) continue
    rules.push(parseRule(sheet.slice(start, at + 1)))
    start = at + 1
  }
  return rules
}

function parseRule(text: string): Rule {
  const brace = text.indexOf('{')
  const prelude = text.slice(0, brace)
  if (/^@(?:media|supports)/.test(prelude))
    return { text, classes: [], nested: { prelude, rules: parseRules(text.slice(brace + 1, -1)) } }
  const classes = prelude.startsWith('@')
    ? []
    : [...prelude.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)
  return { text, classes, nested: null }
}
