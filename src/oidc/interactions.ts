import { z } from 'zod'
import { type Refusal, refuse } from '../contract/errors.ts'
import { isRevoked } from '../domain/revocation.ts'
import type { ModelRow } from '../storage/oidc-models.ts'
import type { UserRow } from '../storage/users.ts'

/**
 * The provider's own record of an interaction, read without going through the library (decision 4): the
 * interaction API has the id already and reads the row together with everything else it needs.
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
  /** The last password reset done in this interaction, which is no conclusion (decision 8). */
  reset: string | undefined
  /** A login, a consent or an error was written: nothing but the resume can follow. */
  isConcluded: boolean
}

const Payload = z.object({
  returnTo: z.string(),
  prompt: z.object({ name: z.string(), details: z.record(z.string(), z.unknown()).default({}) }),
  params: z.record(z.string(), z.unknown()),
  session: z.object({ accountId: z.string(), uid: z.string() }).optional(),
  grantId: z.string().optional(),
  lastSubmission: z.record(z.string(), z.unknown()).optional(),
  result: z.object({ reset: z.string().optional() }).loose().optional(),
})

const SessionPayload = z.object({ accountId: z.string().optional(), loginTs: z.number().default(0) })

/** What `interactionQueries` answers. */
type Found = readonly [rows: readonly ModelRow[], sessions: readonly ModelRow[], users: readonly UserRow[]]

/**
 * The row and its session checks: the two of the library's `interactionDetails` (contract 1.1), and ours, that nobody was
 * signed out everywhere meanwhile (decision 15).
 */
export function checkInteraction([[row], [session], [user]]: Found, now: number): OidcInteraction | Refusal {
  if (!row || row.expiresAt <= now) return notFound('interaction session not found')

  const payload = Payload.parse(row.payload)
  if (payload.session) {
    if (!session || session.expiresAt <= now) return notFound('session not found')
    const { accountId, loginTs } = SessionPayload.parse(session.payload)
    if (accountId !== payload.session.accountId) return notFound('session principal changed')
    if (isRevoked(user, loginTs)) return notFound('session not found')
  }

  const { reset, ...conclusion } = payload.result ?? {}
  return {
    uid: row.id,
    clientId: String(payload.params.client_id),
    returnTo: payload.returnTo,
    prompt: payload.prompt,
    params: payload.params,
    session: payload.session ?? null,
    grantId: payload.grantId ?? null,
    lastSubmission: payload.lastSubmission ?? {},
    reset,
    isConcluded: Object.keys(conclusion).length > 0,
  }
}

const notFound = (description: string) => refuse('session.not_found', { error_description: description })
