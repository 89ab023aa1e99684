import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import type { CookieClient } from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { redeem, visit } from '../../kit/clients/organization-client.ts'
import {
  type Application,
  askForToken,
  newApi,
  newApplication,
  refreshTokens,
  type TokenAnswer,
} from '../../kit/clients/token-client.ts'
import {
  addOrganizationRole,
  removeMembership,
  storeMembership,
  storeOrganization,
} from '../../kit/organisations/organizations.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const API = 'https://grants.example'
const MOST_STEPS = 14
const RUNS = 6

type Step =
  | { kind: 'signIn'; application: number; organization: number | 'personal' | 'choice'; silent: boolean }
  | { kind: 'refresh'; token: number }
  | { kind: 'exchange'; token: number }
  | { kind: 'leave'; organization: number }
  | { kind: 'join'; organization: number }

const organizationIndex = fc.nat({ max: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('signIn' as const),
      application: fc.nat({ max: 1 }),
      organization: fc.oneof(organizationIndex, fc.constantFrom('personal' as const, 'choice' as const)),
      silent: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('refresh' as const, 'exchange' as const),
      token: fc.nat({ max: MOST_STEPS }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('leave' as const, 'join' as const),
      organization: organizationIndex,
    }),
  },
)

let app: TestApp
let applications: Application[]
let agent: Application
let organizations: string[]
let role: string
beforeAll(async () => {
  app = openTestApp()
  const operator = await newOperator(app)
  const { id } = await newApi(operator, API, ['read'])
  const scopes = (await (await operator.get(`/resources/${id}/scopes`)).json()) as { id: string }[]
  role = await addOrganizationRole({ resourceScopeIds: scopes.map((scope) => scope.id) })
  applications = await Promise.all(
    ['optional', 'required'].map((organizationMode) =>
      newApplication(operator, { customClientMetadata: { organizationMode } }),
    ),
  )
  agent = await newApplication(operator, {
    customClientMetadata: {
      tokenExchangeClients: applications.map((application) => application.id),
      tokenExchangeResources: [API],
    },
  })
  organizations = await Promise.all(['Acme', 'Beta', 'Gamma'].map((name) => storeOrganization({ name })))
})

/** Returns the organisation of the grant under which a token was issued. */
async function grantOrganization(grantId: unknown): Promise<string | undefined> {
  const row = await app.env.DB.prepare(
    "select json_extract(payload, '$.organizationId') as organizationId from oidc_model_instances where model_name = 'Grant' and id = ?",
  )
    .bind(grantId)
    .first<{ organizationId: string | null }>()
  expect(row).not.toBeNull()
  return row?.organizationId ?? undefined
}

it('every token has the organisation of its grant, and its user is a member, whatever happened before', async () => {
  const issuedFor = new Set<unknown>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: MOST_STEPS - 2, maxLength: MOST_STEPS }), async (steps) => {
      const { client: browser, userId } = await storeVisitor(app)
      const memberOf = new Set<string>()
      const issued: { application: Application; tokens: TokenAnswer }[] = []

      async function check(application: Application | null, tokens: TokenAnswer, requested?: string) {
        if (tokens.error !== undefined) return
        const { org_id: organization, grant_id: grantId } = decodeJwt(tokens.access_token)
        issuedFor.add(organization)
        expect(organization).toBe(await grantOrganization(grantId))
        if (tokens.id_token) expect(decodeJwt(tokens.id_token).org_id).toBe(organization)
        if (requested !== undefined) expect(organization ?? 'personal').toBe(requested)
        if (organization !== undefined) expect(memberOf).toContain(organization)
        if (application && tokens.refresh_token) issued.push({ application, tokens })
      }

      await change({ kind: 'join', organization: 0 })
      await change({ kind: 'join', organization: 1 })
      for (const each of steps) await perform(each)

      async function perform(each: Step): Promise<void> {
        if (each.kind === 'signIn') return signIn(browser, each)
        if (each.kind === 'leave' || each.kind === 'join') return change(each)
        const source = issued[each.token % Math.max(1, issued.length)]
        if (!source) return
        if (each.kind === 'refresh')
          return check(
            source.application,
            await refreshTokens(app, source.application, source.tokens, { resource: API }),
          )
        const exchanged = await askForToken(app, agent, {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          subject_token: source.tokens.access_token,
          resource: API,
        })
        return check(null, exchanged)
      }

      async function signIn(
        client: CookieClient,
        { application: index, organization, silent }: Step & { kind: 'signIn' },
      ) {
        const application = applications[index]
        if (!application) return
        const requested = typeof organization === 'number' ? organizations[organization] : organization
        const isChoice = organization === 'choice'
        const form = {
          scope: 'openid offline_access read',
          resource: API,
          ...(!isChoice && { organization: requested ?? '' }),
          ...(silent && { prompt: 'none' }),
        }
        const visited = await visit(client, application, form, [...memberOf][0] ?? 'personal')
        if (!visited.back.searchParams.has('code')) return
        const tokens = await redeem(app, application, visited, { resource: API })
        await check(application, tokens, isChoice ? undefined : requested)
      }

      async function change({ kind, organization }: Step & { kind: 'leave' | 'join' }) {
        const organizationId = organizations[organization] ?? ''
        if (kind === 'leave') {
          memberOf.delete(organizationId)
          await removeMembership(organizationId, userId)
        } else if (!memberOf.has(organizationId)) {
          memberOf.add(organizationId)
          await storeMembership({ organizationId, userId, roleIds: [role] })
        }
      }
    }),
    { numRuns: RUNS, seed: 193 },
  )
  // The sequences reach tokens for several organisations and personal ones.
  expect(issuedFor.size).toBeGreaterThan(2)
})
