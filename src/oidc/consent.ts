import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../storage/database.ts'
import { randomId } from '../storage/ids.ts'
import { modelQuery, writeModel } from '../storage/oidc-models.ts'
import { setFirstApplication } from '../storage/users.ts'
import type { OidcInteraction } from './interactions.ts'

const GRANT_SECONDS = 14 * 24 * 3600 // contract 4.2

const Missing = z.object({
  missingOIDCScope: z.array(z.string()).default([]),
  missingResourceScopes: z.record(z.string(), z.array(z.string())).default({}),
})

const GrantPayload = z
  .object({
    iat: z.number(),
    exp: z.number(),
    openid: z.object({ scope: z.string().optional() }).loose().optional(),
    resources: z.record(z.string(), z.string()).optional(),
  })
  .loose()

/**
 * What POST /consent writes (contract 1.3): the grant, completed with everything the prompt found missing, and the
 * user's first application. In the shape of the library's Grant, which a test reads back through the library.
 */
export async function consentStatements(
  db: Database,
  tenantId: string,
  { session, clientId, grantId: known, prompt }: OidcInteraction,
  condition: SQL,
  now: number,
) {
  if (!session) throw new Error('Consent without a session was let through')
  const { accountId } = session
  const [row] = known ? await modelQuery(db, { tenantId, modelName: 'Grant', id: known }) : []

  const grantId = row?.id ?? randomId(43)
  const iat = Math.floor(now / 1000)
  const before = row
    ? GrantPayload.parse(row.payload)
    : { kind: 'Grant', jti: grantId, accountId, clientId, iat, exp: iat + GRANT_SECONDS }
  const missing = Missing.parse(prompt.details)
  const payload = {
    ...before,
    openid: { ...before.openid, scope: joined(before.openid?.scope, missing.missingOIDCScope) },
    resources: {
      ...before.resources,
      ...Object.fromEntries(
        Object.entries(missing.missingResourceScopes).map(([indicator, scopes]) => [
          indicator,
          joined(before.resources?.[indicator], scopes),
        ]),
      ),
    },
  }

  return {
    grantId,
    statements: [
      writeModel(
        db,
        { tenantId, modelName: 'Grant', id: grantId, payload, expiresAt: before.exp * 1000 },
        { onConflict: 'replace', condition },
      ),
      setFirstApplication(db, tenantId, accountId, clientId),
    ] as const,
  }
}

const joined = (before = '', more: readonly string[]) =>
  [...new Set([...before.split(' ').filter(Boolean), ...more])].join(' ')
