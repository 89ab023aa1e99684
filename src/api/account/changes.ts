import type { MiddlewareHandler } from 'hono'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import { enforceAccountLimit } from '../../application/account-limit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { claimDpopProof } from '../../application/sessions/dpop-proof.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import { changesState } from '../request-context.ts'
import { type AccountScope, type AccountVariables, refuseProof } from './authentication.ts'

/** The account API's lists that can grow without a limit. */
const UNBOUNDED_LISTS: readonly (AccountField | undefined)[] = ['sessions', 'applications']

/** Limits how often one application may change an account or read its long lists (spec/limits#account-floods). */
export const limitAccountCalls =
  (
    dependencies: Pick<Dependencies, 'floodLimits'>,
    field: AccountField | undefined,
  ): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    const { tenantId, ip, signedIn } = c.var
    const action = { tenantId, ip, userId: signedIn.user.id, applicationId: signedIn.token.clientId }
    if (changesState(c)) await enforceAccountLimit(dependencies, 'change', action)
    else if (UNBOUNDED_LISTS.includes(field)) await enforceAccountLimit(dependencies, 'list', action)
    await next()
  }

/**
 * Rejects changes to this field unless the tenant lets users edit it. All calls of the router except GET are treated as
 * changes. Runs after authentication.
 */
export const requireEditable =
  (dependencies: Dependencies, field: AccountField): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    if (c.req.method !== 'GET') await requireEditableFields(dependencies, c.var.tenantId, [field])
    await next()
  }

/**
 * Claims the single-use DPoP proof of a change. Runs after every check that does not need the request body, so that a
 * rejected change does not use up the proof.
 */
export const claimDpopProofForChange =
  (
    { db }: Pick<Dependencies, 'db'>,
    scope: AccountScope,
  ): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    const { tenantId, proof } = c.var
    if (proof && changesState(c) && !(await claimDpopProof(db, { tenantId, api: 'account', proof }))) {
      refuseProof(c, scope)
    }
    await next()
  }
