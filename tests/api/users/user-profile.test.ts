import { beforeAll, describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

type ReturnedUser = Record<string, unknown> & { id: string; profile: object; profileUpdatedAt: number | null }
const bodyOf = async (response: Response) => (await response.json()) as ReturnedUser

const create = async (fields: object) => bodyOf(await operator.send('POST', '/users', fields))
const patch = async (id: string, profile: unknown) =>
  bodyOf(await operator.send('PATCH', `/users/${id}`, { profile }))

const userinfo = async (token: string) =>
  (await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })).json()

const fullProfile = {
  givenName: 'Ann',
  familyName: 'Lee',
  middleName: 'M.',
  nickname: 'Annie',
  profile: 'https://example.com/ann',
  website: 'https://ann.example',
  gender: 'female',
  birthdate: '0000-05-17',
  zoneinfo: 'Europe/Berlin',
  locale: 'de-DE',
  address: {
    formatted: '1 Street\n10115 Berlin',
    streetAddress: '1 Street',
    locality: 'Berlin',
    region: 'BE',
    postalCode: '10115',
    country: 'DE',
  },
}
const profileClaims = {
  given_name: 'Ann',
  family_name: 'Lee',
  middle_name: 'M.',
  nickname: 'Annie',
  profile: 'https://example.com/ann',
  website: 'https://ann.example',
  gender: 'female',
  birthdate: '0000-05-17',
  zoneinfo: 'Europe/Berlin',
  locale: 'de-DE',
}
const addressClaim = {
  formatted: '1 Street\n10115 Berlin',
  street_address: '1 Street',
  locality: 'Berlin',
  region: 'BE',
  postal_code: '10115',
  country: 'DE',
}

describe('a user’s profile', () => {
  it('can be created, and changes are merged key by key, even within the address', async () => {
    const { id, ...created } = await create({ username: freshName(), profile: fullProfile })
    expect(created).toMatchObject({ profile: fullProfile, profileUpdatedAt: null })
    const before = Date.now()
    const { nickname: _nickname, ...rest } = fullProfile
    const changed = await patch(id, {
      nickname: null,
      givenName: 'Anna',
      address: { region: '', country: 'AT' },
    })
    const { region: _region, ...address } = { ...fullProfile.address, country: 'AT' }
    expect(changed.profile).toEqual({ ...rest, givenName: 'Anna', address })
    expect(changed.profileUpdatedAt).toBeGreaterThanOrEqual(before)
    const [listed] = (await (
      await operator.get(`/users?search.id=${id}&mode=exact`)
    ).json()) as ReturnedUser[]
    expect(listed).toEqual(changed)
  })

  it('has no address once every part of it has been removed', async () => {
    const { id } = await create({ profile: { address: { country: 'DE' }, gender: 'x' } })
    expect((await patch(id, { address: { country: null } })).profile).toEqual({ gender: 'x' })
    expect((await patch(id, { address: { country: 'DE' } })).profile).toHaveProperty('address')
    expect((await patch(id, { address: null })).profile).toEqual({ gender: 'x' })
  })

  it('includes the changes of all concurrent calls', async () => {
    const { id } = await create({})
    const names = ['givenName', 'familyName', 'middleName', 'nickname', 'gender']
    await Promise.all(names.map((name) => patch(id, { [name]: name })))
    const user = await bodyOf(await operator.get(`/users/${id}`))
    expect(user.profile).toEqual(Object.fromEntries(names.map((name) => [name, name])))
  })

  it('is left unchanged by an invalid change, and the error explains why', async () => {
    const { id } = await create({ profile: { locale: 'de' } })
    const rejected = await operator.send('PATCH', `/users/${id}`, {
      name: 'Ann',
      profile: { locale: 'en', zoneinfo: 'Mars/Base' },
    })
    const problem = await rejected.json()
    expect(problem).toMatchObject({ code: 'guard.invalid_input' })
    expect(JSON.stringify(problem)).toContain('is not the name of an IANA time zone')
    expect(await bodyOf(await operator.get(`/users/${id}`))).toMatchObject({
      name: null,
      profile: { locale: 'de' },
    })
  })

  it('writes audit entries with the changed fields and their values', async () => {
    const { id } = await create({
      profile: { givenName: 'Ann', address: { locality: 'Bonn', country: 'DE' } },
    })
    await patch(id, { birthdate: '1990-01-01', address: { locality: 'Ulm' } })
    const { results } = await app.env.DB.prepare('select payload from logs where user_id = ? order by rowid')
      .bind(id)
      .all<{ payload: string }>()
    const rows = results.map(({ payload }) => JSON.parse(payload))
    expect(rows.map(({ changed, changes }) => ({ changed, changes }))).toEqual([
      { changed: ['profile.givenName', 'profile.address'], changes: undefined },
      {
        changed: ['profile.birthdate', 'profile.address'],
        changes: {
          'profile.birthdate': { before: null, after: '1990-01-01' },
          'profile.address.locality': { before: 'Bonn', after: 'Ulm' },
        },
      },
    ])
  })
})

describe('a user in the account API', () => {
  it('can read and change their own profile, but needs the address scope for the postal address', async () => {
    const member = await storeMember(app, { scope: 'openid profile address' })
    const changed = await bodyOf(await member.call('PATCH', '', { profile: fullProfile }))
    expect(changed.profile).toEqual(fullProfile)

    const { username } = member
    const limited = await storeMember(app, { scope: 'openid profile', username })
    const { address: _address, ...rest } = fullProfile
    expect((await bodyOf(await limited.call('GET'))).profile).toEqual(rest)
    const forbidden = await limited.call('PATCH', '', { profile: { gender: '', address: { country: 'AT' } } })
    expect(await outcomeOf(forbidden)).toEqual([403, 'auth.forbidden'])
    expect(forbidden.headers.get('www-authenticate')).toContain('scope="openid address"')
    expect((await bodyOf(await member.call('GET'))).profile).toEqual(fullProfile)
    expect((await bodyOf(await limited.call('PATCH', '', { profile: { gender: '' } }))).profile).toEqual({
      ...rest,
      gender: undefined,
    })
  })
})

describe('a user’s standard claims', () => {
  it('are returned for the scopes profile and address', async () => {
    const member = await storeMember(app, { scope: 'openid profile address' })
    const { sub, updated_at: since, ...unset } = (await userinfo(member.token)) as Record<string, unknown>
    const names = { username: member.username, preferred_username: member.username }
    expect(unset).toEqual(names)
    expect(since).toBe(Math.floor(Number((await bodyOf(await member.call('GET'))).createdAt) / 1000))

    const { profileUpdatedAt } = await patch(member.userId, fullProfile)
    const updatedAt = Math.floor((profileUpdatedAt ?? 0) / 1000)
    const claims = { sub, ...names, ...profileClaims, updated_at: updatedAt }
    expect(await userinfo(member.token)).toEqual({ ...claims, address: addressClaim })
    const { username } = member
    const limited = await storeMember(app, { scope: 'openid profile', username })
    expect(await userinfo(limited.token)).toEqual(claims)
  })

  it('are listed in the discovery document', async () => {
    const document = (await (await app.fetch('/oidc/.well-known/openid-configuration')).json()) as {
      scopes_supported: string[]
      claims_supported: string[]
    }
    expect(document.scopes_supported).toContain('address')
    const standard = Object.keys(profileClaims)
    expect(document.claims_supported).toEqual(
      expect.arrayContaining([...standard, 'address', 'preferred_username', 'updated_at']),
    )
  })
})
