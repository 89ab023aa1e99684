import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freshName } from '../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { addUser } from '../kit/clients/social-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})
afterEach(async () => {
  await app.env.DB.prepare('delete from connectors').run()
})

const client = { clientId: 'client', clientSecret: 'secret' }
const of = (issuer: string) => ({ ...client, issuer })

const install = async (target: string, issuer: string) => {
  const metadata = { target, name: { en: 'Acme' } }
  const answer = await operator.send('POST', '/connectors', {
    connectorId: 'oidc',
    config: of(issuer),
    metadata,
  })
  return { status: answer.status, ...((await answer.json()) as { id: string; code: string }) }
}

describe('a social target’s identities', () => {
  const issuer = 'https://login.acme.example'
  const evil = 'https://login.evil.example'
  const refused = { status: 422, code: 'guard.invalid_input' }

  it('cannot be taken over by a new connector for another provider', async () => {
    const target = freshName()
    const { id } = await install(target, issuer)
    await addUser(app, { identity: [target, 'victim'] })
    expect((await operator.send('DELETE', `/connectors/${id}`)).status).toBe(204)
    expect(await install(target, evil)).toMatchObject(refused)
    expect(await install(target, `${issuer}/`)).toMatchObject({ status: 200 })
  })

  it('cannot be taken over by changing the connector’s issuer', async () => {
    const target = freshName()
    const { id } = await install(target, issuer)
    const change = (to: string) =>
      operator.send('PATCH', `/connectors/${id}`, { config: { ...of(to), scope: 'openid' } })
    // As long as no identity is linked, a mistake in the issuer's URL can be corrected.
    expect((await change(evil)).status).toBe(200)
    expect((await change(issuer)).status).toBe(200)
    await addUser(app, { identity: [target, 'victim'] })
    expect((await change(evil)).status).toBe(422)
    expect((await change(issuer)).status).toBe(200)
  })

  it('are also protected if the connector predates this rule', async () => {
    const target = freshName()
    const { id } = await install(target, issuer)
    await addUser(app, { identity: [target, 'victim'] })
    await app.env.DB.prepare('delete from identity_namespaces').run()
    const changed = await operator.send('PATCH', `/connectors/${id}`, { config: of(evil) })
    expect(changed.status).toBe(422)
    expect((await operator.send('PATCH', `/connectors/${id}`, { config: of(issuer) })).status).toBe(200)
    await operator.send('DELETE', `/connectors/${id}`)
    expect(await install(target, evil)).toMatchObject(refused)
  })

  it('belong to only one connector, even if several are installed concurrently', async () => {
    const target = freshName()
    const answers = await Promise.all([
      install(target, issuer),
      install(target, evil),
      install(target, issuer),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })

  it('are not shared between a platform-specific connector and a standard connector', async () => {
    const wechat = await operator.send('POST', '/connectors', { connectorId: 'wechat-web' })
    expect(wechat.status).toBe(200)
    expect(await install('wechat', issuer)).toMatchObject({
      status: 422,
      code: 'connector.multiple_target_with_same_platform',
    })
  })
})
