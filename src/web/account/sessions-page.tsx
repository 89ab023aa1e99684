import { Sessions } from '../../../client/account/sessions.tsx'
import { hasSession } from '../../application/interactions/interaction-call.ts'
import { endOtherSessions, revokeSession } from '../../application/sessions/revoke.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { deviceOf } from '../../domain/user-agent.ts'
import { sessionsQuery } from '../../storage/sessions/sessions.ts'
import { type AccountPage, SignInNeeded } from './visit.ts'

export const sessionsPage: AccountPage = {
  field: 'sessions',
  async show({ dependencies: { db, now }, tenantId, readList }) {
    const { signedIn, rows } = await readList((userId) => ({
      sessions: sessionsQuery(db, tenantId, userId, now()),
    }))
    const sessions = rows.sessions.map(({ userAgent, applications, ...session }) => ({
      ...session,
      ...deviceOf(userAgent),
      applications: applications.flatMap(({ name }) => name ?? []),
      isCurrent: session.id === signedIn.token.sessionUid,
    }))
    return { title: 'sessions', user: signedIn.user, body: <Sessions sessions={sessions} /> }
  },
  actions: {
    async end({ dependencies, tenantId, url, signedIn, form, message, background, beginAudit }) {
      const sessionId = form.get('id') ?? ''
      const audit = beginAudit('Account.Session.Delete', { sessionId })
      const key = { tenantId, userId: signedIn.user.id, sessionId }
      const own = { signedIn, message, background }
      await revokeSession(dependencies, key, { url, audit, own, background })
      return { message: 'session_ended' }
    },
    async endOthers({ dependencies, tenantId, url, asked, signedIn, message, background, beginAudit }) {
      // Whoever has renewed a copy of the session would otherwise be the one that survives.
      if (!(await hasSession(requestCookies(asked.request), signedIn.sessionKey))) throw new SignInNeeded()
      const audit = beginAudit('Account.Session.Delete')
      await endOtherSessions(dependencies, { tenantId, signedIn, url, audit, message, background })
      return { message: 'others_ended' }
    },
  },
}
