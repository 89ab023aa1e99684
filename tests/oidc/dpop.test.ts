import { expect, it } from 'vitest'
import { codeRequestWith, newDpopKey } from '../kit/dpop-key.ts'
import { openTestApp } from '../kit/test-app.ts'

it('accepts a DPoP proof for one request, also when two arrive at once (RFC 9449 §11.1)', async () => {
  const app = openTestApp()
  const key = await newDpopKey()
  const answer = await (await codeRequestWith(app, key))()
  const { access_token: token, token_type: type } = (await answer.json()) as Record<string, string>
  expect(type).toBe('DPoP')

  const once = await key.prove('GET', '/oidc/me', token)
  const ask = () => app.fetch('/oidc/me', { headers: { authorization: `DPoP ${token}`, DPoP: once } })
  const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBe(1)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect((await ask()).status).toBe(401)
  const asBearer = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })
  expect(asBearer.status).toBe(401)
})
