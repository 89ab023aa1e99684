import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
} from '../kit/clients/cookie-client.ts'
import type { Operator } from '../kit/clients/management-client.ts'
import { storeMember } from '../kit/stored-session.ts'
import type { TestApp } from '../kit/test-app.ts'

/** A call that sets a password. Returns the response. */
type Way = (app: TestApp, operator: Operator, password: string) => Promise<Response>

const atInteraction =
  (method: string, path: string, body: (password: string) => object, event = 'Register'): Way =>
  async (app, _operator, password) => {
    const browser = newCookieClient(app)
    const uid = await openSignInPage(browser, await authorizationRequest())
    const send = (verb: string, to: string, content: object) =>
      browser.send(verb, `/api/interaction${to}`, content, { Interaction: uid })
    if (path !== '') await send('PUT', '', { event })
    return send(method, path, body(password))
  }

/** All calls that set a new password, except imports. */
export const passwordWays: Record<string, Way> = {
  'the start of a registration': atInteraction('PUT', '', (password) => ({
    event: 'Register',
    profile: { username: freshName(), password },
  })),
  'the profile of a registration': atInteraction('PUT', '/profile', (password) => ({
    username: freshName(),
    password,
  })),
  'a password added to a profile': atInteraction('PATCH', '/profile', (password) => ({ password })),
  'a password reset': atInteraction('PATCH', '/profile', (password) => ({ password }), 'ForgotPassword'),
  'a change by the user': async (app, _operator, password) => {
    const member = await storeMember(app)
    await member.call('POST', '/password/verify', { password: PASSWORD })
    return member.call('POST', '/password', { password })
  },
  'a user created by an operator': (_app, operator, password) =>
    operator.send('POST', '/users', { username: freshName(), password }),
  'a password set by an operator': async (_app, operator, password) => {
    const created = await operator.send('POST', '/users', { username: freshName() })
    const { id } = (await created.json()) as { id: string }
    return operator.send('PATCH', `/users/${id}/password`, { password })
  },
}
