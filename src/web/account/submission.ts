import { enforceAccountLimit } from '../../application/account-limit.ts'
import type { AuditEntry } from '../../application/audit.ts'
import type { MessageRequest } from '../../application/connectors/send.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { FactorChange } from '../../application/factors/manage.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { getCaller } from '../../domain/place.ts'
import { type BackgroundContext, runInBackground } from '../../storage/background.ts'
import { createBootData } from '../pages/boot-data.ts'
import { createPageAudit } from '../pages/page-audit.ts'
import { readPageContext } from '../pages/page-context.ts'
import type { Visit } from './visit.ts'

/** A form that a user has submitted. */
export type Submission = Visit & {
  form: URLSearchParams
  /** The uploaded file. Only the picture page accepts one. */
  file: File | null
  context: BackgroundContext
  /** Reports the audit keys to be logged with the request. */
  onAudited(keys: readonly string[]): void
}

/** The context in which a form's action runs. */
export type OpenSubmission = Submission & {
  dependencies: Dependencies
  signedIn: AccountUser
  message: MessageRequest
  /** Returns the page's language, phrases and settings. */
  boot(): Promise<BootData>
  beginAudit(key: string, details?: Record<string, unknown>): AuditEntry
  /** Begins an audit entry and returns the context that the functions behind `/api/me` require. */
  beginChange(key: string, details?: Record<string, unknown>): FactorChange & Pick<OpenSubmission, 'signedIn'>
  background(task: () => Promise<unknown>): void
}

export function openSubmission(
  dependencies: Dependencies,
  submission: Submission,
  signedIn: AccountUser,
): {
  open: OpenSubmission
  keepAudit(failure?: Error): void
  /**
   * Throws if this account has made too many changes. Called before an audit entry begins (spec/limits#account-floods).
   */
  countChange(): Promise<void>
} {
  const { trail, keepAudit, background, ...request } = createSubmissionContext(dependencies, submission)
  const { tenantId, ip } = submission
  // The user's chosen language and time zone take precedence over those of the request.
  const { locale, zoneinfo } = signedIn.user.profile
  const languages = [locale, request.message.acceptLanguage].filter(Boolean).join(',')
  const message = {
    ...request.message,
    acceptLanguage: languages || undefined,
    caller: getCaller(submission.request, zoneinfo),
  }
  const owner = { userId: signedIn.user.id, applicationId: signedIn.token.clientId }
  const beginAudit: OpenSubmission['beginAudit'] = (key, details = {}) =>
    trail.begin(key, { ...owner, ...details })
  return {
    open: {
      ...submission,
      dependencies,
      signedIn,
      message,
      background,
      boot: async () => createBootData(await readPageContext(dependencies, submission)),
      beginAudit,
      beginChange: (key, details) => ({
        tenantId,
        signedIn,
        message,
        background,
        audit: beginAudit(key, details),
      }),
    },
    keepAudit,
    countChange: () => enforceAccountLimit(dependencies, 'change', { tenantId, ip, ...owner }),
  }
}

/** Returns the context for handling a form, whether or not the user is signed in. */
export function createSubmissionContext(dependencies: Dependencies, submission: Submission) {
  const { tenantId, requestId, request, url, context } = submission
  const acceptLanguage = request.headers.get('accept-language') ?? undefined
  return {
    message: { tenantId, requestId, host: url.host, acceptLanguage, caller: getCaller(request) },
    background: (task: () => Promise<unknown>) => runInBackground(context, submission, task),
    ...createPageAudit(dependencies, submission),
  }
}
