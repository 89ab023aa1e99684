import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { storableText } from '../../contract/text.schema.ts'
import { MOST_EXPORTED, UserExport } from '../../contract/user-import.schema.ts'
import { exportQuery } from '../../storage/user-export.ts'
import { jsonAnswer } from '../guard.ts'
import { type ManagementGuard, managementRefusals, managementRouter, managementSecurity } from './router.ts'

const DEFAULT_LIMIT = 100

const exportCall = createRoute({
  method: 'get',
  path: '/',
  tags: ['Users'],
  ...managementSecurity,
  summary: 'Export users',
  description:
    'Answers users with their roles in the order of their ids, in the form that an import takes, but without passwords and hashes. `next` is the `after` of the next page, or null at the end. ' +
    'Users with much custom data come in shorter pages.',
  request: {
    query: z.object({
      after: storableText(128).default(''),
      limit: z.coerce.number().int().min(1).max(MOST_EXPORTED).default(DEFAULT_LIMIT),
    }),
  },
  responses: { 200: jsonAnswer('A page of users', UserExport), ...managementRefusals },
})

export function userExportRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(exportCall, async (c) => {
    const { after, limit } = c.req.valid('query')
    const found = await exportQuery(dependencies.db, c.var.tenantId, { after, limit })
    const end = found.at(-1)
    const next = end && end.id !== end.last ? end.id : null
    return c.json(
      { users: found.map(({ last: _last, ...user }) => withoutNulls(withFlagsOfAddresses(user))), next },
      200,
    )
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
