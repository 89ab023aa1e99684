import { SECRET_PLACEHOLDER } from '../contract/connectors.ts'
import { DEMO_APP_ID, MANAGEMENT_SCOPE } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
import { lackedScopes } from '../domain/administration.ts'
import { type HeldScope, ownApiScopesQuery } from '../storage/administration.ts'
import { type ApplicationRow, getApplicationWithRole } from '../storage/applications.ts'
import type { Dependencies } from './dependencies.ts'

type Search = { tenantId: string; id: string; origin: string }

/** An application, also the built-in one, and whether it administers its tenant. */
export async function findApplicationById(
  dependencies: Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, id, origin }: Search,
): Promise<ApplicationRow & { isAdmin: boolean }> {
  if (id === DEMO_APP_ID) return demoApp(tenantId, origin)
  const found = await getApplicationWithRole(dependencies, tenantId, id)
  return found ?? refuseWith('entity.not_exists_with_id', { id })
}

/** Without a row (spec/provider#built-in-clients), and without a secret: a public client cannot keep one. */
export const demoApp = (tenantId: string, origin: string) => ({
  tenantId,
  id: DEMO_APP_ID,
  name: 'Live Preview',
  secret: '',
  description: null,
  secondFactorPolicy: null,
  rememberDays: null,
  type: 'SPA' as const,
  oidcClientMetadata: {
    redirectUris: [`${origin}/demo-app`],
    postLogoutRedirectUris: [`${origin}/demo-app`],
  },
  customClientMetadata: {},
  createdAt: 0,
  isAdmin: false,
})

type Caller = { tenantId: string; scopes: ReadonlySet<string> }

/** Applications as a caller may see them: with the secrets of those that it may change (spec/management#withheld-secrets). */
export async function visibleApplications<A extends { id: string; secret: string }>(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, scopes }: Caller,
  found: readonly A[],
): Promise<A[]> {
  if (scopes.has(MANAGEMENT_SCOPE.name)) return [...found]
  const ids = found.map(({ id }) => id)
  const mayChange = scopes.has('applications:write')
  const held =
    mayChange && ids.length > 0 ? await ownApiScopesQuery(db, tenantId, { kind: 'application', ids }) : []
  const isAbove = (id: string) => lackedScopes(scopes, heldBy(held, id)).length > 0
  return found.map((application) =>
    application.secret === '' || (mayChange && !isAbove(application.id))
      ? application
      : { ...application, secret: SECRET_PLACEHOLDER },
  )
}

const heldBy = (held: readonly HeldScope[], holder: string) => held.filter(({ id }) => id === holder)
