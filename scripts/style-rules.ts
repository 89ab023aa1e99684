import { FORCED_DARK, type StyleRule } from '../src/domain/experience/style-sheet.ts'

/**
 * The style sheet of the pages in pieces, from which the server takes those of one page (ADR-0068). It is our own, minified by the
 * build: no comments, no nested rules, no braces in strings.
 */
export function styleRules(css: string): StyleRule[] {
  return blocksOf(css).flatMap(({ head, body }): StyleRule[] => {
    if (head.startsWith('@keyframes '))
      return [{ around: '', css: `${head}{${body}}`, name: head.slice('@keyframes '.length) }]
    if (head === ':root') return [{ around: head, css: `${body};`, declares: true }]
    // The server repeats the dark theme for previews.
    if (head === FORCED_DARK) return []
    if (!head.startsWith('@media')) return ruleParts('', head, body)
    return blocksOf(body).flatMap((inner) =>
      inner.head.startsWith('html[data-dark-mode')
        ? [{ around: `${head}{${inner.head}`, css: `${inner.body};`, declares: true, isDark: true }]
        : ruleParts(head, inner.head, inner.body),
    )
  })
}

type Block = { head: string; body: string }

function blocksOf(css: string): Block[] {
  const blocks: Block[] = []
  let [depth, start, open] = [0, 0, 0]
  for (let at = 0; at < css.length; at++) {
    if (css[at] === '{' && depth++ === 0) open = at
    if (css[at] !== '}' || --depth > 0) continue
    blocks.push({ head: css.slice(start, open).trim(), body: css.slice(open + 1, at) })
    start = at + 1
  }
  return blocks
}

/** One for each list of classes: a page that lacks those of one selector may have those of the next. */
function ruleParts(around: string, selectors: string, body: string): StyleRule[] {
  const byClasses = Map.groupBy(listed(selectors), (selector) => requiredClasses(selector).join(' '))
  return [...byClasses].map(([classes, same]) => ({
    around,
    css: `${same.join(',')}{${body}}`,
    ...(classes && { classes: classes.split(' ') }),
  }))
}

/** At the commas that are not inside brackets. */
const listed = (selectors: string) => selectors.split(/,(?![^(]*\))/)

/** The classes without which a selector matches nothing. Of alternatives, and of what it excludes, none is required. */
export function requiredClasses(selector: string): string[] {
  const required = selector.replaceAll(/:not\((?:[^()]|\([^()]*\))*\)|:(?:is|where)\([^()]*,[^()]*\)/g, '')
  return [...new Set([...required.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name = '']) => name))]
}
