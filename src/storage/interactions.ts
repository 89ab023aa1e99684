import type { KVNamespace } from '@cloudflare/workers-types'
import type { Interaction, NavigationState } from '../contract/interaction.ts'
import { timely } from './deadline.ts'
import { randomId } from './ids.ts'
import type { Seals } from './seal.ts'

/**
 * Interactions in progress (decisions 2 and 3). The record lies in KV under a key that is new with every write,
 * so that neither KV's caches nor its one write per second and key can show: the sealed cookie says which
 * revision counts.
 */

/** What the cookie `_interaction_{uid}` carries. Times are epoch seconds, as in the OIDC model. */
export type InteractionCookie = {
  revision?: string | undefined
  exp: number
  clientId: string
  /** The authorization parameters, for starting again (decision 6); left out above 1.5 kB. */
  request?: Record<string, string> | undefined
  /** They were pushed (RFC 9126): starting again must not show them in an address. */
  isPushed?: boolean | undefined
  /** Where the application waits, if `request` does not say it: the page's policy has to know. */
  redirectUri?: string | undefined
  /** There is an answer for the application: nothing more can be done here but start again. */
  isConcluded?: boolean | undefined
}

/**
 * How long a browser keeps the cookie after the interaction's own hour: a page left open over night can still start
 * again.
 */
const KEPT_SECONDS = 24 * 60 * 60

/** Until when a browser keeps it: epoch milliseconds. */
export const keptUntil = ({ exp }: InteractionCookie) => (exp + KEPT_SECONDS) * 1000

export const INTERACTION_COOKIE_PREFIX = '_interaction_'
export const interactionCookieName = (uid: string) => INTERACTION_COOKIE_PREFIX + uid
export const stepCookieName = (uid: string) => `_step_${uid}`

/** Long enough to read a mail on another device, short enough to forget a borrowed phone (decision 7). */
export const STEP_SECONDS = 10 * 60

type SealedStep = { step: NavigationState; exp: number }

const KV_MINIMUM_TTL_SECONDS = 60

/** Which characters an interaction's id may have: it becomes part of cookie names and keys. */
const UID = /^[\w-]{8,64}$/

export function createInteractionStore(namespace: KVNamespace, seals: Seals) {
  const kv = timely('KV', namespace)
  return {
    /** Those of one tenant: what was written or sealed for another is not found here (decision record 0020). */
    of: (tenantId: string) => interactionsOf(tenantId, kv, seals),

    /** Whether KV takes what it is given; rejects in KV's own words. */
    async probe(): Promise<void> {
      await kv.put(`probe:${randomId()}`, '', { expirationTtl: KV_MINIMUM_TTL_SECONDS })
    },
  }
}

export type InteractionStore = ReturnType<typeof createInteractionStore>

/** With the first record or step: who only looks at a first page needs none of them. */
const schemas = () => import('../contract/interaction.schema.ts')

function interactionsOf(tenantId: string, kv: KVNamespace, seals: Seals) {
  const key = (uid: string, revision: string) => `interaction:${tenantId}:${uid}:${revision}`
  const label = (what: 'interaction' | 'step', uid: string) => `${what}/${tenantId}/${uid}`
  const recordLabel = (uid: string, revision: string) => `record/${tenantId}/${uid}/${revision}`

  async function openCookieOfAnyAge(
    uid: string,
    sealed: string | undefined,
  ): Promise<InteractionCookie | null> {
    if (!sealed || !UID.test(uid)) return null
    // The seal proves that it was made by `sealCookie`, of this or of another version of us: nothing else has this label.
    return (await seals.open(label('interaction', uid), sealed)) as InteractionCookie | null
  }

  return {
    sealCookie: (uid: string, cookie: InteractionCookie) => seals.seal(label('interaction', uid), cookie),

    /** Null when the cookie is forged, belongs to another interaction, or its hour is over. */
    async openCookie(
      uid: string,
      sealed: string | undefined,
      now: number,
    ): Promise<InteractionCookie | null> {
      const cookie = await openCookieOfAnyAge(uid, sealed)
      return cookie && cookie.exp * 1000 > now ? cookie : null
    },

    /** The same for one whose hour is over: only for beginning the interaction again (decision 6). */
    openCookieOfAnyAge,

    async read(uid: string, revision: string | undefined): Promise<Interaction | null> {
      const sealed = revision && (await kv.get(key(uid, revision)))
      if (!sealed) return null
      const { StoredInteraction } = await schemas()
      const parsed = StoredInteraction.safeParse(await seals.open(recordLabel(uid, revision), sealed))
      return parsed.success ? parsed.data : null
    },

    /** Writes a new revision and answers its name; the caller puts it into the cookie. */
    async write(uid: string, interaction: Interaction, exp: number, now: number): Promise<string> {
      const revision = randomId()
      const seconds = Math.max(KV_MINIMUM_TTL_SECONDS, Math.ceil(exp - now / 1000))
      await kv.put(key(uid, revision), await seals.seal(recordLabel(uid, revision), interaction), {
        expirationTtl: seconds,
      })
      return revision
    },

    sealStep: (uid: string, step: NavigationState, now: number) =>
      seals.seal(label('step', uid), { step, exp: now + STEP_SECONDS * 1000 }),

    async openStep(uid: string, sealed: string | undefined, now: number): Promise<NavigationState | null> {
      if (!sealed) return null
      const content = (await seals.open(label('step', uid), sealed)) as SealedStep | null
      if (!content || content.exp <= now) return null
      // Its phrases may be those of another version of us.
      const { StepBody } = await schemas()
      return StepBody.safeParse(content.step).data ?? null
    },
  }
}
