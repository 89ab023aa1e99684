import { type CallFailure, createApi } from '../../client/api/api.ts'
import { findJourney, loadJourneys } from '../../client/app/find-journey.ts'
import { findPage } from '../../client/app/routes.ts'
import type { FormValues, PlacedReaction } from '../../client/reactions/reactions.ts'
import english from '../../locales/en.json'
import { type ErrorCode, errorCatalogue } from '../../src/contract/errors.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { refusalMessage } from '../../src/domain/messages.ts'
import { answerForm, noticeFromPreviousPage } from '../../src/web/pages/form-answer.ts'
import { adaIdentifier, testBootData } from './boot-data.ts'
import { withEverything } from './every-page.ts'
import { everyPage } from './markup-pages.ts'

/** Every refusal that a call of a page's form can get, with the page's reaction to it. */

/** Everything that can go wrong with a call: the refusals of the catalogue, and calls without a usable response. */
export const refusalCodes: CallFailure['code'][] = [
  ...(Object.keys(errorCatalogue) as ErrorCode[]),
  'client.offline',
  'client.timeout',
  'client.unknown',
]

type Refusal = { code: CallFailure['code']; status: number; message: string; data: unknown }

const dataOf: Partial<Record<CallFailure['code'], object>> = {
  'user.missing_profile': { missingProfile: ['email'] },
  'request.too_many_requests': { retryAfter: 30 },
}

function refusalOf(code: CallFailure['code']): Refusal {
  const data = dataOf[code]
  if (!isInCatalogue(code)) return { code, status: 0, message: '', data }
  const { status } = errorCatalogue[code]
  return { code, status, message: refusalMessage({ catalogue: english, language: 'en' }, code, data), data }
}

function isInCatalogue(code: CallFailure['code']): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code)
}

export const refusals: readonly Refusal[] = refusalCodes.map(refusalOf)

const RETURNED = '?code=a&state=uid.aaaaaaaaaaaaaaaaaaaaaa&interaction=uid'

type NamedPage = Partial<BootData> & { name: string }

const toAda = { type: 'email', value: 'ada@example.com' } as const
const forms: NamedPage[] = [
  ...everyPage.filter(
    ({ name, path = '/sign-in', notice, error, logout }) =>
      name !== 'sign-in/passkey' && findPage(path)?.journeys && !notice && !error && !logout,
  ),
  { name: 'sign-in with every setting', experience: withEverything },
  { name: 'register with every setting', path: '/register', experience: withEverything },
  { name: 'continue/username with every setting', path: '/continue/username', experience: withEverything },
  {
    name: 'continue/verification-code of a social identity',
    path: '/continue/verification-code',
    search: '?interaction=uid&link_social=github',
    experience: withEverything,
    navigation: { identifier: toAda, event: 'Register' },
  },
  { name: 'social return', path: '/sign-in/social/github', search: RETURNED, experience: withEverything },
  {
    name: 'social return in the mode Register',
    path: '/sign-in/social/github',
    search: RETURNED,
    experience: { ...withEverything, termsOfUseUrl: null, privacyPolicyUrl: null, signInMode: 'Register' },
  },
  {
    name: 'social/link to an account',
    path: '/social/link/github',
    experience: withEverything,
    navigation: { relatedUser: toAda },
  },
  {
    name: 'sign-in/password with a code',
    path: '/sign-in/password',
    experience: withEverything,
    navigation: adaIdentifier,
  },
]

/** Every page with forms. Notices and errors would hide what the tests look for. */
export const pagesWithForms: (BootData & { name: string })[] = forms.map((page) => ({
  ...testBootData,
  ...page,
}))

export type RefusedCall = {
  intent: string
  /** The method and path of the refused call. */
  call: string
  refusal: Refusal
  reaction: PlacedReaction
}

/** Returns the reactions of a page's forms if each of their calls is refused in each way. */
export async function refusedCalls(
  page: BootData,
  ways: readonly Refusal[] = refusals,
): Promise<RefusedCall[]> {
  const calls: RefusedCall[] = []
  for (const intent of Object.keys((await loadJourneys(findPage(page.path))) ?? {}))
    for (const refusal of ways)
      for (const identifier of page.path === '/sign-in' || page.path === '/register'
        ? identifiers
        : [identifierFor(page)])
        calls.push(...(await refuseEachCall(page, { intent, refusal, identifier })))
  return calls
}

const identifiers = ['ada', 'ada@example.com', '+1 650 253 0000'] as const

export const identifierFor = ({ path }: Pick<BootData, 'path'>) =>
  identifiers[path === '/continue/username' ? 0 : path === '/continue/phone' ? 2 : 1]

/** Valid values of every field of every form. */
export const formValues: FormValues = {
  password: 'correct-1',
  newPassword: 'correct-1',
  confirmPassword: 'correct-1',
  termsAgreement: 'on',
  passcode_0: '123456',
  totpCode_0: '123456',
  backupCode: '0123-4567',
  connectorId: 'github',
  passkey: JSON.stringify({ assertion: {}, rpId: 'id.example.com' }),
}

async function refuseEachCall(
  page: BootData,
  { intent, refusal, identifier }: { intent: string; refusal: Refusal; identifier: string },
): Promise<RefusedCall[]> {
  const journey = await findJourney(page.path, intent)
  const refused: RefusedCall[] = []
  for (let before = 0; journey; before++) {
    const calls: string[] = []
    const api = createApi({
      baseUrl: page.origin,
      language: page.language,
      interaction: page.interaction,
      fetch: async (input, init) => {
        calls.push(`${init?.method} ${String(input).replace(page.origin, '')}`)
        return calls.length > before ? responseTo(refusal) : accepted
      },
    })
    const reaction = await journey({ api, form: { ...formValues, identifier }, boot: page })
    const call = calls[before]
    if (call === undefined) break
    refused.push({ intent, call, refusal, reaction })
  }
  return refused
}

/** A response that any call may return. A `Response` would take most of the time of the tests. */
const accepted = stubResponse(200, {
  redirectTo: '/oidc/auth/uid',
  secret: 'ABCD',
  address: 'otpauth://totp/x',
  sentTo: 'a****@example.com',
  backupCodes: ['0123-4567'],
})

function responseTo({ code, status, message, data }: Refusal): Response {
  switch (code) {
    case 'client.offline':
      throw new DOMException('', 'NetworkError')
    case 'client.timeout':
      throw new DOMException('', 'TimeoutError')
    case 'client.unknown':
      return stubResponse(502, 'no JSON of ours')
    default:
      return stubResponse(status, { code, message, data })
  }
}

function stubResponse(status: number, body: unknown): Response {
  const response: Pick<Response, 'ok' | 'status' | 'json'> = {
    ok: status < 300,
    status,
    json: async () => body,
  }
  return response as Response
}

/** Returns the page that a user without JavaScript sees after a reaction. */
export function pageWithoutScript(page: BootData, reaction: PlacedReaction): BootData {
  const answer = answerForm(page, reaction)
  switch (answer.kind) {
    case 'goTo':
      return {
        ...page,
        path: answer.path,
        navigation: null,
        notice: noticeFromPreviousPage(answer.navigation),
      }
    case 'leave':
      return page
    case 'notice':
      return { ...page, notice: answer.notice }
    case 'startAgain': {
      const { message, notice } = answer
      return { ...page, error: { code: 'session.not_found', message }, notice }
    }
  }
}
