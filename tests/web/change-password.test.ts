import { describe, expect, it } from 'vitest'
import { openHouse } from '../house.ts'
import { everyMethod, setExperience, setTenantSettings } from '../tenant.ts'
import { begin, freshName, newVisitor, ORIGIN, register, resume, signIn } from '../visitor.ts'

const ADDRESS = '/.well-known/change-password'

describe('the address for changing a password', () => {
  it('leads where the operator wants it to', async () => {
    const house = openHouse()
    const changePasswordUrl = 'https://www.example.com/account/password'
    await setTenantSettings(house, { changePasswordUrl })
    const answer = await house.fetch(ADDRESS)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, changePasswordUrl])
  })

  it('leads to the first page of a reset, without the tip of the demo application', async () => {
    const house = openHouse()
    await setTenantSettings(house, { changePasswordUrl: null })
    await setExperience(house, { methods: everyMethod })
    const visitor = newVisitor(house)
    const answer = await visitor.get(ADDRESS)
    expect(answer.status).toBe(302)
    const begun = await visitor.get(answer.headers.get('location') ?? '')
    expect(begun.headers.get('location')).toMatch(/^\/forgot-password\?interaction=[\w-]+$/)
    expect((await visitor.get(begun.headers.get('location') ?? '')).status).toBe(200)
  })

  it('leads to the sign-in page where nothing can be reset', async () => {
    const house = openHouse({ ENVIRONMENT: 'production' })
    await setTenantSettings(house, { changePasswordUrl: null })
    const visitor = newVisitor(house)
    const begun = await visitor.get((await visitor.get(ADDRESS)).headers.get('location') ?? '')
    expect(begun.headers.get('location')).toMatch(/^\/sign-in\?interaction=[\w-]+$/)
  })

  it('asks even those who are signed in, and ends without a code', async () => {
    const house = openHouse()
    await setTenantSettings(house, { changePasswordUrl: null })
    const visitor = newVisitor(house)
    const name = freshName()
    const first = await begin(visitor, { ...nothing, url: await addressOf(visitor) })
    await resume(visitor, await register(visitor, first, name))

    const uid = await begin(visitor, { ...nothing, url: await addressOf(visitor) })
    expect(uid).toMatch(/^[\w-]+$/)
    const end = await resume(visitor, await signIn(visitor, uid, name))
    expect(end.origin + end.pathname).toBe(`${ORIGIN}/signed-in`)
    expect([...end.searchParams.keys()].sort()).toEqual(['iss', 'state'])
    const page = await visitor.get(end.pathname + end.search, { 'accept-language': 'de' })
    expect(await page.text()).toMatch(/<h1[^>]*>Sie sind angemeldet<\/h1>/)
  })

  it('is no sign that every such address answers', async () => {
    const house = openHouse()
    const never = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
    expect((await house.fetch(never)).status).toBe(404)
  })
})

const nothing = { verifier: '', state: '', nonce: '', redirectUri: '' }
const addressOf = async (visitor: ReturnType<typeof newVisitor>) =>
  (await visitor.get(ADDRESS)).headers.get('location') ?? ''
