import { z } from 'zod'
import { type Refusal, refuse } from '../../contract/errors.ts'
import { isRefusal } from '../../contract/refused.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import type { ModelRow } from '../../storage/interactions/oidc-models.ts'
import type { UserRow } from '../../storage/users/users.ts'

/**
 * The provider's own row of an interaction, read without the library: a call of the interaction API has the id already
 * and reads the row together with everything else it needs (spec/interaction#lookup).
 */
export type OidcInteraction = {
  uid: string
  clientId: string
  /** Where the browser goes once the interaction is concluded: absolute, under /oidc/auth/. */
  returnTo: string
  prompt: { name: string; details: Record<string, unknown> }
  params: Record<string, unknown>
  session: { accountId: string; uid: string } | null
  grantId: string | null
  lastSubmission: Record<string, unknown>
  /** The last password reset in this interaction, which does not conclude it (spec/interaction#after-reset). */
  reset: string | undefined
  /** A login, a consent or an error was written: only the resume can follow. */
  isConcluded: boolean
  /** Of a login that was written. `ts` in epoch seconds. */
  login: { accountId: string; ts: number; amr: readonly string[] } | undefined
}

const Payload = z.object({
  returnTo: z.string(),
  prompt: z.object({ name: z.string(), details: z.record(z.string(), z.unknown()).default({}) }),
  params: z.record(z.string(), z.unknown()),
  /** Without a `uid` once another account has signed in: the library forgets which session it was before it asks about that. */
  session: z.object({ accountId: z.string(), uid: z.string().optional() }).optional(),
  grantId: z.string().optional(),
  lastSubmission: z.record(z.string(), z.unknown()).optional(),
  result: z
    .object({
      reset: z.string().optional(),
      login: z
        .object({ accountId: z.string(), ts: z.number(), amr: z.array(z.string()).default([]) })
        .optional(),
    })
    .loose()
    .optional(),
})

const SessionPayload = z.object({
  accountId: z.string().optional(),
  loginTs: z.number().default(0),
  exemptedAt: z.number().optional(),
})

/** The rows that `readOpenInteraction` finds. */
type InteractionRows = {
  interaction: readonly ModelRow[]
  session: readonly ModelRow[]
  user: readonly UserRow[]
}

/**
 * The two session checks of the library's `interactionDetails`, and one of ours: the user's sessions were not revoked in
 * the meantime (spec/interaction#lookup).
 */
export function checkInteraction(
  { interaction: [row], session: [session], user: [user] }: InteractionRows,
  now: number,
): OidcInteraction | Refusal {
  if (!row || row.consumedAt !== null || row.expiresAt <= now)
    return notFound('interaction session not found')

  const payload = Payload.parse(row.payload)
  const own = payload.session && ownSession(payload.session, { session, user }, now)
  if (isRefusal(own)) return own

  const { reset, ...conclusion } = payload.result ?? {}
  return {
    uid: row.id,
    clientId: String(payload.params.client_id),
    returnTo: payload.returnTo,
    prompt: payload.prompt,
    params: payload.params,
    session: own ?? null,
    grantId: payload.grantId ?? null,
    lastSubmission: payload.lastSubmission ?? {},
    reset,
    isConcluded: Object.keys(conclusion).length > 0,
    login: conclusion.login,
  }
}

/** The login session that an interaction belongs to, if its user still has it. */
function ownSession(
  { accountId, uid }: NonNullable<z.infer<typeof Payload>['session']>,
  { session, user }: { session: ModelRow | undefined; user: UserRow | undefined },
  now: number,
): NonNullable<OidcInteraction['session']> | Refusal {
  if (uid === undefined || !session || session.expiresAt <= now) return notFound('session not found')
  const { accountId: present, loginTs: madeAt, exemptedAt } = SessionPayload.parse(session.payload)
  if (present !== accountId) return notFound('session principal changed')
  return isRevoked(user, { madeAt, exemptedAt }) ? notFound('session not found') : { accountId, uid }
}

const notFound = (description: string) => refuse('session.not_found', { error_description: description })
