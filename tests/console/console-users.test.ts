import { describe, expect, it } from 'vitest'
import {
  failedSignInsFilter,
  last24HoursFilter,
  parseFilter as logFilterOf,
  yesterdayFilter,
} from '../../console/areas/log/address.ts'
import { type ReadPage, readNewerRows, readOlderRows } from '../../console/areas/log/batches.ts'
import { keyGroups, logKeys } from '../../console/areas/log/keys.ts'
import {
  buildTimeline,
  csvRow,
  findExchangeFilter,
  formatElapsed,
  formatFieldValue,
  hidesRows,
  type Log,
  matchesFilter,
  mergeRows,
  nextCursor,
  PAGE_SIZE,
} from '../../console/areas/log/logs.ts'
import { formatParty, readPartyId, resolveParty, toParty } from '../../console/areas/log/party.ts'
import { applyProfileChanges, type ManagedUser, toPatch } from '../../console/areas/users/profile.ts'
import { chooseRemovalConfirmation } from '../../console/session/step-up.ts'

/** Tests the pure functions of the users area and the log area (spec/console#users, spec/console#log). */

describe('a profile change', () => {
  const stored = (profile: ManagedUser['profile']) => ({ profile }) as ManagedUser

  it('sends null for removed fields, because the API merges profiles', () => {
    const from = stored({ nickname: 'Jo', gender: 'x', address: { country: 'CH', region: 'ZH' } })
    const profile = applyProfileChanges(from.profile, { nickname: '' })
    const changed = applyProfileChanges(profile, {
      address: applyProfileChanges(profile.address ?? {}, { region: '' }),
    })
    expect(toPatch({ name: 'Joan', profile: changed }, from)).toEqual({
      name: 'Joan',
      profile: { nickname: null, gender: 'x', address: { country: 'CH', region: null } },
    })
  })

  it('is undone by sending null for each added field', () => {
    expect(toPatch({ profile: {} }, stored({ locale: 'de' }))).toEqual({ profile: { locale: null } })
  })

  it('leaves other fields unchanged', () => {
    expect(toPatch({ name: null }, stored({ locale: 'de' }))).toEqual({ name: null })
  })
})

describe('the confirmation for removing a role', () => {
  const NOW = 100 * 60_000
  it.each([
    { isOwn: false, minutes: 54, question: null },
    { isOwn: false, minutes: 55, question: 'old' },
    { isOwn: false, minutes: null, question: 'old' },
    { isOwn: true, minutes: 0, question: 'own' },
    { isOwn: true, minutes: 55, question: 'own' },
  ])(
    'asks "$question" $minutes minutes after the sign-in (own role: $isOwn)',
    ({ isOwn, minutes, question }) => {
      const authTime = minutes === null ? null : NOW - minutes * 60_000
      expect(chooseRemovalConfirmation({ isOwn, authTime }, NOW)).toBe(question)
    },
  )
})

const log = (id: string, createdAt: number, payload: Record<string, unknown> = {}, key = 'Test'): Log => ({
  tenantId: 'default',
  id,
  key,
  createdAt,
  actor: null,
  payload: { key, result: 'Success', ...payload },
})

describe('the log', () => {
  const page = (from: number, step: number) =>
    Array.from({ length: PAGE_SIZE }, (_, index) => log(`${index}`, from - index * step))

  it('continues from the last row’s time, or with the next page if all times are equal', () => {
    expect(nextCursor(page(1000, 1), null)).toEqual({ to: 901, page: 1 })
    expect(nextCursor(page(901, 0), { to: 901, page: 1 })).toEqual({ to: 901, page: 2 })
    expect(nextCursor(page(901, 1), { to: 901, page: 2 })).toEqual({ to: 802, page: 1 })
    expect(nextCursor([log('a', 5)], { to: 9, page: 1 })).toBeNull()
  })

  it.each([
    { value: 'Ada King', text: 'Ada King' },
    { value: ['https://a.example/', 'https://b.example/'], text: 'https://a.example/\nhttps://b.example/' },
    { value: [], text: '[]' },
    { value: ['a', 1], text: '[\n "a",\n 1\n]' },
    { value: { a: false }, text: '{\n "a": false\n}' },
  ])('shows the value $value of a changed field as "$text"', ({ value, text }) => {
    expect(formatFieldValue(value)).toBe(text)
  })

  describe('while new rows arrive', () => {
    const failures = { result: 'Error' } as const
    const NOW = 10_000_000
    /** Returns log rows page by page, like the API, which doesn't filter by result. */
    const fakeApi = (rows: readonly Log[]) => {
      let pages = 0
      const read: ReadPage = async ({ from = 0, to = NOW }, cursor) => {
        pages++
        const within = rows.filter(({ createdAt }) => createdAt >= from && createdAt <= (cursor?.to ?? to))
        const begin = ((cursor?.page ?? 1) - 1) * PAGE_SIZE
        return mergeRows(within).slice(begin, begin + PAGE_SIZE)
      }
      return { read, pages: () => pages }
    }
    /** One success per second, and one much older failure. */
    const successes = Array.from({ length: 900 }, (_, at) => log(`s${at}`, NOW - at * 1000))
    const rows = [...successes, log('failure', NOW - 880_500, failures)]

    it('continues from the newest row that was loaded, even if the filter hides it', async () => {
      const { read, pages } = fakeApi(rows)
      const first = await readOlderRows(failures, null, read)
      expect(first).toMatchObject({ rows: [{ id: 'failure' }], newest: NOW })
      const before = pages()
      const ids = new Set(['failure'])
      expect(await readNewerRows(failures, { since: first.newest ?? 0, ids }, read)).toEqual({
        rows: [],
        newest: NOW,
      })
      expect(pages() - before).toBe(1)
    })

    it('loads all new pages at first, and then only one page', async () => {
      const { read, pages } = fakeApi(rows)
      const newer = await readNewerRows(failures, { since: NOW - 895_000, ids: new Set() }, read)
      expect(newer).toMatchObject({ rows: [{ id: 'failure' }], newest: NOW })
      const before = pages()
      expect(before).toBe(10)
      await readNewerRows(failures, { since: newer.newest, ids: new Set(['failure']) }, read)
      expect(pages() - before).toBe(1)
    })

    it('shows a row that was stored with a delay', async () => {
      const late = fakeApi([log('late', NOW - 9000, failures)])
      const newer = await readNewerRows(failures, { since: NOW, ids: new Set() }, late.read)
      expect(newer).toMatchObject({ rows: [{ id: 'late' }], newest: NOW })
    })
  })

  it('shows each row once, newest first', () => {
    const [a, b, c] = [log('a', 3), log('b', 2), log('c', 1)]
    expect(mergeRows([b], [a, b], [c]).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('is exported to CSV with formulas escaped', () => {
    const line = csvRow(
      log('a', 0, { userAgent: '=1+1;=2+2', ip: '::1', result: 'Error', error: { code: 'x.y' } }),
    )
    expect(line).toMatch(/^1970-01-01T00:00:00.000Z,Test,Error,x.y,/)
    expect(line).toContain(",'=1+1;'=2+2,,a\r\n")
    const changes = { name: { before: 'Ann', after: 'Bea' } }
    const change = csvRow({ ...log('a', 0, { changes }), actor: { type: 'administrator', id: 'boss' } })
    expect(change).toContain(',administrator,boss,')
    expect(change).toContain('"{""name"":{""before"":""Ann"",""after"":""Bea""}}"')
  })

  it('parses its filter from the URL, and includes the whole last minute', () => {
    const address =
      'key= Interaction.End&interaction=i&result=Error&from=2026-11-24T10:00Z&to=2026-11-24T10:00Z&user='
    const from = Date.UTC(2026, 10, 24, 10)
    expect(logFilterOf(new URLSearchParams(address))).toEqual({
      logKey: 'Interaction.End',
      interactionId: 'i',
      result: 'Error',
      from,
      to: from + 59_999,
    })
    expect(logFilterOf(new URLSearchParams('from=soon&result=Maybe'))).toEqual({})
    expect(logFilterOf(new URLSearchParams('by=boss&of=ann'))).toEqual({ by: 'boss', of: 'ann' })
    expect(logFilterOf(new URLSearchParams('user=ann'))).toEqual({ of: 'ann' })
  })

  it('can be searched by any part of a key and by shortcuts', () => {
    const keys = [
      'Interaction.SignIn.Submit',
      'Interaction.SignIn.Identifier.Password.Submit',
      'Interaction.End',
    ]
    const rows = keys.flatMap((key, at) =>
      ['Success', 'Error'].map((result) => log(`${key} ${result}`, at, { result }, key)),
    )
    const search = (query: Record<string, string>) => {
      const filter = logFilterOf(new URLSearchParams(query))
      expect(hidesRows(filter)).toBe(true)
      return rows.filter((row) => matchesFilter(filter, row)).map(({ id }) => id)
    }
    expect(search({ key: 'signin.sub' })).toEqual([`${keys[0]} Success`, `${keys[0]} Error`])
    expect(search(failedSignInsFilter)).toEqual([`${keys[0]} Error`, `${keys[1]} Error`])
    expect(Object.values(keyGroups).filter((part) => !logKeys.some((key) => key.startsWith(part)))).toEqual(
      [],
    )
    expect(hidesRows({ logKey: 'Interaction.End' })).toBe(false)
  })

  it("uses the operator's local time for its shortcuts", () => {
    const now = new Date(2026, 2, 1, 9, 5)
    expect(yesterdayFilter(now)).toEqual({ from: '2026-02-28T00:00', to: '2026-02-28T23:59' })
    expect(last24HoursFilter(now)).toEqual({ from: '2026-02-28T09:05', to: '' })
  })

  it.each([
    { elapsed: 349, text: '+0.3 s' },
    { elapsed: 59_999, text: '+59.9 s' },
    { elapsed: 65_000, text: '+1:05 min' },
  ])('shows an elapsed time of $elapsed ms as $text', ({ elapsed, text }) => {
    expect(formatElapsed(elapsed, String)).toBe(text)
  })

  describe('for an interaction', () => {
    const about = { interactionId: 'i', applicationId: 'app', userId: 'u' }
    const end = log('end', 30, { ...about, sessionId: 's' }, 'Interaction.End')
    const own = [end, log('wrong', 20, { ...about, result: 'Error' }), log('create', 10, about)]
    const exchange = (id: string, createdAt: number, sessionId: string) =>
      log(id, createdAt, { sessionId, applicationId: 'app' }, 'ExchangeTokenBy.AuthorizationCode')

    it("ends with the exchange of the interaction's authorization code", () => {
      const exchanges = [exchange('later', 50, 's'), exchange('its', 41, 's'), exchange('other', 40, 't')]
      expect(buildTimeline(own, exchanges).map(({ id }) => id)).toEqual(['create', 'wrong', 'end', 'its'])
      expect(buildTimeline(own.slice(1), exchanges).map(({ id }) => id)).toEqual(['create', 'wrong'])
    })

    it('searches for the code exchange by user within the lifetime of an authorization code', () => {
      const narrow = { logKey: 'ExchangeTokenBy.AuthorizationCode', userId: 'u', applicationId: 'app' }
      expect(findExchangeFilter(own)).toEqual({ ...narrow, from: 30, to: 120_030 })
    })

    it('searches for a code exchange only after a completed sign-in', () => {
      expect(findExchangeFilter(own.slice(1))).toBeNull()
      expect(findExchangeFilter([log('end', 30, { interactionId: 'i' }, 'Interaction.End')])).toBeNull()
    })
  })
})

describe('choosing a user or an application in the filter of the log (spec/console#log)', () => {
  const ann = toParty({
    id: 'u1',
    name: 'Ann',
    username: 'ann',
    primaryEmail: 'ann@x.example',
    primaryPhone: null,
  })
  const shop = { id: 'a1', name: 'Shop' }
  const parties = [ann, shop, { id: 'u2', name: 'Bea, shop' }]

  it('shows names with the id, and only the id of unknown ones', () => {
    expect([ann, shop, { id: 'u3', name: 'u3' }, { id: '', name: '' }].map(formatParty)).toEqual([
      'Ann, ann, ann@x.example · u1',
      'Shop · a1',
      'u3',
      '',
    ])
  })

  it.each([
    { text: 'Shop · a1', chosen: 'a1', id: 'a1' },
    { text: 'A · B · a1', chosen: 'a1', id: 'a1' },
    { text: '', chosen: '', id: '' },
    // A name that is still being typed filters nothing. Once typing ends, it stands for the only match.
    { text: 'ANN@x.example ', chosen: null, id: 'u1' },
    { text: 'shop', chosen: null, id: 'shop' },
    { text: ' deleted-id ', chosen: null, id: 'deleted-id' },
  ])('reads “$text” as the id $id', ({ text, chosen, id }) => {
    expect([readPartyId(text), resolveParty(text, parties)]).toEqual([chosen, id])
  })
})
