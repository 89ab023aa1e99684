import { DENY_BUTTON, type ProviderAccount } from './upstream-accounts.ts'

/**
 * The provider's way of returning the user: by a redirect, or by a form that submits itself
 * (`response_mode=form_post`).
 */
export type ReturnRequest = { url: URL; form: Record<string, string> | null }

const MAX_STEPS = 10

/**
 * Signs in at the provider, from the authorization request to the redirect back. If the account is null, the
 * user denies the request.
 */
export async function answerAt(
  uri: string,
  providerAccount: Pick<ProviderAccount, 'id'> | null,
): Promise<ReturnRequest> {
  const { origin } = new URL(uri)
  const cookies = new Map<string, string>()
  let request: { url: string; form?: Record<string, string> } = { url: uri }

  for (let step = 0; step < MAX_STEPS; step++) {
    const { url, form } = request
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    const page = await response.text()
    const location = response.headers.get('location')
    if (location) {
      const next = new URL(location, url)
      if (next.origin !== origin) return { url: next, form: null }
      request = { url: next.href }
    } else if (page.includes('Who are you?')) {
      request = { url, form: { account: providerAccount?.id ?? DENY_BUTTON } }
    } else {
      return { url: new URL(unescaped(attribute(page, 'form', 'action')), url), form: hiddenFields(page) }
    }
  }
  throw new Error(`No way back from ${uri}`)
}

/** Returns the fields of a form that the page submits automatically. */
function hiddenFields(page: string): Record<string, string> {
  const inputs = page.match(/<input type="hidden"[^>]*>/g) ?? []
  return Object.fromEntries(
    inputs.map((input) => [
      unescaped(attribute(input, 'input', 'name')),
      unescaped(attribute(input, 'input', 'value')),
    ]),
  )
}

function attribute(page: string, element: string, name: string): string {
  const value = new RegExp(`<${element}[^>]*\\s${name}="([^"]*)"`).exec(page)?.[1]
  if (value === undefined) throw new Error(`No way on from:\n${page.slice(0, 500)}`)
  return value
}

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#x2F;', '/').replaceAll('&amp;', '&')
