import { type AdapterPayload, Provider } from 'oidc-provider'
import type { Database } from '../../storage/database.ts'
import { endAuthorizations } from '../../storage/sessions/session-authorizations.ts'
import { getProviderRequest } from '../request-context.ts'
import { toSessionVisit } from './session-visit.ts'

export type SessionDependencies = { db: Database }

/**
 * Returns the payload to store for a session. It includes the issuer, because another host of the tenant or an API call
 * may end the session. If there are too many applications, the least recently used ones are removed
 * (spec/provider#session-applications).
 */
export function toStoredSession({ db }: SessionDependencies, payload: AdapterPayload): AdapterPayload {
  const { tenantId, request, work, now } = getProviderRequest()
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
    visit: accountId === undefined ? undefined : toSessionVisit(request, now()),
  }
}

/**
 * The maximum number of applications in a session. It is limited because every authorization writes the row, and a
 * single host can serve any number of client metadata documents. We chose a number that nobody reaches within two
 * weeks.
 */
const MAX_REMEMBERED = 100

type Authorizations = NonNullable<AdapterPayload['authorizations']>

/** Objects keep insertion order, so this moves the current application to the end. */
function mostRecent(authorizations: Authorizations, clientId: string | undefined) {
  const entries = Object.entries(authorizations)
  const isInUse = ([id]: readonly [string, unknown]) => id === clientId
  const entriesByUse = [...entries.filter((entry) => !isInUse(entry)), ...entries.filter(isInUse)]
  return {
    remaining: Object.fromEntries(entriesByUse.slice(-MAX_REMEMBERED)),
    dropped: entriesByUse.slice(0, -MAX_REMEMBERED),
  }
}
