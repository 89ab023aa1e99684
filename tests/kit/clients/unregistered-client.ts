import { vi } from 'vitest'
import { setTenantSettings } from '../tenant-settings.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

/** Clients that publish their metadata instead of registering (spec/provider#client-documents). */

export const AGENT = 'https://agent.example/client.json'
export const BACK = 'https://agent.example/back'

export const agentDocument = {
  client_id: AGENT,
  client_name: 'Agent',
  redirect_uris: [BACK, 'http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
}

type Answer = () => Response | Promise<Response>

/** Serves these URLs as if they were the only ones on the internet; any other URL returns 404. */
export function publish(addresses: Record<string, Answer>): { fetched: string[]; restore(): void } {
  const fetched: string[] = []
  const { fetch } = globalThis
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!/^https:\/\/(?:[\w-]+\.)*(?:example|test)\//.test(address)) return fetch(input, init)
    fetched.push(address)
    return addresses[address]?.() ?? new Response(null, { status: 404 })
  })
  return { fetched, restore: () => spy.mockRestore() }
}

export async function appForAgents(more: object = {}): Promise<TestApp> {
  const unregisteredClients = {
    enabled: true,
    scopes: ['openid', 'profile', 'offline_access'] as ('openid' | 'profile' | 'offline_access')[],
    resources: null,
    ...more,
  }
  await setTenantSettings(openTestApp(), {
    unregisteredClients,
    accountCentre: { enabled: true },
  })
  return openTestApp()
}
