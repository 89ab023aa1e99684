import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginInteraction } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the demo social buttons, which need no connector (ADR-0040). */

let app: TestApp
let operator: Operator
beforeEach(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  await operator.send('PATCH', '/configs/settings', { demoSocial: [google, github] })
})
afterEach(async () => {
  await operator.send('PATCH', '/configs/settings', { demoSocial: [] })
  await operator.send('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: [] })
  await app.env.DB.prepare('delete from connectors').run()
})

const google = {
  provider: 'google',
  name: 'Google (demo)',
  logo: 'https://demo.example/google.svg',
  logoDark: 'https://demo.example/google-dark.svg',
  clientId: 'demo-client',
}
const github = { provider: 'github', name: 'GitHub', logo: 'https://demo.example/github.svg', clientId: 'gh' }
const button = {
  id: 'demo-google',
  target: 'google',
  platform: 'Universal',
  name: { en: 'Google (demo)' },
  logo: google.logo,
  logoDark: google.logoDark,
}

type Answer = { id: string; code: string; isDemo: boolean }
const codeOf = async (response: Response) => [response.status, ((await response.json()) as Answer).code]
const offer = (targets: string[], query = '') =>
  operator.send('PATCH', `/sign-in-exp${query}`, { socialSignInConnectorTargets: targets })
const buttonsOf = async (place: TestApp) => {
  const answer = await place.fetch('/api/.well-known/sign-in-exp?no_cache')
  return ((await answer.json()) as { socialConnectors: Answer[] }).socialConnectors
}
const readDemos = async () => {
  const answer = (await (await operator.get('/configs/settings')).json()) as { demoSocial: object[] }
  return answer.demoSocial
}
const openProductionApp = () => openTestApp({ ENVIRONMENT: 'production' })
const authorize = async (place: TestApp, connectorId = 'demo-google') => {
  const interaction = await beginInteraction(place)
  await interaction.start('SignIn')
  const path = '/verification/social-authorization-uri'
  const redirectUri = `${place.origin}/callback/demo-google`
  return {
    interaction,
    response: await interaction.call('POST', path, { connectorId, state: 'state', redirectUri }),
  }
}

describe('a demo connector', () => {
  it('is listed with the other connectors, marked as a demo and stripped of its configuration', async () => {
    const listed = (await (await operator.get('/connectors')).json()) as Answer[]
    expect(listed).toEqual([
      expect.objectContaining({
        ...button,
        type: 'Social',
        connectorId: 'google-universal',
        isDemo: true,
        config: {},
      }),
      expect.objectContaining({
        id: 'demo-github',
        isDemo: true,
        config: {},
        logoDark: null,
        callbackUrl: null,
      }),
    ])
    expect(JSON.stringify(listed)).not.toContain('demo-client')
  })

  it('cannot be read or changed by its id, unlike an installed connector', async () => {
    for (const method of ['GET', 'PATCH']) {
      const response = await operator.send(
        method,
        '/connectors/demo-google',
        method === 'PATCH' ? {} : undefined,
      )
      expect(await codeOf(response)).toEqual([400, 'connector.not_found'])
    }
    expect(await codeOf(await operator.get('/connectors/demo-discord'))).toEqual([404, 'entity.not_found'])
    expect(await codeOf(await operator.send('DELETE', '/connectors/demo-google'))).toEqual([
      404,
      'entity.not_found',
    ])
  })

  it('appears as a button in development if its target is enabled', async () => {
    expect(await buttonsOf(app)).toEqual([])
    expect((await offer(['google', 'discord'])).status).toBe(422)
    await offer(['google'])
    expect(await buttonsOf(app)).toEqual([button])
  })

  it('has a button that is marked as a demo', async () => {
    await offer(['github'])
    expect(await buttonsOf(app)).toEqual([expect.objectContaining({ name: { en: 'GitHub (demo)' } })])
  })

  it('is replaced when a connector with the same target is installed', async () => {
    await operator.send('POST', '/connectors', { connectorId: 'google-universal' })
    await offer(['google'])
    expect(await buttonsOf(app)).toEqual([expect.objectContaining({ name: { en: 'Google' } })])
  })

  it('redirects to the provider, but shows an error when the provider redirects back', async () => {
    await offer(['google'])
    const { interaction, response } = await authorize(app)
    const { redirectTo } = (await response.json()) as { redirectTo: string }
    const uri = new URL(redirectTo)
    expect(uri.origin + uri.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth')
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ client_id: 'demo-client', state: 'state' })

    const back = await interaction.call('PATCH', '/identifiers', {
      connectorId: 'demo-google',
      connectorData: { code: 'c', state: 'state', redirectUri: `${app.origin}/callback/demo-google` },
    })
    expect(await codeOf(back)).toEqual([501, 'connector.not_implemented'])
  })

  it('[ASVS-13.4.2-2] does not exist outside development', async () => {
    await offer(['google'])
    expect(await buttonsOf(openProductionApp())).toEqual([])
    const { response } = await authorize(openProductionApp())
    expect(await codeOf(response)).toEqual([404, 'entity.not_found'])
    expect(await codeOf((await authorize(app, 'demo-discord')).response)).toEqual([404, 'entity.not_found'])
  })
})

describe('unused demo connectors', () => {
  it('can be removed in the same call that changes the targets', async () => {
    await offer(['github'])
    expect(await readDemos()).toEqual([google, github])
    expect((await offer(['google'], '?removeUnusedDemoSocialConnector=true')).status).toBe(200)
    expect(await readDemos()).toEqual([google])
    expect(await buttonsOf(app)).toEqual([button])
  })

  it('can be removed without changing anything else', async () => {
    const response = await operator.send('PATCH', '/sign-in-exp?removeUnusedDemoSocialConnector=1', {})
    expect(response.status).toBe(200)
    expect(await readDemos()).toEqual([])
  })
})
