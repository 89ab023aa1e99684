import { type AdapterPayload, Provider } from 'oidc-provider'
import type { Database } from '../../storage/database.ts'
import { endAuthorizations } from '../../storage/sessions/session-authorizations.ts'
import { providerRequest } from '../request-context.ts'
import { visitOf } from './session-visit.ts'

export type SessionParts = { db: Database }

/**
 * Returns the payload to store for a session. It names the issuer, because the session may be ended at another host of
 * its tenant or by an API call. The applications that were used longest ago are dropped with this request
 * (spec/provider#session-applications).
 */
export function storedSession({ db }: SessionParts, payload: AdapterPayload): AdapterPayload {
  const { tenantId, request, work, now } = providerRequest()
  const { origin, protocol } = new URL(request.url)
  const { accountId, uid, authorizations } = payload
  const issuer = `${origin}/oidc`
  const { remaining, dropped } = mostRecent(authorizations ?? {}, Provider.ctx?.oidc.client?.clientId)
  if (dropped.length > 0 && accountId && uid) {
    const ended = endAuthorizations(db, {
      tenantId,
      userId: accountId,
      uid,
      issuer,
      now: now(),
      applicationIds: dropped.map(([clientId]) => clientId),
      grantIds: dropped.flatMap(([, { grantId }]) => grantId ?? []),
    })
    for (const statement of Object.values(ended)) work.add(statement)
  }
  return {
    ...payload,
    ...(authorizations && { authorizations: remaining }),
    issuer,
    isHostCookie: protocol === 'https:',
    visit: accountId === undefined ? undefined : visitOf(request, now()),
  }
}

/**
 * The row is written with each authorization, and one host can serve documents of any number of clients. Our choice:
 * nobody signs in to that many within two weeks.
 */
const MAX_REMEMBERED = 100

type Authorizations = NonNullable<AdapterPayload['authorizations']>

/** An object preserves its order, so the application in use goes to the end. */
function mostRecent(authorizations: Authorizations, clientId: string | undefined) {
  const entries = Object.entries(authorizations)
  const isInUse = ([id]: readonly [string, unknown]) => id === clientId
  const entriesByUse = [...entries.filter((entry) => !isInUse(entry)), ...entries.filter(isInUse)]
  return {
    remaining: Object.fromEntries(entriesByUse.slice(-MAX_REMEMBERED)),
    dropped: entriesByUse.slice(0, -MAX_REMEMBERED),
  }
}
