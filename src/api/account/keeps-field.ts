import type { MiddlewareHandler } from 'hono'
import { refuseKeptFields } from '../../application/account/account-fields.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import type { AccountVariables } from './authentication.ts'

export type KeptField = AccountField

/** Behind the authentication of a router whose calls but GET change this field, where the tenant leaves it to users. */
export const keepsField =
  (dependencies: Dependencies, field: AccountField): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    if (c.req.method !== 'GET') await refuseKeptFields(dependencies, c.var.tenantId, [field])
    await next()
  }
