/**
 * The first requested language that is available, by RFC 4647 lookup (spec/experience#language-match): exactly, else with
 * fewer and fewer subtags, else any variety of the language (`pt` takes the first of `pt-PT`, `pt-BR`).
 */
export function chooseLanguage({
  requested,
  available,
  fallback,
}: {
  requested: readonly string[]
  available: readonly string[]
  fallback: string
}): string {
  for (const range of requested) {
    const tag = lookUp(range, available)
    if (tag) return tag
  }
  return fallback
}

/** RFC 5646's shape without its registry. Eight subtags are more than any language has. */
const LANGUAGE_RANGE = /^[a-z]{2,8}(?:-[a-z\d]{1,8}){0,7}$/i

function lookUp(range: string, available: readonly string[]): string | undefined {
  if (!LANGUAGE_RANGE.test(range)) return undefined

  // Traditional and simplified Chinese share a language subtag, but readers of one may not read the other.
  const isTraditional = isTraditionalChinese(range)
  const candidates = available.filter((tag) => isTraditionalChinese(tag) === isTraditional)

  const subtags = range.toLowerCase().split('-')
  const [language = ''] = subtags
  for (; subtags.length > 0; shorten(subtags)) {
    const tag = candidates.find((candidate) => candidate.toLowerCase() === subtags.join('-'))
    if (tag) return tag
  }
  const languages = [language, ...(replacements[language] ?? [])]
  return candidates.find((candidate) => languages.includes(candidate.toLowerCase().split('-')[0] ?? ''))
}

/** Former codes (BCP 47 registry), and Norwegian, which is read by those who ask for it in either of its written forms. */
const replacements: Readonly<Record<string, readonly string[]>> = {
  iw: ['he'],
  in: ['id'],
  no: ['nb', 'nn'],
  nn: ['nb', 'no'],
  nb: ['no', 'nn'],
}

/** RFC 4647 §3.4: a single letter introduces the next subtag and is removed with it. */
function shorten(subtags: string[]): void {
  subtags.pop()
  if (subtags.at(-1)?.length === 1) subtags.pop()
}

const TRADITIONAL_SUBTAGS = ['hant', 'tw', 'hk', 'mo']

function isTraditionalChinese(tag: string): boolean {
  const [language, ...subtags] = tag.toLowerCase().split('-')
  return (
    language === 'zh' &&
    !subtags.includes('hans') &&
    subtags.some((subtag) => TRADITIONAL_SUBTAGS.includes(subtag))
  )
}

/** Headers of browsers have some 50 characters; the rest of a longer one is ignored. */
const HEADER_MAX_LENGTH = 1000

/** `1.0`, `0.7`, `0`; the digits are not counted. */
const ACCEPTED_LANGUAGE =
  /^\s*(?<tag>[a-z]{2,8}(?:-[a-z\d]{1,8}){0,7})\s*(?:;\s*q\s*=\s*(?<quality>1(?:\.0*)?|0?\.\d+|0\.?)\s*)?$/i

/** The languages of an Accept-Language header (RFC 9110 §12.5.4), best first. `*`, refused and invalid ones are left out. */
export function parseAcceptLanguage(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, HEADER_MAX_LENGTH)
    .split(',')
    .flatMap((part) => {
      const { tag, quality = '1' } = ACCEPTED_LANGUAGE.exec(part)?.groups ?? {}
      return tag && Number(quality) > 0 ? [{ tag, quality: Number(quality) }] : []
    })
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}
