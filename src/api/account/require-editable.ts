import type { MiddlewareHandler } from 'hono'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import type { AccountVariables } from './authentication.ts'

/** Behind the authentication of a router whose calls but GET change this field, where the tenant leaves it to users. */
export const requireEditable =
  (dependencies: Dependencies, field: AccountField): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    if (c.req.method !== 'GET') await requireEditableFields(dependencies, c.var.tenantId, [field])
    await next()
  }
