import { beforeAll, describe, expect, it } from 'vitest'
import { outcomeOf } from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import {
  addUser,
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
  userById,
} from '../kit/clients/social-client.ts'
import { setExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  await setExperience(app, { signUp: { identifiers: [], password: false, verify: false } })
  await installUpstream(app, ['oidc'])
})

const offer = async (...targets: string[]) => {
  const answer = await operator.send('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: targets })
  expect(answer.status).toBe(200)
}

const started = async (event: 'SignIn' | 'Register' = 'SignIn') => {
  const flow = await beginSocialInteraction(app)
  expect((await flow.start(event)).status).toBe(204)
  return flow
}

describe('a connector that the sign-in experience does not offer', () => {
  const notOffered = [422, 'session.invalid_connector_id']
  const refusal = async (answer: Promise<Response>) => (await outcomeOf(await answer)).slice(0, 2)

  it('cannot be started', async () => {
    const flow = await started()
    await offer()
    expect(await refusal(flow.ask('oidc'))).toEqual(notOffered)
    await offer('oidc')
  })

  it('accepts no response', async () => {
    const flow = await started()
    const person = await newProviderAccount({ email: 'ann@example.com' })
    const data = await flow.signInAtProvider('oidc', person)
    await offer()
    expect(await refusal(flow.show('oidc', data))).toEqual(notOffered)
    expect(
      await refusal(flow.call('PATCH', '/identifiers', { connectorId: 'oidc', email: 'ann@example.com' })),
    ).toEqual(notOffered)
    await offer('oidc')
  })

  it('[ASVS-10.2.1-4] cannot be used to sign in or to link an identity, even with an earlier response', async () => {
    const person = await newProviderAccount()
    const signingIn = await started()
    const owner = await addUser(app, { identity: ['oidc', person.id] })
    expect((await signingIn.proveBy('oidc', person)).status).toBe(204)
    const registering = await started('Register')
    expect((await registering.proveBy('oidc', await newProviderAccount())).status).toBe(204)
    expect((await registering.call('PATCH', '/profile', { connectorId: 'oidc' })).status).toBe(204)
    const users = async () =>
      (await app.env.DB.prepare('select count(*) as n from users').first('n')) as number
    const before = await users()
    await offer()
    expect(await refusal(signingIn.submit())).toEqual([404, 'entity.not_found'])
    expect(await refusal(registering.submit())).toEqual([404, 'entity.not_found'])
    expect([await users(), (await userById(app, owner))?.last_sign_in_at]).toEqual([before, null])
    await offer('oidc')
  })
})
