import type { MiddlewareHandler } from 'hono'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import { enforceAccountLimit } from '../../application/account-limit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { claimDpopProof } from '../../application/sessions/dpop-proof.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import { isChange } from '../request-context.ts'
import { type AccountScope, type AccountVariables, refuseProof } from './authentication.ts'

/** The lists of an account that may grow without limit. */
const UNBOUNDED_LISTS: readonly (AccountField | undefined)[] = ['sessions', 'applications']

/**
 * Limits how much one account changes through one application, and how often it reads long lists
 * (spec/limits#account-floods).
 */
export const limitAccountCalls =
  (
    dependencies: Pick<Dependencies, 'floodLimits'>,
    field: AccountField | undefined,
  ): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    const { tenantId, ip, signedIn } = c.var
    const action = { tenantId, ip, userId: signedIn.user.id, applicationId: signedIn.token.clientId }
    if (isChange(c)) await enforceAccountLimit(dependencies, 'change', action)
    else if (UNBOUNDED_LISTS.includes(field)) await enforceAccountLimit(dependencies, 'list', action)
    await next()
  }

/**
 * Runs after authentication and refuses a change of this field unless the tenant lets users edit it. Every call of the
 * router except GET changes the field.
 */
export const requireEditable =
  (dependencies: Dependencies, field: AccountField): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    if (c.req.method !== 'GET') await requireEditableFields(dependencies, c.var.tenantId, [field])
    await next()
  }

/**
 * Claims the proof of a change, which is valid only once, after every check that can refuse the change before its body
 * is read.
 */
export const claimProofOfChange =
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
