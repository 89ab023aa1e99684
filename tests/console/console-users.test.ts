import { describe, expect, it } from 'vitest'
import {
  failedSignIns,
  lastDay,
  filterOf as logFilterOf,
  yesterday,
} from '../../console/areas/log/address.ts'
import { newerRows, olderRows, type ReadPage } from '../../console/areas/log/batches.ts'
import { keyGroups, logKeys } from '../../console/areas/log/keys.ts'
import {
  csvRow,
  elapsed,
  exchangeFilter,
  isWanted,
  type Log,
  leavesOut,
  merged,
  nextCursor,
  PAGE_SIZE,
  timelineOf,
} from '../../console/areas/log/logs.ts'
import { type ManagedUser, toPatch, withChanges } from '../../console/areas/users/profile.ts'
import { questionBeforeRemoving } from '../../console/session/step-up.ts'
import { planLike } from '../../src/domain/like-pattern.ts'
import { listCall, parseUserFilter, searchPattern } from '../../src/domain/users/user-list.ts'

/** What the console's areas of users and of the log decide without a browser (spec/console#users, spec/console#log). */

describe('a search for users', () => {
  it.each([
    { typed: 'ann', plan: { mode: 'contains', text: 'ann' } },
    { typed: ' an ', plan: { mode: 'prefix', text: 'an' } },
    { typed: '%_\\', plan: { mode: 'contains', text: '%_\\' } },
    { typed: 'a_', plan: { mode: 'prefix', text: 'a_' } },
    { typed: 'somebody-with-a-long-name@department.example.com', plan: { mode: 'contains' } },
  ])('for $typed is one that an index answers, letter by letter', ({ typed, plan }) => {
    const found = planLike(searchPattern(typed))
    expect(found).toMatchObject({ text: typed.trim(), ...plan })
    expect(found).not.toHaveProperty('pattern')
  })
})

describe('the list of users', () => {
  it.each([
    { address: '', path: '/users', query: { search: '', isSuspended: '' } },
    {
      address: 'search=ann&state=suspended',
      path: '/users',
      query: { search: '%ann%', isSuspended: 'true' },
    },
    { address: 'state=active&role=r', path: '/roles/r/users', query: { isSuspended: 'false' } },
    { address: 'state=other', path: '/users', query: { search: '', isSuspended: '' } },
  ])('at "$address" is $path of the API', ({ address, ...call }) => {
    expect(listCall(parseUserFilter(new URLSearchParams(address)))).toEqual(call)
  })
})

describe('a change of a profile', () => {
  const stored = (profile: ManagedUser['profile']) => ({ profile }) as ManagedUser

  it('names what was removed with null, because the API merges', () => {
    const from = stored({ nickname: 'Jo', gender: 'x', address: { country: 'CH', region: 'ZH' } })
    const profile = withChanges(from.profile, { nickname: '' })
    const changed = withChanges(profile, { address: withChanges(profile.address ?? {}, { region: '' }) })
    expect(toPatch({ name: 'Joan', profile: changed }, from)).toEqual({
      name: 'Joan',
      profile: { nickname: null, gender: 'x', address: { country: 'CH', region: null } },
    })
  })

  it('is taken back by the same rule: a field that was new is removed', () => {
    expect(toPatch({ profile: {} }, stored({ locale: 'de' }))).toEqual({ profile: { locale: null } })
  })

  it('leaves other fields alone', () => {
    expect(toPatch({ name: null }, stored({ locale: 'de' }))).toEqual({ name: null })
  })
})

describe('before a role is taken', () => {
  const NOW = 100 * 60_000
  it.each([
    { isOwn: false, minutes: 54, asked: null },
    { isOwn: false, minutes: 55, asked: 'old' },
    { isOwn: false, minutes: null, asked: 'old' },
    { isOwn: true, minutes: 0, asked: 'own' },
    { isOwn: true, minutes: 55, asked: 'own' },
  ])(
    '$minutes minutes after the sign-in the question is $asked, own: $isOwn',
    ({ isOwn, minutes, asked }) => {
      const provedAt = minutes === null ? null : NOW - minutes * 60_000
      expect(questionBeforeRemoving({ isOwn, provedAt }, NOW)).toBe(asked)
    },
  )
})

const log = (id: string, createdAt: number, payload: Record<string, unknown> = {}, key = 'Test'): Log => ({
  tenantId: 'default',
  id,
  key,
  createdAt,
  payload: { key, result: 'Success', ...payload },
})

describe('the log', () => {
  const page = (from: number, step: number) =>
    Array.from({ length: PAGE_SIZE }, (_, index) => log(`${index}`, from - index * step))

  it('is read on from the time of its last row, and by pages where a whole page has one time', () => {
    expect(nextCursor(page(1000, 1), null)).toEqual({ to: 901, page: 1 })
    expect(nextCursor(page(901, 0), { to: 901, page: 1 })).toEqual({ to: 901, page: 2 })
    expect(nextCursor(page(901, 1), { to: 901, page: 2 })).toEqual({ to: 802, page: 1 })
    expect(nextCursor([log('a', 5)], { to: 9, page: 1 })).toBeNull()
  })

  describe('as it comes', () => {
    const failures = { result: 'Error' } as const
    const NOW = 10_000_000
    /** As the API pages them: it does not compare the result. */
    const apiOf = (rows: readonly Log[]) => {
      let pages = 0
      const read: ReadPage = async ({ from = 0, to = NOW }, cursor) => {
        pages++
        const within = rows.filter(({ createdAt }) => createdAt >= from && createdAt <= (cursor?.to ?? to))
        const begin = ((cursor?.page ?? 1) - 1) * PAGE_SIZE
        return merged(within).slice(begin, begin + PAGE_SIZE)
      }
      return { read, pages: () => pages }
    }
    /** One success a second, and one failure long before. */
    const successes = Array.from({ length: 900 }, (_, at) => log(`s${at}`, NOW - at * 1000))
    const rows = [...successes, log('failure', NOW - 880_500, failures)]

    it('is read on from what was left out, not from the last row that is shown', async () => {
      const { read, pages } = apiOf(rows)
      const first = await olderRows(failures, null, read)
      expect(first).toMatchObject({ rows: [{ id: 'failure' }], newest: NOW })
      const before = pages()
      const ids = new Set(['failure'])
      expect(await newerRows(failures, { since: first.newest ?? 0, ids }, read)).toEqual({
        rows: [],
        newest: NOW,
      })
      expect(pages() - before).toBe(1)
    })

    it('reads to the newest row by as many pages as were written, and by one the next time', async () => {
      const { read, pages } = apiOf(rows)
      const found = await newerRows(failures, { since: NOW - 895_000, ids: new Set() }, read)
      expect(found).toMatchObject({ rows: [{ id: 'failure' }], newest: NOW })
      const before = pages()
      expect(before).toBe(10)
      await newerRows(failures, { since: found.newest, ids: new Set(['failure']) }, read)
      expect(pages() - before).toBe(1)
    })

    it('shows a row that was written late, and begins no earlier where nothing is there', async () => {
      const late = apiOf([log('late', NOW - 9000, failures)])
      const found = await newerRows(failures, { since: NOW, ids: new Set() }, late.read)
      expect(found).toMatchObject({ rows: [{ id: 'late' }], newest: NOW })
    })
  })

  it('shows a row once, newest first', () => {
    const [a, b, c] = [log('a', 3), log('b', 2), log('c', 1)]
    expect(merged([b], [a, b], [c]).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('becomes lines that no spreadsheet runs', () => {
    const line = csvRow(
      log('a', 0, { userAgent: '=1+1;=2+2', ip: '::1', result: 'Error', error: { code: 'x.y' } }),
    )
    expect(line).toMatch(/^1970-01-01T00:00:00.000Z,Test,Error,x.y,/)
    expect(line).toContain(",'=1+1;'=2+2,a\r\n")
  })

  it('is asked for what its address says, to the end of a minute', () => {
    const address =
      'key= Interaction.End&interaction=i&result=Error&from=2026-11-24T10:00Z&to=2026-11-24T10:00Z&user='
    const from = Date.UTC(2026, 10, 24, 10)
    expect(logFilterOf(new URLSearchParams(address))).toEqual({
      ...{ logKey: 'Interaction.End', interactionId: 'i', result: 'Error', from, to: from + 59_999 },
    })
    expect(logFilterOf(new URLSearchParams('from=soon&result=Maybe'))).toEqual({})
  })

  it('is searched by any part of a key, and by what its shortcuts ask for', () => {
    const keys = [
      'Interaction.SignIn.Submit',
      'Interaction.SignIn.Identifier.Password.Submit',
      'Interaction.End',
    ]
    const rows = keys.flatMap((key, at) =>
      ['Success', 'Error'].map((result) => log(`${key} ${result}`, at, { result }, key)),
    )
    const found = (asked: Record<string, string>) => {
      const filter = logFilterOf(new URLSearchParams(asked))
      expect(leavesOut(filter)).toBe(true)
      return rows.filter((row) => isWanted(filter, row)).map(({ id }) => id)
    }
    expect(found({ key: 'signin.sub' })).toEqual([`${keys[0]} Success`, `${keys[0]} Error`])
    expect(found(failedSignIns)).toEqual([`${keys[0]} Error`, `${keys[1]} Error`])
    expect(Object.values(keyGroups).filter((part) => !logKeys.some((key) => key.startsWith(part)))).toEqual(
      [],
    )
    expect(leavesOut({ logKey: 'Interaction.End' })).toBe(false)
  })

  it('is asked for a day by the clock of the operator', () => {
    const now = new Date(2026, 2, 1, 9, 5)
    expect(yesterday(now)).toEqual({ from: '2026-02-28T00:00', to: '2026-02-28T23:59' })
    expect(lastDay(now)).toEqual({ from: '2026-02-28T09:05', to: '' })
  })

  it.each([
    { after: 349, text: '+0.3 s' },
    { after: 59_999, text: '+59.9 s' },
    { after: 65_000, text: '+1:05 min' },
  ])('says $text of $after milliseconds', ({ after, text }) => {
    expect(elapsed(after, String)).toBe(text)
  })

  describe('of an interaction', () => {
    const about = { interactionId: 'i', applicationId: 'app', userId: 'u' }
    const end = log('end', 30, { ...about, sessionId: 's' }, 'Interaction.End')
    const own = [end, log('wrong', 20, { ...about, result: 'Error' }), log('create', 10, about)]
    const exchange = (id: string, createdAt: number, sessionId: string) =>
      log(id, createdAt, { sessionId, applicationId: 'app' }, 'ExchangeTokenBy.AuthorizationCode')

    it('shows the exchange of its code behind it, and no other', () => {
      const exchanges = [exchange('later', 50, 's'), exchange('its', 41, 's'), exchange('other', 40, 't')]
      expect(timelineOf(own, exchanges).map(({ id }) => id)).toEqual(['create', 'wrong', 'end', 'its'])
      expect(timelineOf(own.slice(1), exchanges).map(({ id }) => id)).toEqual(['create', 'wrong'])
    })

    it('asks for that exchange by its user, within the time that a code is good for', () => {
      const narrow = { logKey: 'ExchangeTokenBy.AuthorizationCode', userId: 'u', applicationId: 'app' }
      expect(exchangeFilter(own)).toEqual({ ...narrow, from: 30, to: 120_030 })
    })

    it('asks for none before the end, and where nobody was signed in', () => {
      expect(exchangeFilter(own.slice(1))).toBeNull()
      expect(exchangeFilter([log('end', 30, { interactionId: 'i' }, 'Interaction.End')])).toBeNull()
    })
  })
})
