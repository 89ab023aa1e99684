import { refuseAboveAccountLimit } from '../../application/account-limit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { type AfterAnswer, afterAnswer } from '../../storage/background.ts'
import { bootData } from '../pages/boot-data.ts'
import { pageAudit } from '../pages/page-audit.ts'
import { readPageContext } from '../pages/page-context.ts'
import type { AskedAccount, Post } from './visit.ts'

export type AccountForm = AskedAccount & {
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
): {
  post: Post
  keepAudit(failure?: Error): void
  /** Refuses what this account does too often, before an audit entry begins (spec/limits#account-floods). */
  countChange(): Promise<void>
} {
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
    countChange: () => refuseAboveAccountLimit(dependencies, 'change', { tenantId, ip, ...owner }),
  }
}

/** What is known of a form whoever has sent it. */
export function openForm(dependencies: Dependencies, asked: AccountForm) {
  const { tenantId, requestId, request, url } = asked
  const acceptLanguage = request.headers.get('accept-language') ?? undefined
  return {
    url: request.url,
    message: { tenantId, requestId, host: url.host, acceptLanguage },
    background: (task: () => Promise<unknown>) => afterAnswer(asked.context, asked, task),
    ...pageAudit(dependencies, asked),
  }
}
