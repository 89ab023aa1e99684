import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { Router } from 'wouter'
import type { EntityForm } from '../../console/api/entity-form.ts'
import { ApiProblem } from '../../console/api/problem.ts'
import { stubWindow } from './console-page.tsx'

/** Tests what the console shows when a save fails (spec/console#conflicts, spec/console#controls). */

const { SaveBar } = await import('../../console/ui/save-bar.tsx')
const { Loading, Page } = await import('../../console/ui/page.tsx')
const { DelayedCloseButton: CloseOnce } = await import('../../console/ui/once-dialog.tsx')

beforeAll(stubWindow)

type Fields = { name: string }
const form: EntityForm<Fields> = {
  value: { name: 'a' },
  stored: { name: 'b' },
  failure: null,
  isChanged: true,
  isSaving: false,
  problem: null,
  conflicts: [],
  lost: [],
  unread: {},
  version: 0,
  save: async () => null,
  change() {},
  discard() {},
  choose() {},
  setUnread() {},
  retry() {},
}
const renderBar = (changes: Partial<EntityForm<Fields>>) =>
  renderToStaticMarkup(<SaveBar form={{ ...form, ...changes }} nameOf={() => 'Display name'} />)

const renderRefusal = (status: number, code: string, more: { data?: unknown; requestId?: string } = {}) =>
  renderBar({ problem: new ApiProblem({ status, code, message: 'In the words of the server.', ...more }) })

it('the close button of a one-time dialog is disabled at first, so a double-click cannot close it', () => {
  expect(renderToStaticMarkup(<CloseOnce text="Close" onClose={() => {}} />)).toMatch(
    /<button[^>]* disabled=/,
  )
})

describe('a failed save', () => {
  const rows: {
    status: number
    code: string
    more?: Parameters<typeof renderRefusal>[2]
    text: string
    line?: string
  }[] = [
    { status: 0, code: 'network', text: 'The server isn’t responding. Check your connection and try again.' },
    { status: 403, code: 'auth.forbidden', text: 'Your roles don’t allow this.' },
    {
      status: 403,
      code: 'auth.forbidden',
      more: { data: { scopes: ['all', 'users:write'] } },
      text: 'Your roles don’t allow this. You’re missing these scopes: all, users:write.',
    },
    { status: 403, code: 'role.internal_role_violation', text: 'In the words of the server.' },
    {
      status: 400,
      code: 'guard.invalid_input',
      more: { data: { issues: [{ path: ['name'], message: 'is long' }] } },
      text: 'In the words of the server.',
      line: 'Display name: is long',
    },
    {
      status: 500,
      code: 'server.internal',
      more: { requestId: 'r-1' },
      text: 'In the words of the server. (Request r-1)',
    },
  ]
  it.each(rows)(
    'shows “$text” for the status $status with the code $code, and can be retried',
    ({ status, code, more, text, line = '' }) => {
      const bar = renderRefusal(status, code, more)
      expect(bar).toContain(`<div role="alert"><p>${text}</p>`)
      expect(bar).toContain(line)
      expect(bar).toMatch(/<button(?![^>]*disabled)[^>]*>Save<\/button>/)
    },
  )

  it('shows both values and offers a choice if someone else has saved in the meantime', () => {
    const clash = { keys: ['name'], path: 'name', mine: 'a', theirs: 'c', isSecret: false }
    const bar = renderBar({ conflicts: [clash] })
    expect(bar).toContain('You both changed “Display name”. Theirs: “c”. Yours: “a”.')
    expect(bar).toMatch(/Use theirs<.*Keep my changes</s)
  })
})

describe('a missing entity', () => {
  const missing = (
    <Loading failure={new ApiProblem({ status: 404, code: 'entity.not_found', message: 'Gone.' })} />
  )
  const render = (node: ReactNode) => renderToStaticMarkup(<Router ssrPath="/console/users/x">{node}</Router>)

  it('has an error page with a heading, the reason and a link to the start page', () => {
    expect(render(missing)).toMatch(
      /<h1[^>]*>Page not found<.*role="alert"><p>Gone\.<.*href="\/"[^>]*>Go to the start page</s,
    )
  })

  it('is reported without a second heading inside an existing page', () => {
    const markup = render(<Page title="Ada">{missing}</Page>)
    expect(markup).toContain('role="alert"><p>Gone.')
    expect(markup.match(/<h1/g)).toHaveLength(1)
  })
})
