import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '../../../client/api/api.ts'
import { findJourney } from '../../../client/app/find-journey.ts'
import type { PlacedReaction } from '../../../client/reactions/reactions.ts'
import english from '../../../locales/en.json'
import type { AgreeToTermsPolicy, Experience } from '../../../src/contract/experience/experience.ts'
import type { NavigationState } from '../../../src/contract/interactions/interaction.ts'
import { bootExperience, testBootData } from '../../client/boot-data.ts'
import { answerAt } from '../../journeys/social/upstream-sign-in.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
} from '../../kit/clients/cookie-client.ts'
import { codeTo, freshEmail, outcomeOf } from '../../kit/clients/interaction-client.ts'
import {
  addUser,
  beginSocialInteraction,
  comeBack,
  installUpstream,
  newProviderAccount,
  type SocialClient,
} from '../../kit/clients/social-client.ts'
import { pairsOf, singleCases } from '../../kit/sweep.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests that users must agree to the terms however they register or sign in (spec/interaction#agreement). */

const TERMS = 'https://example.com/terms'
const policies = ['Automatic', 'ManualRegistrationOnly', 'Manual'] as const
const byCode = everyMethod.map((method) => ({ ...method, isPasswordPrimary: false }))
const withNames = { identifiers: ['username' as const], password: true, verify: false }
const withAddresses = { identifiers: ['email' as const], password: false, verify: true }
const withNothing = { identifiers: [], password: false, verify: false }

let app: TestApp

beforeAll(async () => {
  const installing = openTestApp()
  await installUpstream(installing, ['oidc'])
})

/** Changes the settings, and opens a new app, which has not cached the previous settings. */
async function settle(policy: AgreeToTermsPolicy, signUp: Experience['signUp']): Promise<void> {
  app = openTestApp()
  await setExperience(app, { methods: byCode, signUp, signInMode: 'SignInAndRegister' })
  await app.env.DB.prepare(
    "update sign_in_experiences set terms_of_use_url = ?, agree_to_terms_policy = ? where tenant_id = 'default'",
  )
    .bind(TERMS, policy)
    .run()
}

/** Returns the agreement of the account that signed in last. */
const newestAgreement = async () => {
  const row = await app.env.DB.prepare(
    'select terms_agreement from users order by last_sign_in_at desc, search_id desc limit 1',
  ).first<{ terms_agreement: string | null }>()
  return row?.terms_agreement ? JSON.parse(row.terms_agreement) : null
}
const accounts = () => app.env.DB.prepare('select count(*) as n from users').first<number>('n')

const agreement = (policy: AgreeToTermsPolicy) => ({
  agreedAt: expect.any(Number),
  policy,
  termsOfUseUrl: TERMS,
  privacyPolicyUrl: null,
})
const refused = [422, 'user.terms_not_agreed', { termsOfUseUrl: TERMS, privacyPolicyUrl: null }]
const data = async (response: Response) => expect(response.status).toBe(204)

type Way = {
  called: string
  event: 'Register' | 'SignIn'
  signUp: Experience['signUp']
  prepare: (flow: SocialClient) => Promise<void>
}

/** Each entry prepares an interaction through the API, up to the submit. */
const ways: Way[] = [
  {
    called: 'a registration with a password',
    event: 'Register',
    signUp: withNames,
    prepare: async ({ start }) =>
      data(await start('Register', { profile: { username: freshName(), password: PASSWORD } })),
  },
  {
    called: 'a registration with a code',
    event: 'Register',
    signUp: withAddresses,
    async prepare({ start, prove, call }) {
      const email = freshEmail()
      await data(await start('Register'))
      await data(await prove({ email }))
      await data(await call('PATCH', '/profile', { email }))
    },
  },
  {
    called: 'a sign-in with a code to an unknown address that becomes a registration',
    event: 'Register',
    signUp: withAddresses,
    async prepare({ start, prove, call, submit }) {
      const email = freshEmail()
      await data(await start('SignIn'))
      await data(await prove({ email }))
      expect((await submit()).status).toBe(404)
      await data(await call('PUT', '/event', { event: 'Register' }))
      await data(await call('PUT', '/profile', { email }))
    },
  },
  {
    called: 'a registration with a social identity',
    event: 'Register',
    signUp: withNothing,
    async prepare(flow) {
      await data(await flow.start('SignIn'))
      await data(await flow.proveBy('oidc', await newProviderAccount()))
      await data(await flow.call('PUT', '/event', { event: 'Register' }))
      await data(await flow.call('PATCH', '/profile', { connectorId: 'oidc' }))
    },
  },
  {
    called: 'a registration that does not link the related account',
    event: 'Register',
    signUp: withNothing,
    async prepare(flow) {
      const email = freshEmail()
      await addUser(app, { email })
      await data(await flow.start('SignIn'))
      await data(await flow.proveBy('oidc', await newProviderAccount({ email, isVerified: true })))
      expect((await outcomeOf(await flow.submit()))[1]).toBe('user.identity_not_exist')
      await data(await flow.call('PUT', '/event', { event: 'Register' }))
      await data(await flow.call('PATCH', '/profile', { connectorId: 'oidc' }))
    },
  },
  {
    called: 'a sign-in that links the related account',
    event: 'SignIn',
    signUp: withNothing,
    async prepare(flow) {
      const email = freshEmail()
      await addUser(app, { email })
      await data(await flow.start('SignIn'))
      await data(await flow.proveBy('oidc', await newProviderAccount({ email, isVerified: true })))
      await data(await flow.call('PATCH', '/identifiers', { connectorId: 'oidc', email }))
      await data(await flow.call('PATCH', '/profile', { connectorId: 'oidc' }))
    },
  },
  {
    called: 'a sign-in with a code',
    event: 'SignIn',
    signUp: withAddresses,
    async prepare({ start, prove }) {
      const email = freshEmail()
      await addUser(app, { email })
      await data(await start('SignIn'))
      await data(await prove({ email }))
    },
  },
]

/**
 * Each way and each policy once, and the policy for registrations also at a sign-in. An exhaustive run has all
 * combinations.
 */
const sweep = env.TEST_SWEEP
const apiCases = pairsOf(sweep, ways, policies).map(([way, policy]) => ({ ...way, policy }))
const signIn = ways.find(({ event }) => event === 'SignIn')
if (!sweep.isExhaustive && signIn) apiCases.push({ ...signIn, policy: 'ManualRegistrationOnly' })

describe('the terms policy in the API', () => {
  it.each(apiCases)('$policy is applied to $called', async ({ policy, event, signUp, prepare }) => {
    await settle(policy, signUp)
    const flow = await beginSocialInteraction(app)
    await prepare(flow)
    const isAsked = policy === 'Manual' || (policy === 'ManualRegistrationOnly' && event === 'Register')
    const before = await accounts()
    const first = await outcomeOf(await flow.submit())
    expect(first).toEqual(isAsked ? refused : [200, null])
    if (isAsked) {
      expect(await accounts()).toBe(before)
      expect(await outcomeOf(await flow.call('POST', '/submit', { agreesToTerms: false }))).toEqual(refused)
      expect(await outcomeOf(await flow.call('POST', '/submit', { agreesToTerms: true }))).toEqual([
        200,
        null,
      ])
    }
    const isRecorded = isAsked || policy === 'Automatic'
    expect(await newestAgreement()).toEqual(isRecorded ? agreement(policy) : null)
  })
})

it('an agreement sent with a rejected submission remains valid for the next attempt', async () => {
  await settle('Manual', withNames)
  const flow = await beginSocialInteraction(app)
  await data(await flow.start('Register', { profile: { username: freshName() } }))
  const first = await flow.call('POST', '/submit', { agreesToTerms: true })
  expect((await outcomeOf(first))[1]).toBe('user.missing_profile')
  await data(await flow.call('PATCH', '/profile', { password: PASSWORD }))
  expect((await flow.submit()).status).toBe(200)
  expect(await newestAgreement()).toEqual(agreement('Manual'))
})

/** The destination of a form: `asked` is the page that asks for agreement, and `out` is the application. */
type Arrival = { at: string; kind: 'asked' | 'out' | 'page' | 'provider' | 'question' }
type Visit = {
  send(path: string, form?: Record<string, string>): Promise<Arrival>
  back(to: string): Promise<string>
}

const unescaped = (text: string) => text.replaceAll('&#38;', '&').replaceAll('&amp;', '&')

async function withoutScript(who: { id: string }): Promise<Visit> {
  const client = newCookieClient(app)
  const uid = await openSignInPage(client, await authorizationRequest())
  return {
    async send(path, form = {}) {
      const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
      const answer = await client.post(path, { interaction: uid, ...form }, headers)
      const at = answer.headers.get('location') ?? ''
      if (answer.status === 303) return { at, kind: at.startsWith('/') ? 'page' : 'out' }
      const html = await answer.text()
      const onward = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(html)?.[1]
      if (onward) return { at: unescaped(onward), kind: 'provider' }
      const isAsked = /value="agree(?:Social)?"/.test(html) || html.includes('id="termsAgreement-problem"')
      return { at: path, kind: isAsked ? 'asked' : 'question' }
    },
    async back(to) {
      const page = await comeBack(client, await answerAt(to, who))
      return page.pathname + page.search
    },
  }
}

async function withScript(who: { id: string }, experience: Experience): Promise<Visit> {
  const client = newCookieClient(app)
  const uid = await openSignInPage(client, await authorizationRequest())
  let navigation: NavigationState | null = null
  const api = createApi({
    baseUrl: ORIGIN,
    fetch: async (input, init) => {
      const body = init?.body
      const { pathname } = new URL(String(input))
      const sent = typeof body === 'string' ? JSON.parse(body) : undefined
      if (pathname.endsWith('/step')) navigation = sent // the next page starts with it
      return client.send(init?.method ?? 'GET', pathname, sent, { Interaction: uid })
    },
    language: 'en',
    interaction: uid,
  })
  return {
    async send(path, { intent = 'send', ...form } = {}) {
      const { pathname, search } = new URL(path, ORIGIN)
      const journey = await findJourney(pathname, intent)
      if (!journey) throw new Error(`${pathname} has no form ${intent}`)
      const here = { path: pathname, search, navigation, experience, interaction: uid, origin: ORIGIN }
      const reaction: PlacedReaction = await journey({
        api,
        form,
        boot: { ...testBootData, ...here, phrases: english.translation },
      })
      if (reaction.kind === 'goTo') {
        navigation = reaction.navigation ?? null
        return { at: reaction.path, kind: 'page' }
      }
      if (reaction.kind === 'leave')
        return { at: reaction.url, kind: reaction.connectorId ? 'provider' : 'out' }
      const isAsked =
        (reaction.kind === 'confirm' && /^agree/.test(reaction.intent ?? '')) ||
        (reaction.kind === 'inline' && reaction.field === 'termsAgreement')
      return { at: path, kind: isAsked ? 'asked' : 'question' }
    },
    async back(to) {
      const page = await comeBack(client, await answerAt(to, who))
      return page.pathname + page.search
    },
  }
}

const boxes = (code: string) =>
  Object.fromEntries([...code].map((digit, index) => [`passcode_${index}`, digit]))

type PageWay = {
  called: string
  event: 'Register' | 'SignIn'
  signUp: Experience['signUp']
  /** Reports whether the user was asked to agree, and returns the destination of the last form. */
  go: (visit: Visit, who: { id: string }, isAsked: boolean) => Promise<{ wasAsked: boolean; end: Arrival }>
}

/** Submits a form, and submits the agreement if the response asks for it. */
async function sendAgreeing(
  visit: Visit,
  path: string,
  form: Record<string, string>,
  agreed: Record<string, string>,
) {
  const first = await visit.send(path, form)
  if (first.kind !== 'asked') return { wasAsked: false, end: first }
  return { wasAsked: true, end: await visit.send(path, agreed) }
}

const ticked = { termsAgreement: 'on' }

const pageWays: PageWay[] = [
  {
    called: 'a registration with a password',
    event: 'Register',
    signUp: withNames,
    async go(visit) {
      const form = { identifier: freshName() }
      const { wasAsked, end } = await sendAgreeing(visit, '/register', form, { ...form, ...ticked })
      expect(end.kind).toBe('page')
      const password = { newPassword: PASSWORD, confirmPassword: PASSWORD }
      return { wasAsked, end: await visit.send(end.at, password) }
    },
  },
  {
    called: 'a sign-in with a code to an unknown address, followed by "Create"',
    event: 'Register',
    signUp: withAddresses,
    async go(visit, _, isAsked) {
      const form = { identifier: freshEmail() }
      const begun = await sendAgreeing(visit, '/sign-in', form, { ...form, ...ticked })
      const code = await codeTo(app, { email: form.identifier })
      expect((await visit.send(begun.end.at, boxes(code))).kind).toBe('question')
      const created = await sendAgreeing(visit, begun.end.at, { intent: 'register' }, { intent: 'agree' })
      expect(begun.wasAsked && created.wasAsked).toBe(false)
      expect(begun.wasAsked || created.wasAsked).toBe(isAsked)
      return { wasAsked: isAsked, end: created.end }
    },
  },
  {
    called: 'a registration with a social identity',
    event: 'Register',
    signUp: withNothing,
    async go(visit) {
      const social = { intent: 'social', connectorId: 'oidc' }
      const left = await sendAgreeing(visit, '/sign-in', social, { ...social, intent: 'agreeSocial' })
      const returned = await sendAgreeing(visit, await visit.back(left.end.at), {}, { intent: 'agree' })
      // Users are asked once: before they leave, if everybody has to agree.
      expect(left.wasAsked && returned.wasAsked).toBe(false)
      return { wasAsked: left.wasAsked || returned.wasAsked, end: returned.end }
    },
  },
]

const pageCases = pageWays.flatMap((way) =>
  policies.flatMap((policy) => [true, false].map((hasScript) => ({ ...way, policy, hasScript }))),
)

describe('the terms policy on the pages', () => {
  it.each(singleCases(sweep, pageCases, ({ called, policy, hasScript }) => [called, policy, hasScript]))(
    '$policy is applied to $called, with JavaScript: $hasScript',
    async ({ policy, signUp, go, hasScript }) => {
      await settle(policy, signUp)
      const who = await newProviderAccount()
      const connector = { id: 'oidc', target: 'oidc', platform: 'Universal' as const, name: {}, logo: '' }
      const experience = {
        ...bootExperience,
        signIn: { methods: byCode },
        signUp,
        termsOfUseUrl: TERMS,
        agreeToTermsPolicy: policy,
        socialConnectors: [connector],
      }
      const visit = hasScript ? await withScript(who, experience) : await withoutScript(who)
      const isAsked = policy !== 'Automatic'
      const { wasAsked, end } = await go(visit, who, isAsked)
      expect([wasAsked, end.kind]).toEqual([isAsked, 'out'])
      expect(await newestAgreement()).toEqual(agreement(policy))
    },
  )
})
