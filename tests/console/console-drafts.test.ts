import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Draft } from '../../console/api/drafts.ts'
import { updateDraftTargets, updateTargets } from '../../console/areas/connectors/offered.ts'
import { buildStorageBody } from '../../console/areas/settings/storage.ts'

/** Tests how unsaved changes are stored (spec/console#drafts). */

const storage: Record<string, string> = Object.create({
  getItem(this: Record<string, string>, key: string) {
    return this[key] ?? null
  },
  setItem(this: Record<string, string>, key: string, value: string) {
    this[key] = value
  },
  removeItem(this: Record<string, string>, key: string) {
    delete this[key]
  },
})

/** Reloads the drafts module, as a page reload does. */
async function load() {
  vi.resetModules()
  vi.stubGlobal('window', { sessionStorage: storage })
  return import('../../console/api/drafts.ts')
}

beforeEach(() => {
  for (const key of Object.keys(storage)) delete storage[key]
})

const inTab = (path: string): Draft | null => JSON.parse(storage[`console-draft:${path}`] ?? 'null')

it('a draft is kept in the tab until it is saved', async () => {
  const { setDraft } = await load()
  setDraft('/roles/clerk', { etag: '"1"', changes: { name: 'Clerk' } })
  expect(inTab('/roles/clerk')).toMatchObject({ etag: '"1"', changes: { name: 'Clerk' } })
  setDraft('/roles/clerk', null)
  expect(Object.keys(storage)).toEqual([])
})

it('drafts are deleted when another user signs in in the same tab', async () => {
  const { setDraft } = await load()
  const { claimTabForUser } = await import('../../console/session/kept-for-user.ts')
  claimTabForUser('ann')
  setDraft('/users/carl', { etag: null, changes: { name: 'Carl' } })
  Object.assign(storage, { 'console-import:users.csv:1:2': '{"line":3}', 'oidc-services.user': 'of Ann' })
  claimTabForUser('ann')
  expect(inTab('/users/carl')?.changes).toEqual({ name: 'Carl' })
  storage['oidc.user'] = 'of Bob'
  claimTabForUser('bob')
  expect(storage).toEqual({ 'console-user': 'bob', 'oidc.user': 'of Bob' })
})

it.each([
  {
    path: '/hooks/crm',
    secrets: ['config.headers'],
    secret: { headers: { 'x-key': 'of the CRM' } },
    other: { url: 'https://a.example' },
  },
  {
    path: '/connectors/google',
    secrets: ['config.clientSecret'],
    secret: { clientSecret: 'of the CRM' },
    other: { clientId: 'id' },
  },
])('the draft at $path is stored without secrets, and lists their names after a reload', async (row) => {
  const { path, secrets, secret, other } = row
  const { setDraft } = await load()
  const base = { config: { ...other, ...secret } }
  setDraft(path, { etag: null, changes: { config: { ...other, ...secret } }, base, secrets })
  expect(JSON.stringify(storage)).not.toContain('of the CRM')
  expect(inTab(path)).toMatchObject({ changes: { config: other }, base: { config: other }, lost: secrets })

  // If a draft contains only secrets, only their names are stored.
  setDraft(path, { etag: null, changes: { config: secret }, secrets })
  expect(inTab(path)).toEqual({ etag: null, changes: {}, base: {}, lost: secrets })
  const reloaded = await load()
  reloaded.setDraft(path, { ...inTab(path), etag: null, changes: {}, lost: [] })
  expect(Object.keys(storage)).toEqual([])
})

const STORED = { name: 'Shop', metadata: { a: 1, b: 1 } }
const merged = ['metadata']

it('text that is typed during a save stays in the draft', async () => {
  const { rebaseDraft: draftOn } = await load()
  const sent = { name: 'Store', metadata: { a: 1, b: 2 } }
  const later = { etag: '"1"', changes: { name: 'Store 2', metadata: { b: 2, a: 3 } }, base: sent, merged }
  const saved = { data: sent, etag: '"2"', total: null, isCapped: false }
  expect(draftOn(later, saved)).toMatchObject({
    etag: '"2"',
    changes: { name: 'Store 2', metadata: { a: 3 } },
    base: { name: 'Store', metadata: { a: 1 } },
  })
  // The server may normalize the text that it stores.
  const trimmed = { ...saved, data: { ...sent, name: 'Store.' } }
  expect(draftOn({ ...later, changes: { name: 'Store' } }, trimmed).changes).toEqual({})
})

it("a draft is rebased only after the user's own changes", async () => {
  const { setDraft, getDraft: draftOf, rebaseDraftFrom: carryDraft } = await load()
  const draft = { etag: '"1"', changes: { name: 'Store' }, base: { name: 'Shop' }, lost: ['metadata.secret'] }
  const now = { data: { ...STORED, isSuspended: true }, etag: '"2"', total: null, isCapped: false }
  setDraft('/a', draft)
  carryDraft('/a', '"0"', now)
  expect(draftOf('/a')?.etag).toBe('"1"')
  carryDraft('/a', '"1"', now)
  expect(draftOf('/a')).toMatchObject({ ...draft, etag: '"2"' })
})

it('a social button that is enabled on another page is added to the unsaved order', () => {
  const order = (...targets: string[]) => ({ socialSignInConnectorTargets: targets })
  const draft = { etag: '"1"', changes: { ...order('b', 'a'), customCss: 'a{}' }, base: order('a', 'b') }
  const offered = updateDraftTargets(draft, { target: 'c', isOffered: true })
  expect(offered).toEqual({
    ...draft,
    changes: { ...order('b', 'a', 'c'), customCss: 'a{}' },
    base: order('a', 'b', 'c'),
  })
  expect(updateDraftTargets(offered, { target: 'c', isOffered: false })).toEqual(draft)
  expect(
    updateDraftTargets({ etag: null, changes: { customCss: 'a{}' } }, { target: 'c', isOffered: true })
      .changes,
  ).toEqual({
    customCss: 'a{}',
  })
})

describe('a social button that was removed', () => {
  const before = ['google', 'github', 'apple']

  it.each([
    { target: 'google', now: ['github', 'apple'], after: before },
    { target: 'github', now: ['google', 'apple'], after: before },
    { target: 'apple', now: ['google', 'github'], after: before },
    { target: 'google', now: ['x', 'apple', 'y'], after: ['x', 'google', 'apple', 'y'] },
    { target: 'gone', now: ['google'], after: ['google', 'gone'] },
  ])('returns to its former position when $target is added back to $now', ({ target, now, after }) => {
    expect(updateTargets(now, { target, isOffered: true, before })).toEqual(after)
  })

  it('returns to its former position in an unsaved order', () => {
    const draft = { etag: '"1"', changes: { socialSignInConnectorTargets: ['apple', 'google', 'github'] } }
    const hidden = updateDraftTargets(draft, { target: 'google', isOffered: false })
    expect(updateDraftTargets(hidden, { target: 'google', isOffered: true, before }).changes).toEqual(
      draft.changes,
    )
  })
})

it.each([
  { storage: null, sent: null },
  { storage: { provider: null, publicUrl: null }, sent: null },
  {
    storage: { provider: 'R2' as const, publicUrl: 'https://files.example', endpoint: 'https://s3.example' },
    sent: { provider: 'R2', publicUrl: 'https://files.example' },
  },
  {
    storage: { provider: 'AzureStorage' as const, container: 'a', connectionString: 'x', publicUrl: null },
    sent: { provider: 'AzureStorage', container: 'a', connectionString: 'x' },
  },
])('only the storage fields of the selected provider are sent: $sent', ({ storage, sent }) => {
  expect(buildStorageBody(storage)).toEqual(sent)
})
