/** Everything secret that went over the wire, in either direction, by what it is. */
export type Secrets = {
  add(what: string, value: string | null | undefined): void
  /** All of them, each once. */
  all(): { what: string; value: string }[]
  /** `fetch` that remembers the secrets it carries. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
}

/** Names under which bodies, queries and answers hold a secret. `state` is not: it stands in addresses by design. */
const NAMES =
  /^(?:\w*password|passwordDigest|verificationCode|code|code_verifier|\w*_token|token|id_token_hint|client_secret|clientSecret|secret|xsrf|accessSecretKey|x-key)$/i

export function collectSecrets(): Secrets {
  const known = new Map<string, string>()
  const add: Secrets['add'] = (what, value) => {
    if (value && value.length >= 6 && !known.has(value)) known.set(value, what)
  }

  return {
    add,
    all: () => [...known].map(([value, what]) => ({ what, value })),
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
      for (const pair of headers.get('cookie')?.split('; ') ?? []) cookie(pair)
      inText(init.body instanceof URLSearchParams ? String(init.body) : init.body)
      inQuery(new URL(url).searchParams)

      const response = await fetch(url, { redirect: 'manual', ...init })
      for (const line of response.headers.getSetCookie()) cookie(line.split(';')[0] ?? '')
      const location = response.headers.get('location')
      if (location) inQuery(new URL(location, url).searchParams)
      inText(await response.clone().text())
      return response
    },
  }

  function cookie(pair: string) {
    const [name = '', value = ''] = pair.split(/=(.*)/)
    // The name of the interaction a cookie belongs to is in its path and in every address.
    if (value.length >= 16 && !/^_interaction(?:_resume)?$/.test(name)) add(`cookie ${name}`, value)
  }

  function inText(text: unknown) {
    if (typeof text !== 'string') return
    try {
      inValue(JSON.parse(text))
    } catch {
      if (!text.includes('<')) inQuery(new URLSearchParams(text))
    }
  }

  function inQuery(query: URLSearchParams) {
    for (const [name, value] of query) inValue({ [name]: value })
  }

  function inValue(value: unknown) {
    if (typeof value !== 'object' || value === null) return
    for (const [name, item] of Object.entries(value)) {
      // The code of an error is none.
      if (typeof item !== 'string') inValue(item)
      else if (NAMES.test(name) && !/^(?:[a-z_]+(?:\.\w+)?|\*+)$/i.test(item)) add(name, item)
    }
  }
}

/** Which of them can be read in a text: as they are, as addresses and forms write them, in JSON, or inside of Base64. */
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

/** What of a text is the same wherever Base64 has it, `offset` bytes behind a multiple of three. */
function inBase64(value: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
  const whole = bytes.toString('base64').replace(/=+$/, '')
  const own = whole.slice(offset === 0 ? 0 : offset + 1, bytes.length % 3 === 0 ? undefined : -1)
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Six digits are in many longer numbers. */
const includes = (text: string, value: string) =>
  /^\d+$/.test(value) ? new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(text) : text.includes(value)
