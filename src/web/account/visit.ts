import type { ReactElement } from 'react'
import type { AccountView } from '../../../client/account/account-view.tsx'
import type { PhraseKey } from '../../../client/context/phrases.ts'
import { refuseAboveAccountLimit } from '../../application/account-limit.ts'
import type { AuditEntry } from '../../application/audit.ts'
import type { MessageRequest } from '../../application/connectors/send.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  type AccountRead,
  type AccountUser,
  readAccount,
} from '../../application/sessions/account-session.ts'
import type { AccountText } from '../../contract/account/account-catalogue.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import type { AccountLink } from '../../domain/account/account-link.ts'
import { refusesVerification } from '../../domain/sessions/verification.ts'
import type { Statements } from '../../storage/batches.ts'
import { openAccountCookie } from './cookies.ts'

/** One request for a page of the account centre. */
export type AskedAccount = {
  tenantId: string
  requestId: string
  ip: string | undefined
  request: Request
  url: URL
  link?: AccountLink | null
}

/** What a page is made of: it reads once, with the user (spec/account-centre#pages). */
export type Visit = AskedAccount & {
  dependencies: Dependencies
  /** Whom the cookie names; whether the session still counts is known after the read. */
  userId: string | null
  /** Throws `SignInNeeded` where nobody is signed in any more. */
  read<const S extends Statements>(more: (userId: string) => S): Promise<AccountRead<S>>
  /** The same for a list of many rows, as often as the limit of an account allows (spec/limits#account-floods). */
  readList: Visit['read']
}

/** A title is a text of the account centre, or a phrase of the sign-in pages. */
/** `user` is null on a page for those who are not signed in. */
export type ShownPage = {
  title: AccountText | PhraseKey
  user: AccountUser['user'] | null
  body: ReactElement
  /** Where a browser makes passkeys or is told of them, and where it crops a picture. */
  script?: 'passkeys' | 'picture' | 'answer'
  /** Where the browser goes on by itself: a form may not lead to another site (spec/pages#csp). */
  onward?: string
}
export type ShowPage = (
  visit: Visit,
  view: Pick<AccountView, 'problem' | 'typed' | 'fields'>,
) => Promise<ShownPage>

/** A form of a page, by the value of its button. It answers what the page says next, or an answer of its own. */
export type Act = (post: Post) => Promise<Done | Response>

export type Post = {
  dependencies: Dependencies
  tenantId: string
  asked: AskedAccount
  url: string
  ip: string | undefined
  signedIn: AccountUser
  form: URLSearchParams
  file: File | null
  message: MessageRequest
  /** The language, phrases and settings of the page. */
  boot(): Promise<BootData>
  beginAudit(key: string, more?: Record<string, unknown>): AuditEntry
  background(task: () => Promise<unknown>): void
}

/**
 * What the page says next, or that of `to`, a path of ours. A `page` is the answer itself: for what is shown once and stored nowhere
 * (spec/account-centre#backup-codes).
 */
export type Done = {
  message?: AccountText | PhraseKey
  values?: Record<string, string | number>
  to?: string
  /** `Set-Cookie` headers. */
  cookies?: readonly string[]
  page?: ShownPage
}

export type AccountPage = {
  /** What the page is about, where the tenant decides whether it is there and whether its forms are (spec/account-centre#fields). */
  field?: AccountField
  show: ShowPage
  actions: Readonly<Record<string, Act>>
}

/** Nobody is signed in, not any more, or not recently and strongly enough for this page. */
export class SignInNeeded extends Error {
  readonly proof: { needsTwoFactors: boolean } | undefined
  constructor(proof?: { needsTwoFactors: boolean }) {
    super('a sign-in is needed')
    this.proof = proof
  }
}

/** For a page with a form that changes how its user signs in: what is typed there would be lost on the way to a proof. */
export function requireFreshSignIn({ askedSignInAt, needsTwoFactors }: AccountUser, now: number): void {
  if (refusesVerification(askedSignInAt, now)) throw new SignInNeeded({ needsTwoFactors })
}

/** What is wrong with a field, in the words of the page. */
export class FieldProblem extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

export async function openVisit(dependencies: Dependencies, asked: AskedAccount): Promise<Visit> {
  const cookie = await openAccountCookie(dependencies, asked, '_account')
  const { tenantId, ip } = asked
  const read: Visit['read'] = async (more) => {
    const found = cookie && (await readAccount(dependencies, { tenantId, cookie }, more(cookie.userId)))
    if (!found) throw new SignInNeeded()
    return found
  }
  return {
    ...asked,
    dependencies,
    userId: cookie?.userId ?? null,
    read,
    async readList(more) {
      if (cookie) {
        const { userId } = cookie
        const applicationId = ACCOUNT_APP_ID
        await refuseAboveAccountLimit(dependencies, 'list', { tenantId, userId, applicationId, ip })
      }
      return read(more)
    },
  }
}
