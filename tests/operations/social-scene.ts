import { expect } from 'vitest'
import { startUpstream } from '../journeys/upstream.ts'
import { registerConnector } from '../journeys/upstream-connectors.ts'
import { people } from '../journeys/upstream-people.ts'
import { answerAt } from '../journeys/upstream-walk.ts'
import { freshName } from '../visitor.ts'
import { startEcho } from './echo-server.ts'
import { arrive, freshPassword, type Walk } from './walk.ts'

/** Somebody comes by way of a real provider; then by one that fails and says back what it was told. */
export async function social(walk: Walk): Promise<void> {
  const upstream = await startUpstream()
  const echo = await startEcho()
  try {
    const id = 'run-oidc'
    const installed = await registerConnector(upstream, 'oidc', { id, origin: walk.server.origin })
    await walk.make('/connectors', installed)
    const { guest, finish } = await arriveBy(walk, id)
    expect(await finish()).toBe(204)
    await guest.call('POST', '/submit')
    await guest.call('PUT', '/event', { event: 'Register' })
    await guest.call('PATCH', '/profile', { connectorId: id })
    await guest.call('PATCH', '/profile', { username: freshName() })
    await guest.enter()

    const failing = await registerConnector(upstream, 'oauth2', {
      id: 'run-echo',
      origin: walk.server.origin,
    })
    const config = { ...failing.config, clientSecret: freshPassword(), tokenEndpoint: `${echo.url}/token` }
    await walk.make('/connectors', { ...failing, config })
    const again = await arriveBy(walk, 'run-echo')
    expect(await again.finish()).toBeGreaterThanOrEqual(400)
    expect(echo.heard).toHaveLength(1)
  } finally {
    upstream.close()
    echo.close()
  }
}

async function arriveBy(walk: Walk, connectorId: string) {
  const { server, secrets } = walk
  const guest = await arrive(walk)
  await guest.call('PUT', '', { event: 'SignIn' })
  const state = `${guest.uid}.${crypto.randomUUID()}`
  secrets.add('state', state.split('.')[1])
  const answer = await guest.call('POST', '/verification/social-authorization-uri', {
    connectorId,
    state,
    redirectUri: `${server.origin}/callback/${connectorId}`,
  })
  const { redirectTo } = (await answer.json()) as { redirectTo: string }
  const back = await answerAt(redirectTo, people.ann)
  secrets.add('code of the provider', back.url.searchParams.get('code'))
  const callback = await guest.visitor.get(back.url.pathname + back.url.search)
  const page = new URL(callback.headers.get('location') ?? '/lost', server.origin)
  const { interaction: _interaction, ...connectorData } = Object.fromEntries(page.searchParams)
  await guest.visitor.get(page.pathname + page.search, { accept: 'text/html' })
  return {
    guest,
    finish: async () => (await guest.call('PATCH', '/identifiers', { connectorId, connectorData })).status,
  }
}
