import { SECRET_PLACEHOLDER } from '../../contract/connectors/connectors.ts'
import { DEMO_APP_ID, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { findMissingScopes } from '../../domain/access/administration.ts'
import { type HolderScope, ownApiScopesQuery } from '../../storage/access/administration.ts'
import { type ApplicationRow, getApplicationWithRole } from '../../storage/applications/applications.ts'
import type { Principal } from '../access/management-token.ts'
import type { Dependencies } from '../dependencies.ts'
import { findOperatorStepUpRefusal } from '../sessions/step-up.ts'

type Search = { tenantId: string; id: string; origin: string }

/** Finds an application, which may be built in, and reports whether it has the administrator role. */
export async function findApplicationById(
  dependencies: Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, id, origin }: Search,
): Promise<ApplicationRow & { isAdmin: boolean }> {
  if (id === DEMO_APP_ID) return getDemoApp(tenantId, origin)
  const application = await getApplicationWithRole(dependencies, tenantId, id)
  return application ?? refuseWith('entity.not_exists_with_id', { id })
}

/**
 * Returns the demo application. It has no row (spec/provider#built-in-clients) and, being a public client, no secret.
 */
export const getDemoApp = (tenantId: string, origin: string) => ({
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
  secretCreatedAt: 0,
  previousSecret: null,
  claims: null,
  isAdmin: false,
})

type Caller = { tenantId: string; scopes: ReadonlySet<string>; principal: Principal }

/**
 * Returns applications, omitting the secrets of those that the caller may not change. Users see the secret of an
 * application with scopes of our own APIs only after a recent sign-in (spec/management#withheld-secrets).
 */
export async function redactUnmanageableSecrets<A extends { id: string; secret: string }>(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  { tenantId, scopes, principal }: Caller,
  applications: readonly A[],
): Promise<A[]> {
  const isOwner = scopes.has(MANAGEMENT_SCOPE.name)
  if (isOwner && principal.type === 'app') return [...applications]
  const ids = applications.filter(({ secret }) => secret !== '').map(({ id }) => id)
  const mayChange = isOwner || scopes.has('applications:write')
  const ownApiScopes =
    mayChange && ids.length > 0
      ? await ownApiScopesQuery(dependencies.db, tenantId, { kind: 'application', ids })
      : []
  const lacks = (own: ReadonlySet<string>) => (id: string) =>
    findMissingScopes(own, scopesOf(ownApiScopes, id)).length > 0
  const isAbove = lacks(scopes)
  const isOperator = lacks(NO_SCOPES)
  const needsProof = ids.some((id) => isOperator(id) && !isAbove(id))
  const isProven = !needsProof || !(await findOperatorStepUpRefusal(dependencies, { tenantId, principal }))
  return applications.map((application) =>
    application.secret === '' ||
    (mayChange && !isAbove(application.id) && (isProven || !isOperator(application.id)))
      ? application
      : { ...application, secret: SECRET_PLACEHOLDER },
  )
}

const NO_SCOPES: ReadonlySet<string> = new Set()
const scopesOf = (scopes: readonly HolderScope[], holder: string) => scopes.filter(({ id }) => id === holder)
