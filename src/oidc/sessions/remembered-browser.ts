import { serialize } from 'hono/utils/cookie'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  REMEMBERED_ACCOUNTS_COOKIE,
  readRememberedBrowser,
  sealRememberedBrowser,
} from '../../application/sessions/remembered-accounts.ts'
import { isClientUrl } from '../../contract/applications/unregistered-clients.ts'
import { cookieAttributes, hostCookieName } from '../../contract/cookie-names.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import { ACCOUNT_APP_ID, CONSOLE_APP_ID, DEMO_APP_ID } from '../../contract/product.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import {
  isStillRemembered,
  keepAccounts,
  listReturningAccounts,
  NOTHING_REMEMBERED,
  type RememberedBrowser,
} from '../../domain/sessions/remembered-accounts.ts'
import type { InteractionCookie } from '../../storage/interactions/interaction-cookies.ts'
import { getProviderRequest, type ProviderRequest } from '../request-context.ts'

/** Reads what a browser remembers, for requests to the provider (spec/accounts#remembered-account). */

type Sources = Pick<Dependencies, 'seals' | 'now'>

/** Reads what the browser of a request remembers from its cookie. */
export const readBrowser = (
  sources: Sources,
  tenantId: string,
  request: Request,
): Promise<RememberedBrowser> =>
  readRememberedBrowser(sources, tenantId, requestCookies(request)[REMEMBERED_ACCOUNTS_COOKIE])

export type BrowserRules = {
  experience: () => Promise<Experience>
  settings: () => Promise<Pick<TenantSettings, 'rememberAccounts' | 'secondFactor'>>
  isOfDevice: boolean
  /** True if the request leaves the choice of an account to the user. */
  mayWelcome: boolean
}

/**
 * Returns what the cookie of a new interaction says about the browser: whether to welcome its accounts, and the
 * application if it is new to this browser. Accounts that have ended are forgotten. They are read together with the
 * session, if there is one.
 */
export async function describeBrowser(
  client: Client | undefined,
  { experience, settings, isOfDevice, mayWelcome }: BrowserRules,
): Promise<Pick<InteractionCookie, 'welcomesAccounts' | 'newApplication'>> {
  if (!client) return {}
  const request = getProviderRequest()
  const before = await request.remembered
  const browser = before === NOTHING_REMEMBERED ? before : await stillRemembered(before, settings)
  if (browser !== before) request.newlyRemembered = browser
  const welcomes =
    mayWelcome &&
    browser.accounts.length > 0 &&
    client.rememberDays !== 0 &&
    listReturningAccounts(browser, await experience()).length > 0
  const { clientId, clientName: name, logoUri: logo } = client
  // Nobody learns a device's name before the sign-in.
  const isNew =
    name !== undefined && !isOfDevice && isVetted(client) && !browser.applications.includes(clientId)
  return {
    ...(welcomes && { welcomesAccounts: true }),
    ...(isNew && {
      newApplication: { name, ...(logo && name.length + logo.length <= MAX_LENGTH && { logo }) },
    }),
  }
}

/** Returns what the browser remembers under the tenant's current settings, without accounts that have ended. */
async function stillRemembered(
  browser: RememberedBrowser,
  settings: BrowserRules['settings'],
): Promise<RememberedBrowser> {
  const { rememberAccounts, secondFactor } = await settings()
  if (!rememberAccounts || secondFactor.rememberDays === 0) return NOTHING_REMEMBERED
  if (browser.accounts.length === 0) return browser
  const ids = browser.accounts.map(({ userId }) => userId)
  // Without the users, the page welcomes all accounts. They are read again when one of them continues.
  const users = await getProviderRequest()
    .work.rememberedUsers(ids)
    .catch(() => null)
  if (!users) return browser
  return keepAccounts(browser, (account) =>
    isStillRemembered(
      account,
      users.find(({ id }) => id === account.userId),
    ),
  )
}

/** Forgets the account whose user has just signed out of this browser. */
export async function forgetSignedOutAccount({
  params,
  session,
}: Pick<KoaContextWithOIDC['oidc'], 'params' | 'session'>): Promise<void> {
  // Without this parameter, the user stays signed in.
  if (!params?.logout) return
  const request = getProviderRequest()
  const before = await request.remembered
  const others = keepAccounts(before, ({ userId }) => userId !== session?.accountId)
  if (others !== before) request.newlyRemembered = others
}

/** The maximum length of an application's name and logo in the cookie. A longer logo is left out. */
const MAX_LENGTH = 400

/** Our own applications need no introduction, and nobody has vetted the names of clients that register themselves. */
const isVetted = (client: Client): boolean =>
  ![DEMO_APP_ID, ACCOUNT_APP_ID, CONSOLE_APP_ID].includes(client.clientId) &&
  !isClientUrl(client.clientId) &&
  client.isDynamicallyRegistered !== true

/** Sets the cookie in a successful response, if the request changes what the browser remembers. */
export async function updateBrowserCookie(
  sources: Sources,
  { tenantId, request, newlyRemembered }: ProviderRequest,
  response: Response,
): Promise<void> {
  if (!newlyRemembered || response.status >= 400) return
  const url = new URL(request.url)
  const {
    name,
    value,
    maxAgeSeconds: maxAge,
  } = await sealRememberedBrowser(sources, tenantId, newlyRemembered)
  const cookie = serialize(hostCookieName(name, url), value, { ...cookieAttributes(url), maxAge })
  response.headers.append('set-cookie', cookie)
}
