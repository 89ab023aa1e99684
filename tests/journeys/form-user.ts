import { newCookieClient, PASSWORD } from '../kit/clients/cookie-client.ts'

/** A simulated user without JavaScript, who fills in the forms of our pages. */
export type FormUser = {
  /** The paths of the pages that the user has seen, in order. */
  pages: string[]
  /** Follows an authorization request to the redirect URL with the authorization response. */
  follow(authorization: string | URL): Promise<URL>
}

export function newFormUser(
  origin: string,
  username: string,
  more: Record<string, Record<string, string>> = {},
): FormUser {
  const pages: string[] = []
  const browser = newCookieClient({
    fetch: (path, init) => fetch(new URL(path, origin), { redirect: 'manual', ...init }),
  })
  const answers: Record<string, Record<string, string>> = {
    '/sign-in': { identifier: username, password: PASSWORD },
    '/sign-in/consent': { decision: 'allow' },
    ...more,
  }

  return {
    pages,
    async follow(authorization) {
      let at = new URL(authorization)
      let answer = await browser.get(at.pathname + at.search, { accept: 'text/html' })
      for (;;) {
        const location = answer.headers.get('location')
        if (location) {
          at = new URL(location, at)
          if (at.origin !== origin) return at
          answer = await browser.get(at.pathname + at.search, { accept: 'text/html' })
          continue
        }
        const html = await answer.text()
        const filled = answers[at.pathname]
        if (answer.status !== 200 || !filled) throw new Error(`${at.pathname}: ${answer.status} ${html}`)
        pages.push(at.pathname)
        const interaction = at.searchParams.get('interaction') ?? ''
        const ours = { origin, 'sec-fetch-site': 'same-origin' }
        answer = await browser.post(at.pathname, { interaction, ...filled }, ours)
      }
    },
  }
}
