import { refuseAboveAccountLimit } from '../../application/account-limit.ts'
import type { AuditEntry } from '../../application/audit.ts'
import type { MessageRequest } from '../../application/connectors/send.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { FactorChange } from '../../application/factors/manage.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { type BackgroundContext, runInBackground } from '../../storage/background.ts'
import { bootData } from '../pages/boot-data.ts'
import { pageAudit } from '../pages/page-audit.ts'
import { readPageContext } from '../pages/page-context.ts'
import type { Visit } from './visit.ts'

/** A form that somebody has sent. */
export type Submission = Visit & {
  form: URLSearchParams
  /** Of the page that takes one. */
  file: File | null
  context: BackgroundContext
  /** For the line of the request in the log. */
  onAudited(keys: readonly string[]): void
}

/** What the actions of a page are given. */
export type OpenSubmission = Submission & {
  dependencies: Dependencies
  signedIn: AccountUser
  message: MessageRequest
  /** The language, phrases and settings of the page. */
  boot(): Promise<BootData>
  beginAudit(key: string, more?: Record<string, unknown>): AuditEntry
  /** The same with what the functions behind `/api/me` need of the request. */
  beginChange(key: string, more?: Record<string, unknown>): FactorChange & Pick<OpenSubmission, 'signedIn'>
  background(task: () => Promise<unknown>): void
}

export function openSubmission(
  dependencies: Dependencies,
  submission: Submission,
  signedIn: AccountUser,
): {
  open: OpenSubmission
  keepAudit(failure?: Error): void
  /** Refuses what this account does too often, before an audit entry begins (spec/limits#account-floods). */
  countChange(): Promise<void>
} {
  const { trail, keepAudit, background, ...requested } = submissionContext(dependencies, submission)
  const { tenantId, ip } = submission
  // Messages are in the language that the user has chosen, else in that of the browser.
  const { locale } = signedIn.user.profile
  const languages = [locale, requested.message.acceptLanguage].filter(Boolean).join(',')
  const message = { ...requested.message, acceptLanguage: languages || undefined }
  const owner = { userId: signedIn.user.id, applicationId: signedIn.token.clientId }
  const beginAudit: OpenSubmission['beginAudit'] = (key, more = {}) => trail.begin(key, { ...owner, ...more })
  return {
    open: {
      ...submission,
      dependencies,
      signedIn,
      message,
      background,
      boot: async () => bootData(await readPageContext(dependencies, submission)),
      beginAudit,
      beginChange: (key, more) => ({ tenantId, signedIn, message, background, audit: beginAudit(key, more) }),
    },
    keepAudit,
    countChange: () => refuseAboveAccountLimit(dependencies, 'change', { tenantId, ip, ...owner }),
  }
}

/** What a form is answered with, whoever has sent it. */
export function submissionContext(dependencies: Dependencies, submission: Submission) {
  const { tenantId, requestId, request, url, context } = submission
  const acceptLanguage = request.headers.get('accept-language') ?? undefined
  return {
    message: { tenantId, requestId, host: url.host, acceptLanguage },
    background: (task: () => Promise<unknown>) => runInBackground(context, submission, task),
    ...pageAudit(dependencies, submission),
  }
}
