import { expect, it, vi } from 'vitest'

/** Where unsaved changes are kept (spec/console#drafts). */

it('keeps unsaved changes in the tab, but those that may hold secrets in the page alone', async () => {
  const storage = Object.create({
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
  })
  vi.stubGlobal('window', { sessionStorage: storage })
  const { setDraft } = await import('../../console/api/drafts.ts')
  setDraft('/roles/clerk', { etag: null, changes: { name: 'Clerk' } })
  setDraft('/hooks/crm', { etag: null, changes: { config: { headers: { 'x-key': 'secret of the CRM' } } } })
  expect(Object.keys(storage)).toEqual(['console-draft:/roles/clerk'])
  setDraft('/roles/clerk', null)
  expect(Object.keys(storage)).toEqual([])
})
