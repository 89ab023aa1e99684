import { enforceAccountLimit } from '../../application/account-limit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import {
  type AccountRead,
  type AccountUser,
  readAccount,
} from '../../application/sessions/account-session.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import type { AccountLink } from '../../domain/account/account-link.ts'
import { checkVerification } from '../../domain/sessions/verification.ts'
import type { Statements } from '../../storage/batches.ts'
import { unsealAccountCookie } from './cookies.ts'

/** A request for an account-centre page. */
export type Visit = Pick<RequestFacts, 'tenantId' | 'url' | 'requestId' | 'ip'> & {
  request: Request
  link?: AccountLink | null
}

/** A page request, with functions that read the page's data and the user in one batch (spec/account-centre#pages). */
export type OpenVisit = Visit & {
  dependencies: Dependencies
  /** The user whom the cookie names. Only a read shows whether the session is still valid. */
  userId: string | null
  /** Reads data together with the user. Throws `SignInRequired` if the session is not valid. */
  read<const S extends Statements>(more: (userId: string) => S): Promise<AccountRead<S>>
  /** Reads a long list, which is counted against the account's rate limits (spec/limits#account-floods). */
  readList: OpenVisit['read']
  /** Reads only the user, for a page that needs no other data. */
  readUser(): Promise<AccountUser>
}

/** The proof that a page or form requires, and the user who is to give it. */
export type RequiredProof = { needsTwoFactors: boolean; user: AccountUser['user'] }

/** The error if nobody is signed in, or if the last sign-in is not recent or strong enough for this page. */
export class SignInRequired extends Error {
  readonly proof: RequiredProof | undefined
  constructor(proof?: RequiredProof) {
    super('a sign-in is required')
    this.proof = proof
  }
}

export async function openVisit(
  dependencies: Dependencies,
  visit: Visit,
  { needsFreshSignIn = false }: { needsFreshSignIn?: boolean } = {},
): Promise<OpenVisit> {
  const cookie = await unsealAccountCookie(dependencies, visit, '_account')
  const { tenantId, ip } = visit
  const read: OpenVisit['read'] = async (more) => {
    const account = cookie && (await readAccount(dependencies, { tenantId, cookie }, more(cookie.userId)))
    if (!account) throw new SignInRequired()
    const { freshSignInAt, needsTwoFactors, user } = account.signedIn
    if (needsFreshSignIn && checkVerification(freshSignInAt, dependencies.now()))
      throw new SignInRequired({ needsTwoFactors, user })
    return account
  }
  return {
    ...visit,
    dependencies,
    userId: cookie?.userId ?? null,
    read,
    readUser: async () => (await read(() => ({}))).signedIn,
    async readList(more) {
      if (cookie) {
        const { userId } = cookie
        const applicationId = ACCOUNT_APP_ID
        await enforceAccountLimit(dependencies, 'list', { tenantId, userId, applicationId, ip })
      }
      return read(more)
    },
  }
}
