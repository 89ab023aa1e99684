/** Parses SQL LIKE patterns from callers (spec/management#search), so that an index can narrow the search down. */

/** `%` matches any text and `_` any single character. A backslash before either makes it a literal. */
export type LikeToken = { literal: string } | '%' | '_'

/** The plan of a search. If `pattern` is missing, every text with the prefix or fragment `text` matches. */
type LikeSearch =
  | { mode: 'exact'; values: readonly string[] }
  | { mode: 'prefix' | 'contains'; text: string; pattern?: readonly LikeToken[] }

/** The minimum length of a fragment, because the index consists of trigrams (spec/storage#search-indexes). */
const MIN_FRAGMENT_LENGTH = 3

/** D1's limit for the length of a pattern (spec/storage#platform-limits). */
const MAX_PATTERN_BYTES = 50

/**
 * Returns the plan for finding the matches of this pattern with an index. Returns null if no index can be used, or if
 * the pattern is too long to compare.
 */
export function planLikeSearch(text: string): LikeSearch | null {
  const tokens = parseLikePattern(text)
  const literals = tokens.filter(isLiteral)
  const shape = tokens.map((token) => (isLiteral(token) ? 'x' : token)).join('')

  const [first] = literals
  if (first && shape === 'x') return { mode: 'exact', values: [first.literal] }
  if (first && shape === 'x%') return { mode: 'prefix', text: first.literal }
  if (first && shape.startsWith('x')) return withPattern('prefix', first.literal, tokens)

  const longest = literals.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0]
  if (!longest || lengthOf(longest) < MIN_FRAGMENT_LENGTH) return null
  return shape === '%x%'
    ? { mode: 'contains', text: longest.literal }
    : withPattern('contains', longest.literal, tokens)
}

function withPattern(
  mode: 'prefix' | 'contains',
  text: string,
  pattern: readonly LikeToken[],
): LikeSearch | null {
  return isWithinPatternLimit(pattern) ? { mode, text, pattern } : null
}

/** Checks whether the database accepts the pattern. */
export const isWithinPatternLimit = (pattern: readonly LikeToken[]): boolean =>
  [toLikePattern(pattern), toGlobPattern(pattern)].every(
    (text) => new TextEncoder().encode(text).length <= MAX_PATTERN_BYTES,
  )

export function parseLikePattern(text: string): LikeToken[] {
  const tokens: LikeToken[] = []
  for (const [part] of text.matchAll(/\\.|%+|_|[^\\%_]+|\\/gsu)) {
    if (part === '_') tokens.push('_')
    else if (part.startsWith('%')) tokens.push('%')
    else addLiteral(tokens, part.length > 1 && part.startsWith('\\') ? part.slice(1) : part)
  }
  return tokens
}

function addLiteral(tokens: LikeToken[], literal: string): void {
  const last = tokens.at(-1)
  if (last !== undefined && isLiteral(last)) tokens[tokens.length - 1] = { literal: last.literal + literal }
  else tokens.push({ literal })
}

const isLiteral = (token: LikeToken): token is { literal: string } => typeof token === 'object'
const lengthOf = ({ literal }: { literal: string }) => [...literal].length

/** Formats the pattern for `LIKE … ESCAPE '\'`. */
export const toLikePattern = (pattern: readonly LikeToken[]): string =>
  pattern.map((token) => (isLiteral(token) ? token.literal.replaceAll(/[\\%_]/g, '\\$&') : token)).join('')

/** Formats the pattern for `GLOB`. */
export const toGlobPattern = (pattern: readonly LikeToken[]): string =>
  pattern
    .map((token) => (isLiteral(token) ? token.literal.replaceAll(/[*?[]/g, '[$&]') : globs[token]))
    .join('')

const globs = { '%': '*', _: '?' } as const
