import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../console/api/problem.ts'
import {
  ADMINISTRATOR_ROLES,
  acceptedScopes,
  type ManagementScope,
} from '../../src/contract/access/management-scopes.ts'
import { answersTo } from './console-answers.ts'
import { controlsOf, drawPage } from './console-page.tsx'

/** What the console shows to each role of administrators (spec/console#areas, spec/console#controls). */

type RoleName = 'owner' | 'developer' | 'support' | 'readOnly'

const [owner, developer, support, readOnly] = ADMINISTRATOR_ROLES
const scopesOf = {
  owner: owner.scopes,
  developer: developer.scopes,
  support: support.scopes,
  readOnly: readOnly.scopes,
}

const drawn = new Map<string, ReturnType<typeof drawPage>>()

function draw(path: string, role: RoleName) {
  const key = `${role} ${path}`
  const page =
    drawn.get(key) ?? drawPage(path, { scopes: scopesOf[role], answers: answersTo(role === 'owner') })
  drawn.set(key, page)
  return page
}

const NOT_FOUND = 'To the start page'

/** What the role can do on the page, and read only cannot. */
async function writingControls(path: string, role: RoleName): Promise<string[]> {
  const [{ markup }, { markup: reading }] = [await draw(path, role), await draw(path, 'readOnly')]
  const seen = controlsOf(reading)
  return controlsOf(markup).filter((name) => !seen.includes(name) && name !== NOT_FOUND)
}

describe('the navigation', () => {
  const everyone = ['Start', 'Applications', 'Sign-in experience', 'Connectors', 'Users', 'Roles and APIs']
  it.each([
    ['owner', [...everyone, 'Webhooks', 'Log', 'Settings', 'As code', 'Tenants']],
    ['developer', [...everyone.filter((name) => name !== 'Users'), 'Webhooks', 'Log', 'Settings', 'As code']],
    ['support', ['Start', 'Applications', 'Users', 'Roles and APIs', 'Log']],
    ['readOnly', [...everyone, 'Webhooks', 'Log', 'Settings', 'As code']],
  ] as const)('of %s', async (role, areas) => {
    const { markup } = await draw('/', role)
    const navigation = /<nav.*?<\/nav>/s.exec(markup)?.[0] ?? ''
    expect([...navigation.matchAll(/<a[^>]*>(.*?)<\/a>/gs)].map(([, name]) => name)).toEqual(areas)
  })
})

/**
 * `one` is a control of the owner; `others` are the roles that have all of the owner's, but for those in `lacks`. To everybody else the
 * page shows what read only sees.
 */
const rows: {
  path: string
  one: string
  others?: readonly RoleName[]
  lacks?: readonly string[]
}[] = [
  {
    path: '/',
    one: 'Require one for the role',
    others: ['developer'],
    lacks: ['Require one for the role', 'Enable passkeys'],
  },
  { path: '/applications', one: 'Create an application', others: ['developer'] },
  { path: '/applications/~new', one: 'Redirect URIs', others: ['developer'] },
  {
    path: '/applications/shop',
    one: 'New secret',
    others: ['developer'],
    lacks: ['Administers this tenant'],
  },
  { path: '/applications/robot', one: 'New secret' },
  { path: '/experience', one: 'Brand color', others: ['developer'] },
  { path: '/experience/sign-in', one: 'Who may come in', others: ['developer'] },
  { path: '/connectors/new/google', one: 'Install', others: ['developer'] },
  { path: '/connectors/github', one: 'Test the sign-in', others: ['developer'] },
  { path: '/connectors/smtp', one: 'Send to this address', others: ['developer'] },
  { path: '/users', one: 'Create a user', others: ['support'], lacks: ['Invite an administrator'] },
  { path: '/users/ann', one: 'Suspend', others: ['support'] },
  { path: '/users/ann/security', one: 'Reset factors', others: ['support'] },
  { path: '/users/ann/sessions', one: 'End all sessions', others: ['support'] },
  { path: '/users/ann/access', one: 'Take away: clerks', others: ['support'] },
  { path: '/users/helper', one: 'Suspend', others: ['support'] },
  { path: '/users/boss', one: 'Suspend' },
  { path: '/users/boss/access', one: 'Take away: #internal:admin' },
  { path: '/access', one: 'New role', others: ['developer'] },
  { path: '/access/apis', one: 'New API', others: ['developer'] },
  { path: '/access/apis/shop-api', one: 'New permission', others: ['developer'] },
  { path: '/access/apis/management-api', one: 'New permission' },
  { path: '/access/administrators', one: 'Invite an administrator' },
  {
    ...{ path: '/access/roles/clerks', one: 'orders:read', others: ['developer'] },
    lacks: ['all', 'users:read', 'users:write', 'settings:write'],
  },
  { path: '/access/roles/helpers', one: 'orders:read' },
  { path: '/access/roles/admin-role', one: 'Who needs a second factor' },
  { path: '/hooks', one: 'New webhook', others: ['developer'] },
  { path: '/hooks/hook', one: 'Send again', others: ['developer'] },
  { path: '/settings', one: 'Rules for new passwords' },
  { path: '/settings/limits', one: 'codes sent, except to reset a password: Count' },
  { path: '/settings/keys', one: 'Withdraw the keys' },
  { path: '/tenants', one: 'New tenant' },
]

describe('the controls that write', () => {
  it.each(rows)('at $path', async ({ path, one, others = [], lacks = [] }) => {
    const all = await writingControls(path, 'owner')
    expect(all).toEqual(expect.arrayContaining([one, ...lacks]))
    for (const role of ['developer', 'support'] as const) {
      const some = all.filter((name) => !lacks.includes(name))
      expect(await writingControls(path, role), role).toEqual(others.includes(role) ? some : [])
    }
  })

  it('to support, only roles are offered that it may give', async () => {
    const { markup } = await draw('/users/ann/access', 'support')
    const offered = [...markup.matchAll(/<option value="([^"]+)"/g)].map(([, id]) => id)
    expect(offered).toEqual(expect.arrayContaining(['helpers', 'support-role']))
    expect(offered).not.toContain('admin-role')
    expect(offered).not.toContain('read-only-role')
  })

  it.each(['/users/helper/roles', '/roles/helpers/scopes'])(
    'are left out with the reason and another try where %s is not answered',
    async (unread) => {
      const problem = new ApiProblem({ status: 503, code: 'server.unavailable', message: 'Not now.' })
      const answers = (path: string) => (path === unread ? problem : answersTo(false)(path))
      const page = await drawPage('/users/helper', { scopes: scopesOf.support, answers })
      expect(page.markup).toContain('role="alert"><p>Not now.')
      expect(controlsOf(page.markup)).toContain('Try again')
      expect(controlsOf(page.markup)).not.toContain('Suspend')
      expect(page.markup).not.toContain('than your roles')
    },
  )

  it('a role says why a developer cannot change it', async () => {
    const path = '/access/roles/helpers'
    expect((await draw(path, 'developer')).markup).toContain('than your roles')
    expect((await draw(path, 'readOnly')).markup).not.toContain('than your roles')
  })

  it('an application says so only after a recent sign-in, which is not known when the page is drawn', async () => {
    const { markup } = await draw('/applications/robot', 'developer')
    expect(markup).not.toContain('than your roles')
    expect(controlsOf(markup)).not.toContain('Delete')
  })

  it.each([
    { path: '/settings', open: ['Countries that text messages are sent to'], kept: 4 },
    { path: '/settings/limits', open: [], kept: 1 },
    { path: '/settings/addresses', open: ['Provider'], kept: 4 },
  ])(
    '$path says why who writes settings, and is no owner, cannot change what protects owners',
    async ({ path, open, kept }) => {
      const reason = 'Only owners can change this'
      const drawWith = (...scopes: ManagementScope[]) =>
        drawPage(path, { scopes, answers: answersTo(scopes.includes('all')) })
      const reading = controlsOf((await drawWith('settings:read')).markup)
      const { markup } = await drawWith('settings:read', 'settings:write')
      const writing = controlsOf(markup).filter((name) => !reading.includes(name))
      expect(writing.map((name) => open.find((label) => name.includes(label)) ?? name)).toEqual(open)
      expect(markup.split(reason)).toHaveLength(kept + 1)
      expect((await drawWith('settings:read')).markup).not.toContain(reason)
      expect((await drawWith('all')).markup).not.toContain(reason)
    },
  )
})

it.each(['developer', 'support', 'readOnly'] as const)(
  'no page asks what the API refuses to %s',
  async (role) => {
    const own: readonly string[] = scopesOf[role]
    for (const { path } of rows) {
      const { reads } = await draw(path, role)
      // Texts of the product are public; a page without an answer has not asked.
      const ofApi = reads.filter((read) => read.startsWith('/') && !read.startsWith('/.well-known'))
      expect(ofApi.length, path).toBeGreaterThan(0)
      expect(
        ofApi.filter((read) => !acceptedScopes('GET', `/api${read}`).some((scope) => own.includes(scope))),
        path,
      ).toEqual([])
    }
  },
)
