/** A record of the secrets that were sent or received, with their kinds. */
export type RecordedSecrets = {
  add(what: string, value: string | null | undefined): void
  /** Returns all recorded secrets, without duplicates. */
  all(): { what: string; value: string }[]
  /** Sends a request, and records the secrets in it and in its response. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
}

/**
 * Matches the names of secrets in bodies, queries and responses. It excludes `state`, which is part of URLs by design.
 */
const NAMES =
  /^(?:\w*password|passwordDigest|verificationCode|code|code_verifier|\w*_token|token|id_token_hint|client_secret|clientSecret|secret|xsrf|accessSecretKey|x-key)$/i

export function collectSecrets(): RecordedSecrets {
  const recorded = new Map<string, string>()
  const add: RecordedSecrets['add'] = (what, value) => {
    if (value && value.length >= 6 && !recorded.has(value)) recorded.set(value, what)
  }

  return {
    add,
    all: () => [...recorded].map(([value, what]) => ({ what, value })),
    async fetch(url, init = {}) {
      const headers = new Headers(init.headers)
      const authorization = headers.get('authorization')
      add('Authorization', authorization?.replace(/^\w+\s+/, ''))
      if (authorization?.startsWith('Basic ')) {
        add(
          'client secret',
          decodeURIComponent(Buffer.from(authorization.slice(6), 'base64').toString().split(':')[1] ?? ''),
        )
      }
      for (const pair of headers.get('cookie')?.split('; ') ?? []) addCookie(pair)
      addFromText(init.body instanceof URLSearchParams ? String(init.body) : init.body)
      addFromQuery(new URL(url).searchParams)

      const response = await fetch(url, { redirect: 'manual', ...init })
      for (const line of response.headers.getSetCookie()) addCookie(line.split(';')[0] ?? '')
      const location = response.headers.get('location')
      if (location) addFromQuery(new URL(location, url).searchParams)
      addFromText(await response.clone().text())
      return response
    },
  }

  function addCookie(pair: string) {
    const [name = '', value = ''] = pair.split(/=(.*)/)
    // The interaction's uid is not a secret, because the cookie path and every URL contain it.
    if (value.length >= 16 && !/^_interaction(?:_resume)?$/.test(name)) add(`cookie ${name}`, value)
  }

  function addFromText(text: unknown) {
    if (typeof text !== 'string') return
    try {
      addFromValue(JSON.parse(text))
    } catch {
      if (!text.includes('<')) addFromQuery(new URLSearchParams(text))
    }
  }

  function addFromQuery(query: URLSearchParams) {
    for (const [name, value] of query) addFromValue({ [name]: value })
  }

  function addFromValue(value: unknown) {
    if (typeof value !== 'object' || value === null) return
    for (const [name, item] of Object.entries(value)) {
      // The second pattern excludes error codes and masked values, which are not secrets.
      if (typeof item !== 'string') addFromValue(item)
      else if (NAMES.test(name) && !/^(?:[a-z_]+(?:\.\w+)?|\*+)$/i.test(item)) add(name, item)
    }
  }
}

/** Returns the secrets that a text contains: in plain text, URL-encoded, in JSON, or within Base64. */
export function leaksIn(text: string, secrets: { what: string; value: string }[]): string[] {
  return secrets.flatMap(({ what, value }) => {
    const spelling = spellings(value).find((each) => includes(text, each))
    return spelling === undefined ? [] : [`${what} ${value} (as ${spelling})`]
  })
}

const spellings = (value: string) => [
  value,
  encodeURIComponent(value),
  new URLSearchParams([['', value]]).toString().slice(1),
  JSON.stringify(value).slice(1, -1),
  ...(value.length >= 8 ? [0, 1, 2].flatMap((offset) => inBase64(value, offset)) : []),
]

/**
 * Returns the characters that are part of the Base64 encoding of any data in which the text begins `offset` bytes
 * after a multiple of three.
 */
function inBase64(value: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
  const whole = bytes.toString('base64').replace(/=+$/, '')
  const own = whole.slice(offset === 0 ? 0 : offset + 1, bytes.length % 3 === 0 ? undefined : -1)
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Checks whether a text contains a value, except as part of a longer number. */
const includes = (text: string, value: string) =>
  /^\d+$/.test(value) ? new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(text) : text.includes(value)
