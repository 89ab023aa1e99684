import { DEMO_APP_ID } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
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
  type: 'SPA' as const,
  oidcClientMetadata: {
    redirectUris: [`${origin}/demo-app`],
    postLogoutRedirectUris: [`${origin}/demo-app`],
  },
  customClientMetadata: {},
  createdAt: 0,
  isAdmin: false,
})
