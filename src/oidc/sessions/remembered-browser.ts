import { serialize } from 'hono/utils/cookie'
import type { Client } from 'oidc-provider'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  REMEMBERED_ACCOUNTS_COOKIE,
  readRememberedBrowser,
  sealRememberedBrowser,
  withoutEndedAccounts,
} from '../../application/sessions/remembered-accounts.ts'
import { cookieAttributes, hostCookieName } from '../../contract/cookie-names.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import { ACCOUNT_APP_ID, CONSOLE_APP_ID, DEMO_APP_ID } from '../../contract/product.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import {
  keepAccounts,
  listReturningAccounts,
  NOTHING_REMEMBERED,
  type RememberedBrowser,
} from '../../domain/sessions/remembered-accounts.ts'
import type { InteractionCookie } from '../../storage/interactions/interactions.ts'
import { isUnregistered } from '../applications/unregistered-clients.ts'

/** What a browser remembers (spec/accounts#remembered-account), for the requests to the provider. */

type Sources = Pick<Dependencies, 'db' | 'seals' | 'now' | 'tenantSettings'>

/** `isChanged` means that the cookie contains more than is still remembered. */
export type ReadBrowser = { browser: RememberedBrowser; isChanged: boolean }

/** Reads what the browser of a request remembers, without accounts that have ended. */
export async function readBrowser(
  sources: Sources,
  tenantId: string,
  request: Request,
): Promise<ReadBrowser> {
  const sealed = requestCookies(request)[REMEMBERED_ACCOUNTS_COOKIE]
  if (!sealed) return { browser: NOTHING_REMEMBERED, isChanged: false }
  const { rememberAccounts, secondFactor } = await sources.tenantSettings.get(tenantId)
  if (!rememberAccounts || secondFactor.rememberDays === 0)
    return { browser: NOTHING_REMEMBERED, isChanged: true }
  const before = await readRememberedBrowser(sources, tenantId, sealed)
  const browser = await withoutEndedAccounts(sources, tenantId, before)
  return { browser, isChanged: browser !== before }
}

/**
 * Returns what the cookie of a new interaction says about the browser: whether to welcome its accounts, and the
 * application if it is new to this browser.
 */
export async function describeBrowser(
  client: Client | undefined,
  read: ReadBrowser | null,
  { experience, mayWelcome }: { experience: () => Promise<Experience>; mayWelcome: boolean },
): Promise<Pick<InteractionCookie, 'welcomesAccounts' | 'newApplication'>> {
  if (!client || !read) return {}
  const { accounts, applications } = read.browser
  const welcomes =
    mayWelcome &&
    accounts.length > 0 &&
    client.rememberDays !== 0 &&
    listReturningAccounts(read.browser, await experience()).length > 0
  const { clientId, clientName: name, logoUri: logo } = client
  const isNew = name !== undefined && isVetted(client) && !applications.includes(clientId)
  return {
    ...(welcomes && { welcomesAccounts: true }),
    ...(isNew && {
      newApplication: { name, ...(logo && name.length + logo.length <= MAX_LENGTH && { logo }) },
    }),
  }
}

/** The maximum length of an application's name and logo in the cookie. A longer logo is left out. */
const MAX_LENGTH = 400

/** Our own applications need no introduction, and nobody has vetted the names of clients that register themselves. */
const isVetted = (client: Client): boolean =>
  ![DEMO_APP_ID, ACCOUNT_APP_ID, CONSOLE_APP_ID].includes(client.clientId) &&
  !isUnregistered(client) &&
  client.isDynamicallyRegistered !== true

/** Rewrites the cookie after a successful request, without ended accounts and without a user who has signed out. */
export async function updateBrowserCookie(
  sources: Sources,
  {
    tenantId,
    request,
    remembered,
    signedOutUserId,
  }: {
    tenantId: string
    request: Request
    remembered: Promise<ReadBrowser | null>
    signedOutUserId?: string | undefined
  },
  response: Response,
): Promise<void> {
  if (response.status >= 400) return
  const next =
    signedOutUserId === undefined ? await remainingOf(remembered) : await withoutUser(signedOutUserId)
  if (!next) return
  const url = new URL(request.url)
  const { name, value, maxAgeSeconds: maxAge } = await sealRememberedBrowser(sources, tenantId, next)
  const cookie = serialize(hostCookieName(name, url), value, { ...cookieAttributes(url), maxAge })
  response.headers.append('set-cookie', cookie)

  async function withoutUser(userId: string): Promise<RememberedBrowser | null> {
    const sealed = requestCookies(request)[REMEMBERED_ACCOUNTS_COOKIE]
    const before = await readRememberedBrowser(sources, tenantId, sealed)
    const others = keepAccounts(before, (account) => account.userId !== userId)
    return others === before ? null : others
  }
}

async function remainingOf(remembered: Promise<ReadBrowser | null>): Promise<RememberedBrowser | null> {
  const read = await remembered
  return read?.isChanged ? read.browser : null
}
