import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import type { Tenant } from '../tenant.ts'

/** The pages of the console, for a tenant with one entity of each type. */

/** Creates one entity of each type, so that every page has something to show. */
export async function fillTenant({ call, createUser }: Tenant) {
  const { id: application } = await call<{ id: string }>('POST', '/applications', {
    name: 'Web shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: ['https://shop.example.com/callback'], postLogoutRedirectUris: [] },
  })
  const { id: connector } = await call<{ id: string }>('POST', '/connectors', {
    connectorId: 'google-universal',
    id: 'google',
    config: { clientId: 'client', clientSecret: 'secret' },
  })
  const username = freshName()
  const { id: user } = await createUser({ username, name: 'Ada Lovelace', password: PASSWORD })
  const { id: role } = await call<{ id: string }>('POST', '/roles', { name: 'Editor', description: 'Edits' })
  const { id: api } = await call<{ id: string }>('POST', '/resources', {
    name: 'Orders',
    indicator: 'https://orders.example.com',
  })
  const { id: hook } = await call<{ id: string }>('POST', '/hooks', {
    event: 'PostRegister',
    config: { url: 'https://hooks.example.com', retries: 3 },
  })
  const { id: organization } = await call<{ id: string }>('POST', '/organizations', {
    name: 'Acme',
    ownerId: user,
    brand: { color: '#0a7d55' },
  })
  return { organization, application, connector, user, role, api, hook, ...(await findSignInRow(call)) }
}

/** Returns a log row from the administrator's sign-in. */
async function findSignInRow(call: Tenant['call']) {
  type Row = { id: string; payload: { interactionId?: string } }
  const rows = await call<Row[]>('GET', '/logs')
  const row = rows.find(({ payload }) => payload.interactionId)
  if (!row) throw new Error('no row of a sign-in in the log')
  return { log: row.id, interaction: row.payload.interactionId }
}

/** Returns the paths of all the console's pages for a tenant, relative to `/console`. */
export const consolePaths = (ids: Awaited<ReturnType<typeof fillTenant>>) => [
  '/',
  '/applications',
  '/applications/~new',
  `/applications/${ids.application}`,
  `/applications/${ids.application}/guide`,
  ...['', '/sign-in', '/terms', '/languages'].map((part) => `/experience${part}`),
  '/connectors',
  '/connectors/new/google-universal',
  '/connectors/new/http-email',
  `/connectors/${ids.connector}`,
  '/users',
  '/users/import',
  '/users/export',
  '/users/invitations',
  ...['', '/security', '/sessions', '/access', '/organizations', '/activity'].map(
    (part) => `/users/${ids.user}${part}`,
  ),
  '/organizations',
  ...['', '/members', '/services', '/invitations', '/domains', '/activity'].map(
    (part) => `/organizations/${ids.organization}${part}`,
  ),
  '/organizations/~roles',
  '/organizations/~roles/owner',
  '/organizations/~scopes',
  '/access',
  '/access/apis',
  '/access/administrators',
  '/access/roles/admin-role',
  `/access/roles/${ids.role}`,
  `/access/apis/${ids.api}`,
  '/hooks',
  `/hooks/${ids.hook}`,
  '/log',
  '/log/failed-requests',
  `/log/${ids.log}`,
  `/log/interactions/${ids.interaction}`,
  ...[
    '',
    '/account-centre',
    '/limits',
    '/addresses',
    '/clients',
    '/organizations',
    '/keys',
    '/deployment',
  ].map((part) => `/settings${part}`),
  '/as-code',
  '/no-such-page',
]
