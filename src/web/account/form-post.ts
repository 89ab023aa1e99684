import { createAuditTrail } from '../../application/audit-trail.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { placeOf } from '../../domain/place.ts'
import { type AfterAnswer, afterAnswer } from '../../storage/background.ts'
import { insertLogs } from '../../storage/logs.ts'
import { bootData } from '../boot-data.ts'
import { readPageContext } from '../page-context.ts'
import type { AskedAccount, Post } from './visit.ts'

export type AccountForm = AskedAccount & {
  ip: string | undefined
  form: URLSearchParams
  /** Of the page that takes one. */
  file: File | null
  context: AfterAnswer
  /** For the line of the request in the log. */
  onAudited(keys: readonly string[]): void
}

/** What the actions of a page are given, with the audit entries that they begin. */
export function openPost(
  dependencies: Dependencies,
  asked: AccountForm,
  signedIn: Post['signedIn'],
): { post: Post; keepAudit(failure?: Error): void } {
  const { trail, keepAudit, ...received } = openForm(dependencies, asked)
  const { tenantId, form, file, ip } = asked
  // Messages are in the language that the user has chosen, else in that of the browser.
  const { locale } = signedIn.user.profile
  const languages = [locale, received.message.acceptLanguage].filter(Boolean).join(',')
  const message = { ...received.message, acceptLanguage: languages || undefined }
  const owner = { userId: signedIn.user.id, applicationId: signedIn.token.clientId }
  return {
    post: {
      ...received,
      message,
      dependencies,
      tenantId,
      asked,
      ip,
      signedIn,
      form,
      file,
      boot: async () => bootData(await readPageContext(dependencies, asked)),
      beginAudit: (key, more = {}) => trail.begin(key, { ...owner, ...more }),
    },
    keepAudit,
  }
}

/** What is known of a form whoever has sent it. */
export function openForm(dependencies: Dependencies, asked: AccountForm) {
  const { tenantId, requestId, request, url, ip } = asked
  const { headers } = request
  const trail = createAuditTrail(dependencies, {
    ip,
    userAgent: headers.get('user-agent') ?? undefined,
    place: placeOf(request),
  })
  const background = (task: () => Promise<unknown>) => afterAnswer(asked.context, asked, task)
  const acceptLanguage = headers.get('accept-language') ?? undefined
  return {
    url: request.url,
    message: { tenantId, requestId, host: url.host, acceptLanguage },
    trail,
    background,
    /** The rows that no change has committed. */
    keepAudit(failure?: Error): void {
      if (trail.keys().length > 0) asked.onAudited(trail.keys())
      const rows = trail.uncommitted(failure)
      if (rows.length > 0) background(() => insertLogs(dependencies.db, tenantId, rows))
    },
  }
}
