import { expect, it } from 'vitest'
import { codeRequestWith, newDpopKey } from '../../kit/dpop-key.ts'
import { openTestApp } from '../../kit/test-app.ts'

it('[RFC9700-2.2.1-2] a DPoP-bound token requires a DPoP proof, which only read requests may reuse', async () => {
  const app = openTestApp()
  const key = await newDpopKey()
  const answer = await (await codeRequestWith(app, key))()
  const { access_token: token, token_type: type } = (await answer.json()) as Record<string, string>
  expect(type).toBe('DPoP')

  const proof = await key.prove('GET', '/oidc/me', token)
  const ask = (method: string) =>
    app.fetch('/oidc/me', { method, headers: { authorization: `DPoP ${token}`, DPoP: proof } })
  expect([(await ask('GET')).status, (await ask('GET')).status, (await ask('POST')).status]).toEqual([
    200, 200, 401,
  ])
  const asBearer = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })
  expect(asBearer.status).toBe(401)
})
