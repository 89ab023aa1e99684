/** A piece of the style sheet, as the build cuts it (`scripts/style-rules.ts`, ADR-0068). */
export type StyleRule = {
  /** The query or the selector around it; '' for none. */
  around: string
  css: string
  /** The page has to have all of them. */
  classes?: readonly string[]
  /** Of an animation or a variable: it is there for the rules that name it. */
  name?: string
  /** It is the variables of a theme, from which a page takes those that it needs. */
  declares?: boolean
  /** Of the theme of systems that are dark, where the operator allows it. */
  isDark?: boolean
}

export type PageStyles = {
  rules: readonly StyleRule[]
  /** The classes of the modules that every page has. */
  shell: readonly string[]
  /** Beside these, those of each page, by the name of its file in `client/pages`. */
  pages: Readonly<Record<string, readonly string[]>>
}

/** What decides which rules are part of a page. */
export type StyledPage = {
  page: string
  isDarkPossible: boolean
  /** It may use every variable (spec/experience#css-variables). */
  hasCustomCss: boolean
  /** Of the elements around the page (`src/domain/experience/page-layout.ts`). */
  around: readonly string[]
  /** Classes that the settings leave no use for. */
  without: readonly string[]
}

/** Previews force a theme (`client/browser/theme.ts`). */
export const FORCED_DARK = 'html[data-theme=dark]'

/** The rules that a page can need before the browser has the whole sheet, in the order of the sheet. */
export function stylesOf({ rules, shell, pages }: PageStyles, shown: StyledPage): string {
  const classes = new Set([...shell, ...(pages[shown.page] ?? []), ...shown.around])
  for (const name of shown.without) classes.delete(name)
  const possible = rules.filter(
    (rule) =>
      (!rule.isDark || shown.isDarkPossible) && (rule.classes ?? []).every((name) => classes.has(name)),
  )
  return joined(shown.hasCustomCss ? possible : withoutUnusedNames(possible.flatMap(declarations)))
}

/** The whole sheet, for pages that have no other way to it. */
export const allStyles = ({ rules }: PageStyles): string =>
  joined(rules.flatMap((rule) => (rule.isDark ? [{ ...rule, around: FORCED_DARK }, rule] : [rule])))

function declarations(rule: StyleRule): StyleRule[] {
  if (!rule.declares) return [rule]
  return rule.css.match(/[^;]+;/g)?.map((css) => ({ ...rule, css, ...named(css) })) ?? []
}

function named(declaration: string): { name?: string } {
  const name = /^(--[\w-]+):/.exec(declaration)?.[1]
  return name === undefined ? {} : { name }
}

/** A variable may need another one. */
function withoutUnusedNames(rules: readonly StyleRule[]): StyleRule[] {
  const usedRules = new Set(rules.filter(({ name }) => name === undefined))
  for (let before = -1; before !== usedRules.size; ) {
    before = usedRules.size
    const text = [...usedRules].map(({ css }) => css).join('')
    for (const rule of rules) if (rule.name && text.includes(rule.name)) usedRules.add(rule)
  }
  return rules.filter((rule) => usedRules.has(rule))
}

/** Neighbours with the same surroundings share them. */
function joined(rules: readonly StyleRule[]): string {
  let text = ''
  let open = ''
  for (const { around, css } of rules) {
    if (around !== open) text += closing(open) + (around && `${around}{`)
    open = around
    text += css
  }
  return text + closing(open)
}

/** A theme by the system is a selector inside a query. */
const closing = (around: string) => (around === '' ? '' : '}'.repeat(around.split('{').length))
