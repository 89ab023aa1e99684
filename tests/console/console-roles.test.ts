import { describe, expect, it } from 'vitest'
import { setDraft } from '../../console/api/drafts.ts'
import { ApiProblem } from '../../console/api/problem.ts'
import { hasAcceptedFactor } from '../../console/areas/access/own-factor.ts'
import {
  ADMINISTRATOR_ROLES,
  getAcceptedScopes,
  type ManagementScope,
} from '../../src/contract/access/management-scopes.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import { createAnswers } from './console-answers.ts'
import { findControls, renderPage } from './console-page.tsx'

/** Tests what the console shows to each administrator role (spec/console#areas, spec/console#controls). */

type RoleName = 'owner' | 'developer' | 'support' | 'readOnly'

const [owner, developer, support, readOnly] = ADMINISTRATOR_ROLES
const roleScopes = {
  owner: owner.scopes,
  developer: developer.scopes,
  support: support.scopes,
  readOnly: readOnly.scopes,
}

const pages = new Map<string, ReturnType<typeof renderPage>>()

function render(path: string, role: RoleName) {
  const key = `${role} ${path}`
  const page =
    pages.get(key) ?? renderPage(path, { scopes: roleScopes[role], answers: createAnswers(role === 'owner') })
  pages.set(key, page)
  return page
}

const NOT_FOUND = 'Go to the start page'

/** Returns the controls that a page shows to the role but not to the read-only role. */
async function writingControls(path: string, role: RoleName): Promise<string[]> {
  const [{ markup }, { markup: reading }] = [await render(path, role), await render(path, 'readOnly')]
  const seen = findControls(reading)
  return findControls(markup).filter((name) => !seen.includes(name) && name !== NOT_FOUND)
}

describe('the console navigation', () => {
  const everyone = [
    'Start',
    'Applications',
    'Sign-in experience',
    'Connectors',
    'Users',
    'Organizations',
    'Roles and APIs',
  ]
  it.each([
    ['owner', [...everyone, 'Webhooks', 'Log', 'Settings', 'Settings as code', 'Tenants']],
    [
      'developer',
      [...everyone.filter((name) => name !== 'Users'), 'Webhooks', 'Log', 'Settings', 'Settings as code'],
    ],
    ['support', ['Start', 'Applications', 'Users', 'Organizations', 'Roles and APIs', 'Log']],
    ['readOnly', [...everyone, 'Webhooks', 'Log', 'Settings', 'Settings as code']],
  ] as const)('shows the areas available to the role %s', async (role, areas) => {
    const { markup } = await render('/', role)
    const navigation = /<nav.*?<\/nav>/s.exec(markup)?.[0] ?? ''
    expect([...navigation.matchAll(/<a[^>]*>(.*?)<\/a>/gs)].map(([, name]) => name)).toEqual(areas)
  })
})

/** The hidden field of an upload, which has no name. Only operators who may change the experience can upload. */
const FILE_INPUT = '<input class="" type="file" style="display:none" accept="" data-rac=""/>'

/**
 * The pages with editing controls. `one` is a control that owners see. The roles in `others` see all of the owners'
 * controls except those in `lacks`. The remaining roles see only the controls of the read-only role.
 */
const rows: {
  path: string
  one: string
  others?: readonly RoleName[]
  lacks?: readonly string[]
}[] = [
  {
    path: '/',
    one: 'Require a second factor',
    others: ['developer'],
    lacks: ['Require a second factor', 'Enable passkeys'],
  },
  { path: '/applications', one: 'Create an application', others: ['developer'] },
  { path: '/applications/~new', one: 'Redirect URIs', others: ['developer'] },
  { path: '/applications/shop', one: 'Add a role', others: ['developer'] },
  { path: '/applications/robot', one: 'New secret' },
  { path: '/experience', one: 'Brand color', others: ['developer'] },
  { path: '/experience/sign-in', one: 'Who can sign in', others: ['developer'] },
  { path: '/connectors/new/google', one: 'Install', others: ['developer'] },
  { path: '/connectors/github', one: 'Test the sign-in', others: ['developer'] },
  { path: '/connectors/smtp', one: 'Send to this address', others: ['developer'] },
  { path: '/users', one: 'Create a user', others: ['support'], lacks: ['Invite an administrator'] },
  { path: '/users/invitations', one: 'Invite a user', others: ['support'] },
  { path: '/users/ann', one: 'Suspend', others: ['support'] },
  { path: '/users/ann/security', one: 'Reset second factors', others: ['support'] },
  { path: '/users/ann/sessions', one: 'End all sessions', others: ['support'] },
  { path: '/users/ann/access', one: 'Remove: clerks', others: ['support'] },
  { path: '/users/helper', one: 'Suspend', others: ['support'] },
  { path: '/users/boss', one: 'Suspend' },
  { path: '/users/boss/access', one: 'Remove: Owners (built-in)' },
  { path: '/organizations', one: 'New organization', others: ['support'] },
  {
    path: '/organizations/acme',
    one: 'Verification code',
    others: ['support'],
    lacks: ['Upload: Logo', 'Upload: Logo for the dark theme', FILE_INPUT],
  },
  { path: '/organizations/acme/members', one: 'Change roles: ann', others: ['support'] },
  { path: '/organizations/acme/services', one: 'Add a service', others: ['support'] },
  { path: '/organizations/acme/invitations', one: 'Send again: bob@example.com', others: ['support'] },
  { path: '/organizations/acme/domains', one: 'Prove acme.example', others: ['support'] },
  { path: '/organizations/~roles', one: 'New role', others: ['developer'] },
  { path: '/organizations/~roles/buyer', one: 'plan:read', others: ['developer'] },
  { path: '/organizations/~scopes', one: 'New scope', others: ['developer'] },
  { path: '/access', one: 'New role', others: ['developer'] },
  { path: '/access/apis', one: 'New API', others: ['developer'] },
  {
    path: '/access/apis/shop-api',
    one: 'New permission',
    others: ['developer'],
    lacks: ['Template (JSON)'],
  },
  { path: '/access/apis/management-api', one: 'New permission' },
  { path: '/access/administrators', one: 'Invite an administrator' },
  {
    path: '/access/roles/clerks',
    one: 'orders:read',
    others: ['developer'],
    lacks: ['all', 'users:read', 'users:write', 'organizations:write', 'settings:write'],
  },
  { path: '/access/roles/helpers', one: 'Add a service' },
  { path: '/access/roles/admin-role', one: 'Who needs a second factor' },
  { path: '/hooks', one: 'New webhook', others: ['developer'] },
  { path: '/hooks/hook', one: 'Send again', others: ['developer'] },
  { path: '/settings', one: 'Rules for new passwords' },
  { path: '/settings/limits', one: 'codes sent, except to reset a password: Limit' },
  { path: '/settings/keys', one: 'Withdraw the keys' },
  { path: '/tenants', one: 'New tenant' },
]

describe('editing controls', () => {
  it.each(rows)(
    'are shown at $path to the roles that may use them',
    async ({ path, one, others = [], lacks = [] }) => {
      const all = await writingControls(path, 'owner')
      expect(all).toEqual(expect.arrayContaining([one, ...lacks]))
      for (const role of ['developer', 'support'] as const) {
        const some = all.filter((name) => !lacks.includes(name))
        expect(await writingControls(path, role), role).toEqual(others.includes(role) ? some : [])
      }
    },
  )

  it('offer the support role only those roles that it may assign', async () => {
    const { markup } = await render('/users/ann/access', 'support')
    const offered = [...markup.matchAll(/<option value="([^"]+)"/g)].map(([, id]) => id)
    expect(offered).toEqual(expect.arrayContaining(['helpers', 'support-role']))
    expect(offered).not.toContain('admin-role')
    expect(offered).not.toContain('read-only-role')
  })

  it.each(['/users/helper/roles', '/roles/helpers/scopes'])(
    'are replaced by an error message and a retry button if the request for %s fails',
    async (unread) => {
      const problem = new ApiProblem({ status: 503, code: 'server.unavailable', message: 'Not now.' })
      const answers = (path: string) => (path === unread ? problem : createAnswers(false)(path))
      const page = await renderPage('/users/helper', { scopes: roleScopes.support, answers })
      expect(page.markup).toContain('role="alert"><p>Not now.')
      expect(findControls(page.markup)).toContain('Try again')
      expect(findControls(page.markup)).not.toContain('Suspend')
      expect(page.markup).not.toContain('that your roles don’t')
    },
  )

  it('are replaced by an explanation for a role that developers cannot change', async () => {
    const path = '/access/roles/helpers'
    expect((await render(path, 'developer')).markup).toContain('that your roles don’t')
    expect((await render(path, 'readOnly')).markup).not.toContain('that your roles don’t')
  })

  it('are hidden for an application with more permissions than the developer', async () => {
    const { markup } = await render('/applications/robot', 'developer')
    expect(markup).not.toContain('that your roles don’t')
    expect(findControls(markup)).not.toContain('Delete')
  })

  it.each([
    { path: '/settings', open: ['Countries that we send text messages to'], lockedCount: 5 },
    { path: '/settings/limits', open: [], lockedCount: 1 },
    { path: '/settings/addresses', open: ['Allow http and private addresses', 'Provider'], lockedCount: 4 },
  ])(
    'are replaced by an explanation at $path for settings that only owners can change',
    async ({ path, open, lockedCount }) => {
      const reason = 'Only owners can change this'
      const renderWith = (...scopes: ManagementScope[]) =>
        renderPage(path, { scopes, answers: createAnswers(scopes.includes('all')) })
      const reading = findControls((await renderWith('settings:read')).markup)
      const { markup } = await renderWith('settings:read', 'settings:write')
      const writing = findControls(markup).filter((name) => !reading.includes(name))
      expect(writing.map((name) => open.find((label) => name.includes(label)) ?? name)).toEqual(open)
      expect(markup.split(reason)).toHaveLength(lockedCount + 1)
      expect((await renderWith('settings:read')).markup).not.toContain(reason)
      expect((await renderWith('all')).markup).not.toContain(reason)
    },
  )
})

it.each(['developer', 'support', 'readOnly'] as const)(
  'the console sends only requests that the API allows for the role %s',
  async (role) => {
    const own: readonly string[] = roleScopes[role]
    for (const { path } of rows) {
      const { reads } = await render(path, role)
      // Requests for product texts are ignored, because the texts are public. Every page must make at least one other
      // request.
      const ofApi = reads.filter((read) => read.startsWith('/') && !read.startsWith('/.well-known'))
      expect(ofApi.length, path).toBeGreaterThan(0)
      expect(
        ofApi.filter((read) => !getAcceptedScopes('GET', `/api${read}`).some((scope) => own.includes(scope))),
        path,
      ).toEqual([])
    }
  },
)

describe('the switch that requires a second factor of all administrators', () => {
  const path = '/access/administrators'
  const turnOn = () =>
    setDraft('/configs/settings', { etag: null, changes: { administratorsNeedSecondFactor: true } })
  const renderWith = (totp: { createdAt: number } | null, saved: object = {}) =>
    renderPage(path, {
      scopes: roleScopes.owner,
      answers: (at) => {
        if (at === '/users/me/factors') return { totp, passkeys: 0 }
        const answer = createAnswers(true)(at)
        return at === '/configs/settings' ? { ...Object(answer), ...saved } : answer
      },
    })
  const NO_FACTOR = 'You don’t have one of these factors yet'
  const SET_UP = 'href="https://id.example.com/account/factors"'

  it('tells owners without a factor, before they save, that their next sign-in asks for one', async () => {
    expect((await renderWith(null)).markup).not.toContain(NO_FACTOR)
    turnOn()
    expect((await renderWith(null)).markup).toContain(NO_FACTOR)
    expect((await renderWith(null)).markup).not.toContain(SET_UP)
    expect((await renderWith({ createdAt: 1 })).markup).not.toContain(NO_FACTOR)
    setDraft('/configs/settings', null)
  })

  it('offers owners without a factor to set one up in the account centre, once it is saved', async () => {
    const accountCentre = { ...DEFAULT_TENANT_SETTINGS.accountCentre, enabled: true }
    const saved = { administratorsNeedSecondFactor: true, accountCentre }
    expect((await renderWith(null, saved)).markup).toContain(SET_UP)
    expect((await renderWith({ createdAt: 1 }, saved)).markup).not.toContain(SET_UP)
    const closed = await renderWith(null, { ...saved, accountCentre: DEFAULT_TENANT_SETTINGS.accountCentre })
    expect(closed.markup).not.toContain(SET_UP)
    expect(findControls(closed.markup)).toContain('Set one up now')
  })

  it('can only be changed by owners, and is not shown to roles that cannot read settings', async () => {
    const label = 'All administrators need a second factor'
    expect(await writingControls(path, 'owner')).toContain(label)
    expect((await render(path, 'developer')).markup).toContain(label)
    expect((await render(path, 'support')).markup).not.toContain(label)
  })

  it.each([
    [{ totp: null, passkeys: 1 }, { factors: ['totp', 'passkey'], enabled: false }, false],
    [{ totp: null, passkeys: 1 }, { factors: ['totp', 'passkey'], enabled: true }, true],
    [{ totp: { createdAt: 1, lastUsedAt: null }, passkeys: 0 }, { factors: ['email'], enabled: true }, true],
    [{ totp: null, passkeys: 1 }, { factors: ['totp', 'email'], enabled: true }, false],
    [{ totp: null, passkeys: 0 }, { factors: ['totp', 'email', 'phone'], enabled: false }, false],
  ] as const)(
    'counts an app, and passkeys that the tenant accepts: %j with %j',
    (owned, { factors, enabled }, has) => {
      const settings = { secondFactor: { factors: [...factors] }, passkeys: { enabled } }
      expect(hasAcceptedFactor(owned, settings)).toBe(has)
    },
  )
})

it('of the role of owners, only the scopes can be changed', async () => {
  const controls = await writingControls('/organizations/~roles/owner', 'owner')
  expect(controls).toEqual(['orders:read', 'plan:read'])
})

it('the page of a user lists organisations only for operators who may read them', async () => {
  expect((await render('/users/ann/organizations', 'support')).markup).toContain('Acme</a>')
  const scopes: ManagementScope[] = ['users:read']
  const page = await renderPage('/users/ann', { scopes, answers: createAnswers(false) })
  expect(page.markup).not.toContain('/users/ann/organizations')
})

it('the page of the deployment shows the version that the server runs', async () => {
  const { markup } = await render('/settings/deployment', 'readOnly')
  expect(markup).toMatch(/<dt>Version<\/dt><dd>0\.2\.0<\/dd>/)
})
