import { refuse } from '../../contract/errors.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { Interaction, NavigationState } from '../../contract/interactions/interaction.ts'
import { lazy } from '../../contract/lazy.ts'
import { RefusalError, refuseWith, throwIfRefused } from '../../contract/refused.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import type { RowsByName, Statement, Statements } from '../../storage/batches.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import {
  cookieExpiry,
  type InteractionCookie,
  type InteractionOrganization,
  interactionCookieName,
  NAVIGATION_STATE_SECONDS,
  navigationCookieName,
} from '../../storage/interactions/interaction-cookies.ts'
import { insertInteraction, interactionCreationLog } from '../../storage/interactions/interaction-creation.ts'
import { isAcceptedProof, mergePendingLogs } from '../../storage/interactions/interaction-logs.ts'
import { readOpenInteraction } from '../../storage/interactions/oidc-reads.ts'
import type { NewLog, PendingLog } from '../../storage/logs.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { AuditTrail } from '../audit.ts'
import type { MessageRequest } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import type { CookieChange } from '../request.ts'
import { checkInteraction, type OidcInteraction } from './oidc-interaction.ts'

/** A request to the interaction API, in the form that the use cases need. */
export type InteractionCall = {
  tenantId: string
  open: OpenInteraction
  audit: AuditTrail
  /**
   * Returns the sign-in experience of the tenant or of the organisation for which the user will act, bypassing the cache
   * if the request asks for fresh settings (spec/interaction#call-order).
   */
  experience(): Promise<Experience>
  trustedBrowser(): Promise<TrustedBrowser | null>
  /** The origin of the page: its scheme, host and port. */
  origin: string
  ip: string | undefined
  /** Returns the location that the request comes from. */
  place(): SignInPlace
  userAgent: string | undefined
  message: MessageRequest
  /** Runs a task after the response, for work that does not affect the response. */
  background(task: () => Promise<unknown>): void
}

/**
 * The interaction to which a request belongs. Opening it only decrypts its cookie. The database rows are read later, in
 * one batch with the other data that the request needs, but are checked before the request body
 * (spec/interaction#call-order).
 */
export type OpenInteraction = {
  uid: string
  /** The application to which the user signs in. */
  clientId: string
  /** The organisation for which the user will act, if the request names one or the user has chosen one. */
  organization: InteractionOrganization | undefined
  /** Reads the provider's row. Throws if the row, or the login session to which it belongs, no longer exists. */
  row(): Promise<OidcInteraction>
  /** Runs queries in the same round trip that reads the provider's row. */
  readWith<const S extends Statements>(queries: S, options?: ReadOptions): Promise<InteractionRow<S>>
  /** Returns the interaction record, or throws if there is none. */
  record(row: OidcInteraction): Promise<Interaction>
  /** Returns the stored record without checks, so that callers can find out which accounts to query. */
  peek(): Promise<Interaction | null>
  /**
   * Saves a new revision of the record after a successful request. Unless the request has proved something, the revision
   * also contains the request's audit entries.
   */
  save(interaction: Interaction): Promise<void>
  /** Saves a new revision of the record after a failed request, without the request's audit rows. */
  saveRefused(interaction: Interaction): Promise<void>
  /**
   * Checks whether the caller has provided a proof or decided about a consent in this interaction. A session is not
   * enough, because its user can start any number of interactions.
   */
  isProven(): Promise<boolean>
  /** Checks whether the user had proved anything before this request. */
  wasProven(): Promise<boolean>
  /** Checks whether the saved record contains the request's audit entries. */
  holdsCallLogs(): boolean
  /**
   * Removes and returns the audit entries that the record contains, so that they can be written in a batch
   * (spec/storage#interaction-rows).
   */
  takeHeldLogs(): Promise<readonly PendingLog[]>
  /** Returns the state that the current page received (spec/interaction#navigation-state). */
  navigationState(): Promise<NavigationState | null>
  /** Saves the state that the next page needs (spec/interaction#navigation-state). */
  saveNavigationState(state: NavigationState): Promise<void>
  /**
   * Deletes the record. The cookie keeps the parameters of the authorization request, so that a page that is still open
   * can restart it. After a password reset, the interaction continues.
   */
  conclude(outcome: 'signedIn' | 'declined' | 'reset'): Promise<void>
  /** Returns the cookies that have changed. They are added to the response even if the request fails. */
  cookieChanges(): readonly CookieChange[]
}

type ReadOptions = {
  /** Statements to run after the queries. */
  further?: readonly Statement[] | undefined
  /** The error if the interaction has ended. By default, it is the same as for an unknown interaction. */
  endedCode?: 'session.already_submitted'
}

type InteractionRow<S extends Statements> = {
  row: OidcInteraction
  /** The user whose login session the interaction belongs to. */
  user: UserRow | undefined
  results: RowsByName<S>
  /** The results of the further statements, in their order. */
  furtherResults: readonly unknown[]
  /**
   * True if this login session is still the browser's current one. Another user may have signed in since the page was
   * shown.
   */
  isOwnSession: boolean
}

type CookieSource = {
  tenantId: string
  uid: string | undefined
  cookies: Readonly<Record<string, string>>
  /** Returns the audit rows to store if the request succeeds. Unset for pages, which have no audit rows. */
  callLogs?: () => readonly NewLog[]
}

/**
 * Checks whether the browser has the cookie of a session. The provider stores each session under its cookie's digest
 * (spec/provider#token-digests).
 */
export async function hasSessionCookie(
  cookies: CookieSource['cookies'],
  id: string | undefined,
): Promise<boolean> {
  const { _session: value } = cookies
  return value !== undefined && (await sha256Base64Url(value)) === id
}

/**
 * Checks whether the login, the consent or the choice of an organisation is complete. If so, the deferred audit rows have been written. A cancelled login
 * is not complete, because users can cancel without having provided a proof.
 */
const hasConclusion = ({ login, isConcluded, prompt }: OidcInteraction) =>
  login !== undefined || (isConcluded && prompt.name !== 'login')

/** Opens the interaction that a request names, using only the cookie and no I/O (spec/interaction#lookup). */
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
  let areCallLogsHeld = false
  const heldLogs = async () => [...(creation ? [creation] : []), ...((await stored())?.heldLogs ?? [])]
  const isProvenBy = (interaction: Interaction | null) =>
    (interaction?.proofs.length ?? 0) > 0 || (row !== undefined && hasConclusion(row))

  async function readWith<const S extends Statements>(queries: S, { further, endedCode }: ReadOptions = {}) {
    const pendingRow = await interactions.readPendingRow(uid, cookie)
    const insertion = pendingRow ? [insertInteraction(db, { tenantId, uid }, pendingRow)] : []
    const { interaction, session, user, ...results } = await readOpenInteraction(
      db,
      { tenantId, uid, creation: insertion, further },
      queries,
    )
    row = throwIfRefused(checkInteraction({ interaction, session, user }, now(), endedCode))
    creation = pendingRow ? interactionCreationLog(uid, pendingRow) : undefined
    return {
      row,
      user: user[0],
      ...results,
      isOwnSession: await hasSessionCookie(cookies, session[0]?.id),
    }
  }

  return {
    uid,
    clientId: cookie.clientId,
    organization: cookie.organization,
    peek,
    readWith,
    row: async () => (await readWith({})).row,
    async record(row) {
      const interaction = await peek()
      const isCurrent = interaction && !row.isConcluded && interaction.afterReset === row.reset
      return isCurrent ? interaction : refuseWith('session.verification_session_not_found')
    },
    async save(interaction) {
      const entries = callLogs()
      const writesLogs = isProvenBy(interaction) && entries.some(isAcceptedProof)
      areCallLogsHeld = !writesLogs
      await write(interaction, writesLogs ? [] : await mergePendingLogs(uid, await heldLogs(), entries))
    },
    saveRefused: async (interaction) => write(interaction, await heldLogs()),
    isProven: async () => isProvenBy(saved ?? (await peek())),
    wasProven: async () => isProvenBy(await peek()),
    holdsCallLogs: () => areCallLogsHeld,
    async takeHeldLogs() {
      if (areLogsTaken) return []
      areLogsTaken = true
      return heldLogs()
    },
    navigationState: () => interactions.openNavigationState(uid, cookies[navigationCookieName(uid)], now()),
    async saveNavigationState(state) {
      const value = await interactions.sealNavigationState(uid, state, now())
      changes.push({ name: navigationCookieName(uid), value, maxAgeSeconds: NAVIGATION_STATE_SECONDS })
    },
    async conclude(outcome) {
      await changeCookie({
        ...cookie,
        revision: undefined,
        ...(outcome !== 'reset' && { isConcluded: true }),
        ...(outcome === 'signedIn' && { hasSignedIn: true }),
      })
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

  async function changeCookie(updated: InteractionCookie) {
    // The pending row has been written by now, because all methods that change cookies run after `readWith`.
    const content = { ...updated, unwritten: undefined }
    const value = await interactions.sealCookie(uid, content)
    changes.push({ name: interactionCookieName(uid), value, expires: new Date(cookieExpiry(content)) })
  }
}
