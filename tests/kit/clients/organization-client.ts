import { decodeJwt } from 'jose'
import type { TestApp } from '../test-app.ts'
import { authorizationRequest, type CookieClient, ORIGIN, resumeAuthorization } from './cookie-client.ts'
import { type Application, askForToken, BACK, type Form, type TokenAnswer } from './token-client.ts'

/** A user whose applications act for organisations. */

export type Visit = {
  /** The paths of the pages that the user has seen. */
  pages: string[]
  back: URL
  verifier: string
}

/** Makes an authorization request, chooses this organisation if the page asks, and allows everything else. */
export async function visit(
  browser: CookieClient,
  { id }: Application,
  form: Form = {},
  choice?: string,
): Promise<Visit> {
  const request = await authorizationRequest({ client_id: id, redirect_uri: BACK, scope: 'openid' })
  const address = new URL(request.url, ORIGIN)
  for (const [name, value] of Object.entries(form)) {
    address.searchParams.delete(name)
    for (const each of [value].flat()) address.searchParams.append(name, each)
  }
  const response = await browser.get(address.pathname + address.search)
  let back = new URL(response.headers.get('location') ?? '', ORIGIN)
  const pages: string[] = []
  while (back.origin === ORIGIN && back.searchParams.has('interaction')) {
    pages.push(back.pathname)
    const headers = { Interaction: back.searchParams.get('interaction') ?? '' }
    const isChoice = back.pathname === '/organization'
    if (isChoice ? choice === undefined : back.pathname !== '/sign-in/consent') break
    const [path, body] = isChoice
      ? ['organization', { organizationId: choice }]
      : ['consent', { decision: 'allow' }]
    const concluded = await browser.send('POST', `/api/interaction/${path}`, body, headers)
    back = await resumeAuthorization(browser, concluded)
  }
  return { pages, back, verifier: request.verifier }
}

export const redeem = (
  app: TestApp,
  application: Application,
  { back, verifier }: Visit,
  more: Form = {},
): Promise<TokenAnswer> =>
  askForToken(app, application, {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: BACK,
    ...more,
  })

/** Returns the organisation in an ID token or in an access token for a resource. */
export const organizationIn = (token: string | undefined): unknown => decodeJwt(token ?? '').org_id
