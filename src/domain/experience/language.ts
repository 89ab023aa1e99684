/**
 * Returns the first requested language that is available, using RFC 4647 lookup (spec/experience#language-match). A
 * language is available through an exact match, a match with fewer subtags, or any variety of the same language (`pt`
 * selects the first of `pt-PT` and `pt-BR`).
 */
export function chooseLanguage<Tag extends string>({
  requested,
  available,
  fallback,
}: {
  requested: readonly string[]
  available: readonly Tag[]
  fallback: Tag
}): Tag {
  for (const range of requested) {
    const tag = lookUp(range, available)
    if (tag) return tag
  }
  return fallback
}

/** Matches the syntax of RFC 5646, without checking the registry. No language has more than eight subtags. */
const LANGUAGE_RANGE = /^[a-z]{2,8}(?:-[a-z\d]{1,8}){0,7}$/i

function lookUp<Tag extends string>(range: string, available: readonly Tag[]): Tag | undefined {
  if (!LANGUAGE_RANGE.test(range)) return undefined

  // Traditional and simplified Chinese share a language subtag, but readers of one may be unable to read the other.
  const isTraditional = isTraditionalChinese(range)
  const candidates = available.filter((tag) => isTraditionalChinese(tag) === isTraditional)
  const find = (isMatch: (tag: string) => unknown) => candidates.find((tag) => isMatch(tag.toLowerCase()))

  const lower = range.toLowerCase()
  const subtags = lower.split('-')
  const [language = ''] = subtags
  const languages = [language, ...(replacements[language] ?? [])]
  for (; subtags.length > 0; shorten(subtags)) {
    const tag = find((candidate) => candidate === subtags.join('-'))
    if (tag) return tag
  }
  // The region of Chinese implies its script: `zh-Hant-HK` is `zh-HK`. Macau writes like Hong Kong (CLDR).
  const region = isTraditional && /-(tw|hk|mo)$/.exec(lower)?.[0]
  return (
    (region && (find((tag) => tag.endsWith(region)) ?? find((tag) => tag.endsWith('-hk')))) ||
    find((tag) => languages.includes(tag.split('-')[0] ?? ''))
  )
}

/**
 * Former language codes (BCP 47 registry), and the two written forms of Norwegian, whose readers accept the other form.
 */
const replacements: Readonly<Record<string, readonly string[]>> = {
  iw: ['he'],
  in: ['id'],
  no: ['nb', 'nn'],
  nn: ['nb', 'no'],
  nb: ['no', 'nn'],
}

/** A single letter introduces the next subtag and is removed with it (RFC 4647 §3.4). */
function shorten(subtags: string[]): void {
  subtags.pop()
  if (subtags.at(-1)?.length === 1) subtags.pop()
}

const isTraditionalChinese = (tag: string) => /^zh(?!.*-hans\b).*-(hant|tw|hk|mo)\b/i.test(tag)

/**
 * The maximum length of an `Accept-Language` header. Browsers send about 50 characters; anything beyond the limit is
 * ignored.
 */
const HEADER_MAX_LENGTH = 1000

/** Matches a language with an optional quality value from 0 to 1, which may have any number of decimals. */
const ACCEPTED_LANGUAGE =
  /^\s*(?<tag>[a-z]{2,8}(?:-[a-z\d]{1,8}){0,7})\s*(?:;\s*q\s*=\s*(?<quality>1(?:\.0*)?|0?\.\d+|0\.?)\s*)?$/i

/**
 * Returns the languages of an Accept-Language header, best first (RFC 9110 §12.5.4). Leaves out `*`, languages with
 * quality 0 and invalid tags.
 */
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
