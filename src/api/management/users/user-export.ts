import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { exportUsers } from '../../../application/users/export.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { MAX_EXPORTED_USERS, UserExport } from '../../../contract/users/user-import.schema.ts'
import { jsonAnswer } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { type ManagementGuard, managementCalls, managementRouter, requireAll } from '../router.ts'

const declareCall = managementCalls('Users')

const DEFAULT_LIMIT = 100

const exportCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'Export users',
  description:
    'Answers users with their roles in the order of their ids, in the form that an import takes, but without passwords and hashes. `next` is the `after` of the next page, or null at the end. ' +
    'Users with much custom data come in shorter pages. Passkeys are answered with their public keys. Secrets of authenticator apps are answered with `withTotpSecrets=true`, which needs the scope `all` and, of a user who calls it, a sign-in of the last hour, and leaves an audit entry; backup codes cannot be.',
  request: {
    query: z.object({
      after: storableText(128).default(''),
      limit: z.coerce.number().int().min(1).max(MAX_EXPORTED_USERS).default(DEFAULT_LIMIT),
      withTotpSecrets: z.enum(['true', 'false']).default('false'),
    }),
  },
  answers: { 200: jsonAnswer('A page of users', UserExport) },
})

export function userExportRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(exportCall, async (c) => {
    const { after, limit, withTotpSecrets } = c.req.valid('query')
    const hasSecrets = withTotpSecrets === 'true'
    if (hasSecrets) {
      requireAll(c)
      await requireOperatorStepUp(dependencies, c.var)
    }
    const secretsAudit = hasSecrets ? beginManagementAudit(c, 'Management.User.Export', {}) : null
    const page = await exportUsers(dependencies, { tenantId: c.var.tenantId, after, limit, secretsAudit })
    const users = page.users.map((user) => withoutNulls(withFlagsOfAddresses(user)))
    return c.json({ users, next: page.next }, 200)
  })
}

/** Of an address that is not set there is nothing to say. */
const withFlagsOfAddresses = <
  T extends { primaryEmail: unknown; primaryPhone: unknown; emailVerified: boolean; phoneVerified: boolean },
>(
  user: T,
) => ({
  ...user,
  emailVerified: user.primaryEmail === null ? null : user.emailVerified,
  phoneVerified: user.primaryPhone === null ? null : user.phoneVerified,
})

/** A field that is not set is left out. */
const withoutNulls = <T extends object>(user: T) =>
  // Each value that is left has the type it had; the schema of the answer says which may be missing.
  Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null)) as {
    [K in keyof T]: Exclude<T[K], null>
  }
