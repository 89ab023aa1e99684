import { Sessions } from '../../../client/account/sessions.tsx'
import { hasSessionCookie } from '../../application/interactions/interaction-call.ts'
import { endOtherSessions, revokeSession } from '../../application/sessions/revoke.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { getDeviceKind, parseUserAgent } from '../../domain/user-agent.ts'
import { lastingAppsQuery, sessionsQuery } from '../../storage/sessions/sessions.ts'
import type { AccountPage } from './page.ts'
import { SignInRequired } from './visit.ts'

export const sessionsPage: AccountPage = {
  field: 'sessions',
  async show({ dependencies: { db, now }, tenantId, readList }) {
    const { signedIn, rows } = await readList((userId) => ({
      sessions: sessionsQuery(db, tenantId, userId, now()),
      apps: lastingAppsQuery(db, tenantId, userId, now()),
    }))
    const sessions = rows.sessions.map(({ userAgent, applications, ...session }) => ({
      ...session,
      ...parseUserAgent(userAgent),
      kind: getDeviceKind(userAgent),
      applications: applications.flatMap(({ name }) => name ?? []),
      isCurrent: session.id === signedIn.token.sessionUid,
    }))
    return { title: 'sessions', signedIn, body: <Sessions sessions={sessions} apps={rows.apps} /> }
  },
  actions: {
    async end({ dependencies, request: { url }, form, beginChange }) {
      const sessionId = form.get('id') ?? ''
      const { tenantId, audit, ...own } = beginChange('Account.Session.Delete', { sessionId })
      const key = { tenantId, userId: own.signedIn.user.id, sessionId }
      await revokeSession(dependencies, key, { url, audit, own, background: own.background })
      return { message: 'session_ended' }
    },
    async endOthers({ dependencies, request, signedIn, beginChange }) {
      // Without this check, an attacker with a stolen session could sign the owner out.
      if (!(await hasSessionCookie(requestCookies(request), signedIn.sessionKey))) throw new SignInRequired()
      const change = beginChange('Account.Session.Delete')
      await endOtherSessions(dependencies, { ...change, url: request.url })
      return { message: 'others_ended' }
    },
  },
}
