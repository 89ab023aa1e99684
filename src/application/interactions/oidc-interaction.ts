import { z } from 'zod'
import { type Refusal, refuse } from '../../contract/errors.ts'
import { isRefusal } from '../../contract/refused.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import type { ModelRow } from '../../storage/interactions/oidc-models.ts'
import type { UserRow } from '../../storage/users/users.ts'

/**
 * The provider's data about an interaction, read without the OIDC library. The interaction API knows the id, so it can
 * read the row together with everything else that a request needs (spec/interaction#lookup).
 */
export type OidcInteraction = {
  uid: string
  clientId: string
  /** The absolute URL under /oidc/auth/ at which the browser continues after the interaction. */
  returnTo: string
  prompt: { name: string; details: Record<string, unknown> }
  params: Record<string, unknown>
  session: { accountId: string; uid: string } | null
  grantId: string | null
  lastSubmission: Record<string, unknown>
  /**
   * The name of the last password reset in this interaction. Resetting a password does not conclude the interaction
   * (spec/interaction#after-reset).
   */
  reset: string | undefined
  /** True if the interaction has the result of a login or consent, or an error. It can then only be resumed. */
  isConcluded: boolean
  /** The result of the login, if there is one, with `ts` in epoch seconds. */
  login: { accountId: string; ts: number; amr: readonly string[] } | undefined
}

const Payload = z.object({
  returnTo: z.string(),
  prompt: z.object({ name: z.string(), details: z.record(z.string(), z.unknown()).default({}) }),
  params: z.record(z.string(), z.unknown()),
  /** The login session. The library drops the session when another account signs in, and `uid` is then missing. */
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

/** The rows that are needed to check an interaction. */
type InteractionRows = {
  interaction: readonly ModelRow[]
  session: readonly ModelRow[]
  user: readonly UserRow[]
}

/**
 * Checks an interaction with the two session checks of the library's `interactionDetails`. Also checks that the user's
 * sessions have not been revoked since (spec/interaction#lookup). `endedCode` is the error if the interaction has ended.
 */
export function checkInteraction(
  { interaction: [row], session: [session], user: [user] }: InteractionRows,
  now: number,
  endedCode?: 'session.already_submitted',
): OidcInteraction | Refusal {
  if (row && row.consumedAt !== null && row.expiresAt > now && endedCode) return refuse(endedCode)
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

/**
 * Returns the login session of an interaction, or an error if that session no longer exists, was revoked or belongs to
 * another user.
 */
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
