import './console-page.tsx'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Router } from 'wouter'
import type { EntityForm } from '../../console/api/entity-form.ts'
import { ApiProblem } from '../../console/api/problem.ts'

/** What a save says that did not succeed (spec/console#conflicts, spec/console#controls). The console is loaded by `console-page.tsx`. */

const { SaveBar } = await import('../../console/ui/save-bar.tsx')
const { Loading, Page } = await import('../../console/ui/page.tsx')
const { DelayedCloseButton: CloseOnce } = await import('../../console/ui/once-dialog.tsx')

type Fields = { name: string }
const form: EntityForm<Fields> = {
  ...{ value: { name: 'a' }, stored: { name: 'b' }, failure: null, isChanged: true, isSaving: false },
  ...{ problem: null, conflicts: [], lost: [], unread: {}, version: 0, save: async () => null },
  ...{ change() {}, discard() {}, choose() {}, setUnread() {}, retry() {} },
}
const barOf = (given: Partial<EntityForm<Fields>>) =>
  renderToStaticMarkup(<SaveBar form={{ ...form, ...given }} nameOf={() => 'Display name'} />)

const refused = (status: number, code: string, more: { data?: unknown; requestId?: string } = {}) =>
  barOf({ problem: new ApiProblem({ status, code, message: 'In the words of the server.', ...more }) })

it('what is shown once is not closed by the second press of the double press that made it', () => {
  expect(renderToStaticMarkup(<CloseOnce text="Close" onClose={() => {}} />)).toMatch(
    /<button[^>]* disabled=/,
  )
})

describe('a save that did not succeed', () => {
  const rows: {
    status: number
    code: string
    more?: Parameters<typeof refused>[2]
    says: string
    line?: string
  }[] = [
    { status: 0, code: 'network', says: 'The server isn’t responding. Check your connection and try again.' },
    { status: 403, code: 'auth.forbidden', says: 'Your roles don’t allow this.' },
    {
      ...{ status: 403, code: 'auth.forbidden', more: { data: { scopes: ['all', 'users:write'] } } },
      says: 'Your roles don’t allow this. You’re missing these scopes: all, users:write.',
    },
    { status: 403, code: 'role.internal_role_violation', says: 'In the words of the server.' },
    {
      ...{
        status: 400,
        code: 'guard.invalid_input',
        more: { data: { issues: [{ path: ['name'], message: 'is long' }] } },
      },
      says: 'In the words of the server.',
      line: 'Display name: is long',
    },
    {
      ...{ status: 500, code: 'server.internal', more: { requestId: 'r-1' } },
      says: 'In the words of the server. (Request r-1)',
    },
  ]
  it.each(rows)(
    'for $status $code says “$says”, and can be repeated',
    ({ status, code, more, says, line = '' }) => {
      const bar = refused(status, code, more)
      expect(bar).toContain(`<div role="alert"><p>${says}</p>`)
      expect(bar).toContain(line)
      expect(bar).toMatch(/<button(?![^>]*disabled)[^>]*>Save<\/button>/)
    },
  )

  it('because somebody else has saved, shows both values and offers both ways', () => {
    const clash = { keys: ['name'], path: 'name', mine: 'a', theirs: 'c', isSecret: false }
    const bar = barOf({ conflicts: [clash] })
    expect(bar).toContain('You both changed “Display name”. Theirs: “c”. Yours: “a”.')
    expect(bar).toMatch(/Use theirs<.*Keep my changes</s)
  })
})

describe('what is not there', () => {
  const gone = (
    <Loading failure={new ApiProblem({ status: 404, code: 'entity.not_found', message: 'Gone.' })} />
  )
  const draw = (node: ReactNode) => renderToStaticMarkup(<Router ssrPath="/console/users/x">{node}</Router>)

  it('is a page with a heading, the reason and a way back', () => {
    expect(draw(gone)).toMatch(
      /<h1[^>]*>Page not found<.*role="alert"><p>Gone\.<.*href="\/"[^>]*>Go to the start page</s,
    )
  })

  it('is the reason alone, on a page that is there', () => {
    const drawn = draw(<Page title="Ada">{gone}</Page>)
    expect(drawn).toContain('role="alert"><p>Gone.')
    expect(drawn.match(/<h1/g)).toHaveLength(1)
  })
})
