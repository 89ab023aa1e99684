import { beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/time.ts'
import { type AccountVisitor, userIdOf, visitAccount } from '../../kit/account-centre.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the part of the audit log that users see (spec/account-centre#activity). */

let app: TestApp
let visitor: AccountVisitor
let userId: string
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  visitor = await visitAccount(app)
  userId = await userIdOf(app, visitor)
})
const show = async (path = '/account/activity') => (await visitor.client.get(path)).text()
const headings = (html: string) => [...html.matchAll(/"account-row-title">([^<]*)</g)].map(([, text]) => text)

type Row = { key: string; at: number; payload?: object; owner?: string; tenantId?: string }

const insert = (rows: readonly Row[]) =>
  app.env.DB.batch(
    rows.map(({ key, at, payload, owner = userId, tenantId = 'default' }) =>
      app.env.DB.prepare(
        'insert into logs (tenant_id, id, key, payload, created_at) values (?, lower(hex(randomblob(10))), ?, ?, ?)',
      ).bind(tenantId, key, JSON.stringify({ key, result: 'Success', userId: owner, ...payload }), at),
    ),
  )

describe('the activity page', () => {
  it('shows each event with its location and application, but hides operators’ networks', async () => {
    const operator = await newOperator(app)
    await operator.send('PATCH', `/users/${userId}`, { name: 'Grace' })
    const created = await operator.send('POST', '/applications', {
      id: 'activity-shop',
      name: 'Corner Shop',
      description: '',
      type: 'MachineToMachine',
    })
    expect([created.status, await created.text()]).toEqual([200, expect.any(String)])
    const place = { country: 'CH', city: 'Zürich', userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/145.0' }
    await insert([
      {
        key: 'Interaction.SignIn.Submit',
        at: Date.now(),
        payload: { ...place, applicationId: 'activity-shop' },
      },
      {
        key: 'Interaction.SignIn.Identifier.Password.Submit',
        at: Date.now(),
        payload: { result: 'Error' },
      },
      {
        key: 'Management.User.Update',
        at: Date.now(),
        payload: { ...place, country: 'NO', actor: { type: 'user', id: 'someone' } },
      },
      { key: 'Management.User.Create', at: 1 + Date.now(), payload: { ...place, country: 'NO' } },
    ])
    const html = await show()
    expect(headings(html)).toEqual(
      expect.arrayContaining(['Account created', 'Sign-in', 'Failed sign-in', 'Changed by an administrator']),
    )
    // One of these entries comes from an operator's call, and the other from the registration.
    expect(headings(html).filter((text) => text === 'Account created')).toHaveLength(2)
    for (const text of ['Zürich, Switzerland', 'Firefox on Linux', 'Corner Shop'])
      expect(html).toContain(text)
    expect(html).not.toContain('Norway')
    expect(html).not.toContain('someone')
    // Once in the row, and once in its details.
    expect(html.match(/Firefox/g)).toHaveLength(2)
    expect(html).toContain('<h2>Today</h2>')
  })

  it('lists only the user’s own completed changes from the last ninety days', async () => {
    const { username } = await visitAccount(app)
    const other = await userIdOf(app, { username })
    const at = Date.now()
    await insert([
      { key: 'Account.Passkey.Create', at, owner: other },
      { key: 'Account.Identity.Delete', at: at - 91 * DAY },
      { key: 'Account.Consent.Delete', at, payload: { result: 'Error' } },
      { key: 'Account.Password.Verify', at },
      { key: 'ExchangeTokenBy.RefreshToken', at },
    ])
    await app.env.DB.prepare("insert into tenants (id, created_at) values ('activity-other', 1)").run()
    await insert([{ key: 'Account.TrustedBrowser.Delete', at, tenantId: 'activity-other' }])
    const titles = headings(await show())
    for (const hidden of ['Passkeys changed', 'Linked accounts changed', 'Access removed', 'Account changed'])
      expect(titles).not.toContain(hidden)
    expect(titles).not.toContain('Remembered browser removed')
  })

  it('is paginated without duplicates, with one round trip per page', async () => {
    const start = Date.now() - 10 * DAY
    const tokens = Array.from({ length: 2_200 }, (_, index) => ({
      key: 'ExchangeTokenBy.RefreshToken',
      at: start + index,
    }))
    // Two rows share each millisecond, because a page may end between rows with the same time.
    const changes = Array.from({ length: 46 }, (_, index) => ({
      key: 'Account.Factor.Update',
      at: start + 3_000 + Math.floor(index / 2),
    }))
    for (let first = 0; first < tokens.length; first += 550) await insert(tokens.slice(first, first + 550))
    await insert([...changes, { key: 'Account.Passkey.Create', at: start - 1 }])
    const seen: (string | undefined)[] = []
    let path: string | undefined = '/account/activity'
    for (let page = 0; path && page < 10; page++) {
      app.trips()
      const html = await show(path)
      expect(app.trips()).toEqual({ awaited: 1, afterwards: 0 })
      seen.push(...headings(html))
      path = /href="(\/account\/activity\?before=[^"]+)"/.exec(html)?.[1]
    }
    expect(path).toBeUndefined()
    expect(seen.filter((text) => text === 'Two-step sign-in changed')).toHaveLength(46)
    expect(seen.filter((text) => text === 'Passkeys changed')).toHaveLength(1)
    expect(seen.at(-1)).toBe('Passkeys changed')
  })

  it('starts with the newest entries if the `before` parameter is invalid', async () => {
    const first = headings(await show())
    for (const before of ["1'--", '1.', `${Date.now()}`, 'x.y'])
      expect(headings(await show(`/account/activity?before=${encodeURIComponent(before)}`))).toEqual(first)
  })

  it('links to a page for users who do not recognise an entry', async () => {
    expect(await show()).toContain('href="/account/not-me"')
    const html = await show('/account/not-me')
    const steps = [...html.matchAll(/<h2 id="(\w+)"/g)].map(([, step]) => step)
    // Changing the password does not remove credentials that an attacker may have added.
    expect(steps).toEqual(['password', 'ways', 'sessions', 'applications'])
  })
})
