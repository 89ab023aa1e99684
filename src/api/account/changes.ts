import type { MiddlewareHandler } from 'hono'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import { refuseAboveAccountLimit } from '../../application/account-limit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { claimDpopProof } from '../../application/sessions/dpop-proof.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import { isChange } from '../request-context.ts'
import { type AccountScope, type AccountVariables, refuseProof } from './authentication.ts'

/** Nothing bounds how many of these an account has. */
const LONG_LISTS: readonly (AccountField | undefined)[] = ['sessions', 'applications']

/** Limits what one account changes through one application, and how often it reads long lists (spec/limits#account-floods). */
export const accountLimited =
  (
    dependencies: Pick<Dependencies, 'floodLimits'>,
    field: AccountField | undefined,
  ): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    const { tenantId, ip, signedIn } = c.var
    const action = { tenantId, ip, userId: signedIn.user.id, applicationId: signedIn.token.clientId }
    if (isChange(c)) await refuseAboveAccountLimit(dependencies, 'change', action)
    else if (LONG_LISTS.includes(field)) await refuseAboveAccountLimit(dependencies, 'list', action)
    await next()
  }

/** Behind the authentication of a router whose calls but GET change this field, where the tenant leaves it to users. */
export const requireEditable =
  (dependencies: Dependencies, field: AccountField): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    if (c.req.method !== 'GET') await requireEditableFields(dependencies, c.var.tenantId, [field])
    await next()
  }

/** Behind all that refuses a change before its body is read: its proof counts once. */
export const claimsProof =
  (
    { db }: Pick<Dependencies, 'db'>,
    scope: AccountScope,
  ): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    const { tenantId, proof } = c.var
    if (proof && isChange(c) && !(await claimDpopProof(db, { tenantId, api: 'account', proof }))) {
      refuseProof(c, scope)
    }
    await next()
  }
