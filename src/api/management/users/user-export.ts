import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { exportUsers } from '../../../application/users/export.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { MAX_USERS_PER_EXPORT, UserExport } from '../../../contract/users/user-import.schema.ts'
import { jsonResponse } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import {
  createManagementCallDeclarer,
  type ManagementGuard,
  managementRouter,
  requireFullAccess,
} from '../router.ts'

const declareCall = createManagementCallDeclarer('Users')

const DEFAULT_LIMIT = 100

const exportCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'exportUsers',
  summary: 'Export users',
  description:
    'Returns users with their roles, ordered by id, in the format that an import accepts, but without ' +
    'passwords and hashes. `next` is the `after` of the next page, or null at the end. Pages are shorter ' +
    'if users have a lot of custom data. Passkeys are returned with their public keys. ' +
    '`withTotpSecrets=true` adds the secrets of authenticator apps; it requires the scope `all` and, if ' +
    'a user makes the call, a sign-in within the last hour, and leaves an audit entry. Backup codes ' +
    'cannot be exported.',
  request: {
    query: z.object({
      after: storableText(128).default(''),
      limit: z.coerce.number().int().min(1).max(MAX_USERS_PER_EXPORT).default(DEFAULT_LIMIT),
      withTotpSecrets: z.enum(['true', 'false']).default('false'),
    }),
  },
  responses: { 200: jsonResponse('A page of users', UserExport) },
})

export function userExportRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(exportCall, async (c) => {
    const { after, limit, withTotpSecrets } = c.req.valid('query')
    const hasSecrets = withTotpSecrets === 'true'
    if (hasSecrets) {
      requireFullAccess(c)
      await requireOperatorStepUp(dependencies, c.var)
    }
    const secretsAudit = hasSecrets ? beginManagementAudit(c, 'Management.User.Export', {}) : null
    const page = await exportUsers(dependencies, { tenantId: c.var.tenantId, after, limit, secretsAudit })
    const users = page.users.map((user) => withoutNulls(withFlagsOfAddresses(user)))
    return c.json({ users, next: page.next }, 200)
  })
}

/** Removes the verification flags of addresses that the user does not have. */
const withFlagsOfAddresses = <
  T extends { primaryEmail: unknown; primaryPhone: unknown; emailVerified: boolean; phoneVerified: boolean },
>(
  user: T,
) => ({
  ...user,
  emailVerified: user.primaryEmail === null ? null : user.emailVerified,
  phoneVerified: user.primaryPhone === null ? null : user.phoneVerified,
})

/** Omits fields that are not set. */
const withoutNulls = <T extends object>(user: T) =>
  // The cast is safe: the remaining values keep their types, and the response schema marks the fields that may be
  // missing as optional.
  Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null)) as {
    [K in keyof T]: Exclude<T[K], null>
  }
