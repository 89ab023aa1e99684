import { inject } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { type Application, type ApplicationMetadata, openApplication } from './applications/application.ts'
import { bearerToken, callsOf, type ManagementCall, type NewUser } from './management.ts'

/** A tenant with its own host, whose settings can change while other test files run. */
export type Tenant = {
  origin: string
  /** Calls the management API of the tenant. */
  call: ManagementCall
  /** Changes the sign-in experience. */
  offer(experience: Record<string, unknown>): Promise<void>
  createUser(user: Record<string, unknown>): Promise<NewUser>
  /** Creates a user who can sign in with the returned username and `PASSWORD`. */
  registeredName(): Promise<string>
  openApplication(name?: string, metadata?: ApplicationMetadata): Promise<Application>
  /** Returns the code of the newest message to an address. */
  codeTo(address: string): Promise<string>
}

const tenants = new Map<string, Promise<ManagementCall>>()

/** The colours of a tenant with a dark theme. */
export const bothThemes = { primaryColor: '#6139F6', isDarkModeEnabled: true, darkPrimaryColor: '#8768F8' }

/** Opens a tenant with the default settings, changed by `experience`. */
export async function openTenant(
  experience: Record<string, unknown> = {},
  options: { id?: string } = {},
): Promise<Tenant> {
  const services = await servicesOfDefault()
  const { origin } = await services<{ origin: string }>('POST', '/tenants', options)
  const tenant = await tenantAt(origin)
  if (Object.keys(experience).length > 0) await tenant.offer(experience)
  return tenant
}

export async function tenantAt(origin: string): Promise<Tenant> {
  const call = callsOf(origin, await bearerToken(origin))
  const createUser = (user: Record<string, unknown>) => call<NewUser>('POST', '/users', user)
  return {
    origin,
    call,
    createUser,
    offer: (experience) => call('PATCH', '/sign-in-exp', experience),
    async registeredName() {
      const username = freshName()
      await createUser({ username, password: PASSWORD })
      return username
    },
    openApplication: (name = 'Application', metadata = {}) =>
      openApplication({ origin, call }, name, metadata),
    async codeTo(address) {
      const to = encodeURIComponent(address)
      const answer = await fetch(`${origin}/dev/inbox.json?to=${to}`)
      const messages = (await answer.json()) as { code: string }[]
      const newest = messages.find(({ code }) => code !== '')
      if (!newest) throw new Error(`no code to ${address}`)
      return newest.code
    },
  }
}

/**
 * Returns the management API of the tenant `default`, which can create tenants. Each worker process uses one
 * token.
 */
function servicesOfDefault(): Promise<ManagementCall> {
  const origin = inject('origin')
  const known = tenants.get(origin)
  if (known) return known
  const made = bearerToken(origin, { resource: 'urn:vestibule:services', scope: 'manage:tenant' }).then(
    (token) => callsOf(origin, token),
  )
  tenants.set(origin, made)
  return made
}
