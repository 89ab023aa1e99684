import { refuse } from '../../contract/errors.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { Interaction, NavigationState } from '../../contract/interactions/interaction.ts'
import { lazy } from '../../contract/lazy.ts'
import { orRefuse, RefusalError, refuseWith } from '../../contract/refused.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import type { RowsByName, Statements } from '../../storage/batches.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import {
  interactionCreation,
  interactionCreationLog,
} from '../../storage/interactions/interaction-creation.ts'
import { mergePendingLogs } from '../../storage/interactions/interaction-logs.ts'
import {
  cookieExpiry,
  type InteractionCookie,
  interactionCookieName,
  NAVIGATION_STATE_SECONDS,
  navigationCookieName,
} from '../../storage/interactions/interactions.ts'
import { readOpenInteraction } from '../../storage/interactions/oidc-reads.ts'
import type { NewLog, PendingLog } from '../../storage/logs.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { AuditTrail } from '../audit.ts'
import type { MessageRequest } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import type { CookieChange } from '../request.ts'
import { checkInteraction, type OidcInteraction } from './oidc-interaction.ts'

/** A call of the interaction API, as the use cases behind it see the request. */
export type InteractionCall = {
  tenantId: string
  open: OpenInteraction
  audit: AuditTrail
  /** The tenant's; read anew where the caller asks for it (spec/interaction#call-order). */
  experience(): Promise<Experience>
  trustedBrowser(): Promise<TrustedBrowser | null>
  /** Scheme, host and port of the page. */
  origin: string
  ip: string | undefined
  /** Where the request comes from. */
  place(): SignInPlace
  userAgent: string | undefined
  message: MessageRequest
  /** Runs a task after the answer, for what does not decide it. */
  background(task: () => Promise<unknown>): void
}

/**
 * The interaction a call belongs to. The cookie is opened before anything else; the rows behind it are read later, in
 * one batch with the other facts of the call, and still decide before the body does (spec/interaction#call-order).
 */
export type OpenInteraction = {
  uid: string
  /** The application that the user signs in to. */
  clientId: string
  /** The provider's row; refuses when it, or the login session it belongs to, is gone. */
  row(): Promise<OidcInteraction>
  /** The same in one round trip with other queries. */
  readWith<const S extends Statements>(queries: S): Promise<InteractionRow<S>>
  /** The record, or the refusal that there is none. */
  record(row: OidcInteraction): Promise<Interaction>
  /** The record as it is stored, without judging it: says which accounts to query. */
  peek(): Promise<Interaction | null>
  /** Saves a new revision. Until something is proven it holds the audit rows of the call, which is going to succeed. */
  save(interaction: Interaction): Promise<void>
  /** The same of a call that is refused: its audit rows are not held. */
  saveRefused(interaction: Interaction): Promise<void>
  /**
   * Whether the caller has proved something in this interaction, or decided about a consent. A session alone proves
   * nothing: who has one can begin any number of interactions.
   */
  isProven(): Promise<boolean>
  /** The audit rows that no batch has taken yet, for the one that writes them (spec/storage#interaction-rows). */
  takeHeldLogs(): Promise<readonly PendingLog[]>
  /** Keeps what the next page needs to know (spec/interaction#navigation-state). */
  saveNavigationState(state: NavigationState): Promise<void>
  /**
   * Drops the record. The cookie keeps the parameters of the request, so that a page left open can start again;
   * `isOver` unless the interaction goes on after a password reset.
   */
  conclude(how: { isOver: boolean }): Promise<void>
  /** What the calls above changed in the browser: for the answer, also of a call that was refused. */
  cookieChanges(): readonly CookieChange[]
}

type InteractionRow<S extends Statements> = {
  row: OidcInteraction
  /** Whose login session the interaction belongs to. */
  user: UserRow | undefined
  results: RowsByName<S>
  /** Whether the browser still has that session: its user may have changed since the page was shown. */
  isOwnSession: boolean
}

type CookieSource = {
  tenantId: string
  uid: string | undefined
  cookies: Readonly<Record<string, string>>
  /** The audit rows of the call, if it succeeds. A page has none. */
  callLogs?: () => readonly NewLog[]
}

/** The provider keeps a session under the digest of its cookie (spec/provider#token-digests). */
export async function hasSession(cookies: CookieSource['cookies'], id: string | undefined): Promise<boolean> {
  const { _session: value } = cookies
  return value !== undefined && (await sha256Base64Url(value)) === id
}

/** Its login or its consent is concluded, which has written the rows that waited. A visitor can only cancel. */
const isAnswered = ({ login, isConcluded, prompt }: OidcInteraction) =>
  login !== undefined || (isConcluded && prompt.name === 'consent')

/** Opens the interaction that a request names. Needs no I/O (spec/interaction#lookup). */
export async function openInteraction(
  { db, now, interactions: store }: Pick<Dependencies, 'db' | 'now' | 'interactions'>,
  { tenantId, cookies, callLogs = () => [], ...source }: CookieSource,
): Promise<OpenInteraction> {
  const interactions = store.of(tenantId)
  const { uid, cookie } = await requireCookie()
  const changes: CookieChange[] = []
  const stored = lazy(() => interactions.read(uid, cookie.revision))
  const peek = async () => (await stored())?.interaction ?? null
  let saved: Interaction | undefined
  let creation: PendingLog | undefined
  let row: OidcInteraction | undefined
  let areLogsTaken = false
  const heldLogs = async () => [...(creation ? [creation] : []), ...((await stored())?.heldLogs ?? [])]
  const isProvenBy = (interaction: Interaction | null) =>
    (interaction?.proofs.length ?? 0) > 0 || (row !== undefined && isAnswered(row))

  async function readWith<const S extends Statements>(queries: S) {
    const pendingRow = await interactions.readPendingRow(uid, cookie)
    const insertion = pendingRow ? [interactionCreation(db, { tenantId, uid }, pendingRow)] : []
    const { interaction, session, user, results } = await readOpenInteraction(
      db,
      { tenantId, uid, creation: insertion },
      queries,
    )
    row = orRefuse(checkInteraction({ interaction, session, user }, now()))
    creation = pendingRow ? interactionCreationLog(uid, pendingRow) : undefined
    return {
      row,
      user: user[0],
      results,
      isOwnSession: await hasSession(cookies, session[0]?.id),
    }
  }

  return {
    uid,
    clientId: cookie.clientId,
    peek,
    readWith,
    row: async () => (await readWith({})).row,
    async record(row) {
      const interaction = await peek()
      const isCurrent = interaction && !row.isConcluded && interaction.afterReset === row.reset
      return isCurrent ? interaction : refuseWith('session.verification_session_not_found')
    },
    async save(interaction) {
      const isProven = isProvenBy(interaction)
      await write(interaction, isProven ? [] : await mergePendingLogs(uid, await heldLogs(), callLogs()))
    },
    saveRefused: async (interaction) => write(interaction, isProvenBy(interaction) ? [] : await heldLogs()),
    isProven: async () => isProvenBy(saved ?? (await peek())),
    async takeHeldLogs() {
      if (areLogsTaken) return []
      areLogsTaken = true
      return heldLogs()
    },
    async saveNavigationState(state) {
      const value = await interactions.sealNavigationState(uid, state, now())
      changes.push({ name: navigationCookieName(uid), value, maxAgeSeconds: NAVIGATION_STATE_SECONDS })
    },
    async conclude({ isOver }) {
      await changeCookie({ ...cookie, revision: undefined, ...(isOver ? { isConcluded: true } : {}) })
      changes.push({ name: navigationCookieName(uid), value: '', maxAgeSeconds: 0 })
    },
    cookieChanges: () => changes,
  }

  async function requireCookie(): Promise<{ uid: string; cookie: InteractionCookie }> {
    const { uid } = source
    const cookie = uid && (await interactions.openCookie(uid, cookies[interactionCookieName(uid)], now()))
    if (uid && cookie) return { uid, cookie }
    throw new RefusalError(
      refuse('session.not_found', { error_description: 'interaction session id cookie not found' }),
    )
  }

  async function write(interaction: Interaction, logs: readonly PendingLog[]) {
    saved = interaction
    const revision = await interactions.write(uid, { interaction, heldLogs: logs }, cookie.exp, now())
    await changeCookie({ ...cookie, revision })
  }

  async function changeCookie(changed: InteractionCookie) {
    // Every change comes after `readWith`, which has written it.
    const content = { ...changed, unwritten: undefined }
    const value = await interactions.sealCookie(uid, content)
    changes.push({ name: interactionCookieName(uid), value, expires: new Date(cookieExpiry(content)) })
  }
}
