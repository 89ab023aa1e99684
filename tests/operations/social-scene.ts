import { expect } from 'vitest'
import { startUpstream } from '../journeys/social/upstream.ts'
import { providerAccounts } from '../journeys/social/upstream-accounts.ts'
import { registerConnector } from '../journeys/social/upstream-connectors.ts'
import { answerAt } from '../journeys/social/upstream-sign-in.ts'
import { freshName } from '../kit/clients/cookie-client.ts'
import { startEcho } from './echo-server.ts'
import { beginInteraction, freshPassword, type RecordedRun } from './recorded-client.ts'

/** Signs in with a working social provider, and then with one that fails and echoes each request. */
export async function social(walk: RecordedRun): Promise<void> {
  const upstream = await startUpstream()
  const echo = await startEcho()
  try {
    const id = 'run-oidc'
    const installed = await registerConnector(upstream, 'oidc', { id, origin: walk.server.origin })
    await walk.make('/connectors', installed)
    await walk.manage('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: [id] })
    const { interaction, finish } = await arriveBy(walk, id)
    expect(await finish()).toBe(204)
    await interaction.call('POST', '/submit')
    await interaction.call('PUT', '/event', { event: 'Register' })
    await interaction.call('PATCH', '/profile', { connectorId: id })
    await interaction.call('PATCH', '/profile', { username: freshName() })
    await interaction.enter()

    const failing = await registerConnector(upstream, 'oauth2', {
      id: 'run-echo',
      origin: walk.server.origin,
    })
    const config = { ...failing.config, clientSecret: freshPassword(), tokenEndpoint: `${echo.url}/token` }
    await walk.make('/connectors', { ...failing, config })
    await walk.manage('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: [id, 'run-echo'] })
    const again = await arriveBy(walk, 'run-echo')
    expect(await again.finish()).toBeGreaterThanOrEqual(400)
    expect(echo.requests).toHaveLength(1)
  } finally {
    upstream.close()
    echo.close()
  }
}

async function arriveBy(walk: RecordedRun, connectorId: string) {
  const { server, secrets } = walk
  const interaction = await beginInteraction(walk)
  await interaction.call('PUT', '', { event: 'SignIn' })
  const state = `${interaction.uid}.${crypto.randomUUID()}`
  secrets.add('state', state.split('.')[1])
  const answer = await interaction.call('POST', '/verification/social-authorization-uri', {
    connectorId,
    state,
    redirectUri: `${server.origin}/callback/${connectorId}`,
  })
  const { redirectTo } = (await answer.json()) as { redirectTo: string }
  const back = await answerAt(redirectTo, providerAccounts.ann)
  secrets.add('code of the provider', back.url.searchParams.get('code'))
  const callback = await interaction.client.get(back.url.pathname + back.url.search)
  const page = new URL(callback.headers.get('location') ?? '/lost', server.origin)
  const { interaction: _interaction, ...connectorData } = Object.fromEntries(page.searchParams)
  await interaction.client.get(page.pathname + page.search, { accept: 'text/html' })
  return {
    interaction,
    finish: async () =>
      (await interaction.call('PATCH', '/identifiers', { connectorId, connectorData })).status,
  }
}
