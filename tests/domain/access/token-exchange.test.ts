import { describe, expect, it } from 'vitest'
import {
  actorChain,
  allowsExchangeForResource,
  allowsExchangeFromClient,
  allowsTokenExchange,
  computeExchangedScopes,
  findExchangeProblems,
  prependActor,
} from '../../../src/domain/access/token-exchange.ts'

const STOCK = 'https://stock.example/api'

describe('an application’s token exchange policy', () => {
  it.each([
    { policy: { tokenExchangeClients: ['shop'], tokenExchangeResources: [STOCK] }, isEnabled: true },
    { policy: { tokenExchangeClients: [], tokenExchangeResources: [STOCK] }, isEnabled: false },
    { policy: { tokenExchangeClients: ['shop'], tokenExchangeResources: [] }, isEnabled: false },
    { policy: { tokenExchangeResources: [STOCK] }, isEnabled: false },
    { policy: { tokenExchangeClients: ['shop'] }, isEnabled: false },
    { policy: {}, isEnabled: false },
  ])('enables token exchange if it is $policy: $isEnabled', ({ policy, isEnabled }) => {
    expect(allowsTokenExchange(policy)).toBe(isEnabled)
  })

  it('lists the applications whose tokens are exchanged', () => {
    const policy = { tokenExchangeClients: ['shop', 'app'] }
    expect(['shop', 'app', 'agent', 'sho'].map((id) => allowsExchangeFromClient(policy, id))).toEqual([
      ...[true, true],
      ...[false, false],
    ])
    expect(allowsExchangeFromClient({}, 'shop')).toBe(false)
  })

  it('lists the resources of the new tokens, with any spelling', () => {
    const policy = { tokenExchangeResources: ['https://orders.example', STOCK] }
    const [same, other] = ['HTTPS://Stock.example:443/api/', 'https://stock.example/API']
    expect([STOCK, same, other].map((name) => allowsExchangeForResource(policy, name))).toEqual([
      true,
      true,
      false,
    ])
    expect(allowsExchangeForResource({}, STOCK)).toBe(false)
  })

  const everything = {
    tokenExchangeClients: ['shop'],
    tokenExchangeResources: [STOCK],
    tokenExchangeScopes: ['read'],
  }
  const fields = Object.keys(everything)
  const empty = { tokenExchangeClients: [], tokenExchangeResources: [], tokenExchangeScopes: [] }
  it.each([
    { type: 'SPA', policy: everything, problems: fields },
    { type: 'Native', policy: everything, problems: fields },
    { type: 'Traditional', policy: everything, problems: [] },
    { type: 'MachineToMachine', policy: everything, problems: [] },
    { type: 'Traditional', policy: { ...everything, isThirdParty: true }, problems: fields },
    { type: 'SPA', policy: { tokenExchangeScopes: ['read'] }, problems: ['tokenExchangeScopes'] },
    { type: 'SPA', policy: empty, problems: [] },
    { type: 'Traditional', policy: { isThirdParty: true }, problems: [] },
  ] as const)(
    'has problems in the fields $problems if the type is $type and the policy is $policy',
    (row) => {
      const problems = findExchangeProblems(row.type, { ...row.policy } as Parameters<
        typeof findExchangeProblems
      >[1])
      expect(problems.map(({ path }) => path)).toEqual(
        row.problems.map((field) => ['customClientMetadata', field]),
      )
      for (const { message } of problems) expect(message).toMatch(/\w/)
    },
  )

  it('is rejected with an error that names the reason', () => {
    const messagesFor = (type: 'SPA' | 'Traditional') =>
      findExchangeProblems(type, { ...everything, isThirdParty: true }).map(({ message }) => message)
    expect(messagesFor('SPA')[0]).toContain('confidential')
    expect(messagesFor('Traditional')[0]).toContain('third-party')
  })
})

describe('a token’s actors', () => {
  const chainOf = (...[sub, ...others]: string[]): object => ({
    sub,
    ...(others.length > 0 && { act: chainOf(...others) }),
  })
  const five = ['e', 'd', 'c', 'b', 'a']

  it('are the acting applications, newest first', () => {
    expect(prependActor('b', undefined)).toEqual({ sub: 'b' })
    expect(prependActor('b', { sub: 'a' })).toEqual({ sub: 'b', act: { sub: 'a' } })
    expect(prependActor('e', chainOf('d', 'c', 'b', 'a'))).toEqual(chainOf(...five))
    expect(actorChain(chainOf(...five))).toEqual(five)
    expect(actorChain(undefined)).toEqual([])
  })

  it('are limited to five', () => {
    expect(prependActor('f', chainOf(...five))).toBeNull()
    const endless = Object.assign(Object.create(null), { sub: 'a' })
    endless.act = endless
    expect([actorChain(endless), prependActor('a', endless)]).toEqual([null, null])
  })

  it.each([
    { actor: null },
    { actor: 'a' },
    { actor: 7 },
    { actor: {} },
    { actor: { sub: 7 } },
    { actor: { sub: 'a', act: null } },
    { actor: { sub: 'a', act: 'b' } },
    { actor: { sub: 'a', act: { act: { sub: 'b' } } } },
  ])('are not read from $actor', ({ actor }) => {
    expect([actorChain(actor), prependActor('c', actor)]).toEqual([null, null])
  })
})

describe('an exchanged token’s scopes', () => {
  const subject = ['read', 'write', 'delete']
  const own = ['read', 'write', 'pay']
  it.each<{
    what: string
    requested?: string[]
    allowed?: string[]
    expected: ReturnType<typeof computeExchangedScopes>
  }>([
    {
      what: 'those of the old token that the user still has',
      expected: { tooWide: undefined, scopes: ['read', 'write'] },
    },
    {
      what: 'those that the policy allows',
      allowed: ['write', 'pay'],
      expected: { tooWide: undefined, scopes: ['write'] },
    },
    { what: 'none if the policy allows none', allowed: [], expected: { tooWide: undefined, scopes: [] } },
    { what: 'those requested', requested: ['read'], expected: { tooWide: undefined, scopes: ['read'] } },
    { what: 'none if none is requested', requested: [], expected: { tooWide: undefined, scopes: [] } },
    {
      what: 'fewer if the user no longer has one',
      requested: ['write', 'delete'],
      expected: { tooWide: undefined, scopes: ['write'] },
    },
    {
      what: 'not those that the old token lacks',
      requested: ['read', 'pay'],
      expected: { tooWide: 'pay', scopes: ['read'] },
    },
    {
      what: 'not those that the policy excludes',
      requested: ['read', 'write'],
      allowed: ['write'],
      expected: { tooWide: 'read', scopes: ['write'] },
    },
  ])('are $what', ({ requested, allowed, expected }) => {
    expect(computeExchangedScopes({ requested, subject, allowed, own })).toEqual(expected)
  })
})
