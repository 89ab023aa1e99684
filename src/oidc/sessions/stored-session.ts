import { type AdapterPayload, Provider } from 'oidc-provider'
import type { Database } from '../../storage/database.ts'
import { endAuthorizations } from '../../storage/sessions/session-authorizations.ts'
import { providerRequest } from '../request-context.ts'
import { toSessionVisit } from './session-visit.ts'

export type SessionDependencies = { db: Database }

/**
 * Returns the payload to store for a session. It includes the issuer, because another host of the tenant or an API call
 * may end the session. Applications over the limit, those used longest ago first, are removed by this request
 * (spec/provider#session-applications).
 */
export function toStoredSession({ db }: SessionDependencies, payload: AdapterPayload): AdapterPayload {
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
    visit: accountId === undefined ? undefined : toSessionVisit(request, now()),
  }
}

/**
 * The maximum number of applications in a session. The row is written at each authorization, and one host can serve any
 * number of client metadata documents. Our choice: nobody signs in to that many within two weeks.
 */
const MAX_REMEMBERED = 100

type Authorizations = NonNullable<AdapterPayload['authorizations']>

/** Objects preserve insertion order, so the current application moves to the end. */
function mostRecent(authorizations: Authorizations, clientId: string | undefined) {
  const entries = Object.entries(authorizations)
  const isInUse = ([id]: readonly [string, unknown]) => id === clientId
  const entriesByUse = [...entries.filter((entry) => !isInUse(entry)), ...entries.filter(isInUse)]
  return {
    remaining: Object.fromEntries(entriesByUse.slice(-MAX_REMEMBERED)),
    dropped: entriesByUse.slice(0, -MAX_REMEMBERED),
  }
}
