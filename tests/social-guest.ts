import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { arrive, type Guest } from './guest.ts'
import type { House } from './house.ts'
import { registerConnector, type UpstreamKind } from './journeys/upstream-connectors.ts'
import type { Person } from './journeys/upstream-people.ts'
import { answerAt, type WayBack } from './journeys/upstream-walk.ts'
import { newOperator } from './operator.ts'
import { freshName, newVisitor, ORIGIN } from './visitor.ts'

/** Installs connectors to the upstream servers through the management API; their ids are their kinds. */
export async function installUpstream(
  house: House,
  kinds: readonly UpstreamKind[],
  more: { syncProfile?: boolean } = {},
): Promise<void> {
  const operator = await newOperator(house)
  for (const kind of kinds) {
    const installation = await registerConnector(env.TEST_UPSTREAM, kind, { id: kind, origin: ORIGIN })
    const installed = await operator.send('POST', '/connectors', { ...installation, ...more })
    expect(installed.status).toBe(200)
  }
}

/** Somebody the upstream servers know from now on. */
export async function newPerson(known: Partial<Person> = {}): Promise<Person> {
  const person = { id: freshName(), name: 'Ann Lovelace', ...known }
  await fetch(`${env.TEST_UPSTREAM.openid}/people`, { method: 'POST', body: JSON.stringify(person) })
  return person
}

/** A visitor who signs in by the account they have somewhere else. */
export type SocialGuest = Guest & {
  /** Asks where to go. */
  ask(connectorId: string, state?: string): Promise<Response>
  /** Goes there, says who they are, and comes back to the page; answers what it has to send. Null says no. */
  visit(connectorId: string, person: Pick<Person, 'id'> | null): Promise<Record<string, string>>
  /** Shows with what they came back. */
  show(connectorId: string, connectorData: Record<string, unknown>): Promise<Response>
  /** All three. */
  proveBy(connectorId: string, person: Pick<Person, 'id'> | null): Promise<Response>
}

export async function arriveSocially(house: House, visitor = newVisitor(house)): Promise<SocialGuest> {
  const guest = await arrive(house, visitor)
  const stateOf = () => `${guest.uid}.${Math.random().toString(36).slice(2).padEnd(11, 'x')}`

  const ask: SocialGuest['ask'] = (connectorId, state = stateOf()) =>
    guest.call('POST', '/verification/social-authorization-uri', {
      connectorId,
      state,
      redirectUri: `${ORIGIN}/callback/${connectorId}`,
    })
  const visit: SocialGuest['visit'] = async (connectorId, person) => {
    const asked = await ask(connectorId)
    expect(asked.status).toBe(200)
    const { redirectTo } = (await asked.json()) as { redirectTo: string }
    const page = await comeBack(guest.visitor, await answerAt(redirectTo, person))
    expect(page.pathname).toBe(`/sign-in/social/${connectorId}`)
    const { interaction, ...data } = Object.fromEntries(page.searchParams)
    expect(interaction).toBe(guest.uid)
    return data
  }
  const show: SocialGuest['show'] = (connectorId, connectorData) =>
    guest.call('PATCH', '/identifiers', { connectorId, connectorData })

  return {
    ...guest,
    ask,
    visit,
    show,
    proveBy: async (connectorId, person) => show(connectorId, await visit(connectorId, person)),
  }
}

/** Through /callback to the page, as a browser follows the way back. */
export async function comeBack({ get, post }: Guest['visitor'], { url, form }: WayBack): Promise<URL> {
  const crossSite = { origin: url.origin, 'sec-fetch-site': 'cross-site' }
  let response = form ? await post(url.pathname, form, crossSite) : await get(url.pathname + url.search)
  if (url.hash) {
    // No server sees a fragment: the page that it leads to sends it once more, as a query.
    expect(response.status).toBe(303)
    response = await get(`${url.pathname}?${url.hash.slice(1)}`)
  }
  for (;;) {
    expect(response.status).toBe(303)
    const next = new URL(response.headers.get('location') ?? '', ORIGIN)
    if (!next.pathname.startsWith('/callback/')) return next
    response = await get(next.pathname + next.search)
  }
}

/** Everything of an account that a social sign-in may touch. */
export type StoredUser = {
  id: string
  primary_email: string | null
  primary_phone: string | null
  name: string | null
  avatar: string | null
  identities: Record<string, { userId: string; details: unknown }>
  last_sign_in_at: number | null
}

export async function addUser(
  house: House,
  { email, phone, identity }: { email?: string; phone?: string; identity?: [target: string, id: string] },
): Promise<string> {
  const id = crypto.randomUUID().slice(-12)
  const identities = identity ? { [identity[0]]: { userId: identity[1], details: { id: identity[1] } } } : {}
  await house.env.DB.prepare(
    `insert into users (tenant_id, id, primary_email, primary_phone, identities, created_at)
     values ('default', ?, ?, ?, ?, 0)`,
  )
    .bind(id, email ?? null, phone ?? null, JSON.stringify(identities))
    .run()
  return id
}

const COLUMNS = 'id, primary_email, primary_phone, name, avatar, identities, last_sign_in_at'

export const userById = (house: House, id: string) => oneUser(house, 'id = ?1', [id])
/** Whose identity this is. */
export const userByIdentity = (house: House, target: string, id: string) =>
  oneUser(house, "json_extract(identities, '$.' || ?1 || '.userId') = ?2", [target, id])

async function oneUser(house: House, condition: string, values: string[]): Promise<StoredUser | null> {
  const { results } = await house.env.DB.prepare(`select ${COLUMNS} from users where ${condition}`)
    .bind(...values)
    .all<Omit<StoredUser, 'identities'> & { identities: string }>()
  expect(results.length).toBeLessThan(2)
  const [row] = results
  return row ? { ...row, identities: JSON.parse(row.identities) } : null
}
