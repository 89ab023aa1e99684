/** The values that replace the example values in the text of a sample (samples/README.md). */
export type Replacement = {
  literals: readonly (readonly [from: string, to: string])[]
  /** The URL after signing out. It may equal the redirect URI of the sample, so lines about it are marked `signout`. */
  afterSignOut: readonly [from: string, to: string] | null
  /** For each condition, tells whether the guide keeps the lines that are marked with it. */
  conditions: Readonly<Record<Condition, boolean>>
  api: { indicator: string; scope: string } | null
}

type Condition = 'http' | 'api' | 'signout'

export const exampleApi = 'https://api.example.com'
const EXAMPLE_SCOPE = 'orders:read'

/** Matches a comment at the end of a line that says when to keep the line. */
const MARKER = /^(.*?)\s*(?:\/\/|#|<!--|\{?\/\*)\s*only: (http|api|signout)\s*(?:-->|\*\/\}?)?$/

/**
 * Replaces the example values of a sample, and removes the markers and the lines whose condition does not hold. A
 * marker on a line of its own applies to the lines up to the next blank line.
 */
export function fillIn(text: string, replacement: Replacement): string {
  const result: string[] = []
  let paragraph: Condition | null = null
  for (const line of text.split('\n')) {
    const [, code = line, marker] = MARKER.exec(line) ?? []
    const condition: Condition | null = marker === undefined ? paragraph : (marker as Condition)
    const isMarkerOnly = marker !== undefined && code.trim() === ''
    if (isMarkerOnly) paragraph = condition
    else if (condition === null || replacement.conditions[condition])
      result.push(replaceIn(code, replacement, condition === 'signout'))
    if (line.trim() === '') paragraph = null
  }
  return result.join('\n')
}

/** Without an API, nothing defines `api`, so calls do without this argument or property. */
const withoutApi = [
  [', api)', ')'],
  [', ...api }', ' }'],
  [' ...api,', ''],
] as const

function replaceIn(line: string, { literals, afterSignOut, api }: Replacement, isAboutSignOut = false) {
  const all = new Map(afterSignOut ? [...literals, afterSignOut] : literals)
  // Where both URLs of the sample are the same, the line says which one it means.
  if (!isAboutSignOut) for (const [from, to] of literals) all.set(from, to)
  if (api) {
    all.set(exampleApi, api.indicator)
    // If the identifier of the API is not a URL, only the developer knows where the API is.
    all.set(
      `${exampleApi}/`,
      /^https?:/.test(api.indicator) ? `${api.indicator.replace(/\/$/, '')}/` : `${exampleApi}/`,
    )
  }
  // In a list of scopes, the scope of the API goes together with the space before it.
  all.set(` ${EXAMPLE_SCOPE}`, api ? ` ${api.scope}` : '')
  if (api) all.set(EXAMPLE_SCOPE, api.scope)
  else for (const [from, to] of withoutApi) all.set(from, to)
  const longestFirst = [...all.keys()].sort((a, b) => b.length - a.length)
  return line.replace(
    new RegExp(longestFirst.map(toPattern).join('|'), 'g'),
    (literal) => all.get(literal) ?? literal,
  )
}

/**
 * Matches a literal that is not part of a longer word. The path of the API follows its URL, and a path that begins with
 * a literal path is another one.
 */
function toPattern(literal: string): string {
  const escaped = literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  if (literal === `${exampleApi}/`) return escaped
  return `${/^[\s,]/.test(literal) ? '' : String.raw`(?<![\w.-])`}${escaped}${String.raw`(?![\w-])`}`
}
