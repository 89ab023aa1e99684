import { describe, expect, it } from 'vitest'
import type { SocialFactoryId } from '../../../src/contract/social/social-connectors.ts'
import { failureOfSending } from '../connector-context.ts'
import { signInWith, socialContext } from './social-context.ts'

/** Signs in at a provider whose response to the profile request has this body. */
const signInWithUserInfo = (factoryId: SocialFactoryId, answer: string, config: object = {}) =>
  signInWith(factoryId, 'ok', {
    config,
    context: {
      ...socialContext,
      fetch: async (address, init) =>
        String(address).endsWith('/userinfo') ? new Response(answer) : fetch(address, init),
    },
  })

describe('the profile from a social provider', () => {
  const profileOf = (claims: object) => signInWithUserInfo('google-universal', JSON.stringify(claims))

  it('omits values that cannot be stored or are unsafe to display', async () => {
    const claims = { sub: '1', email_verified: true, phone_number_verified: true }
    expect(await profileOf({ ...claims, email: 'ann', picture: 'javascript:alert(1)' })).toEqual({ id: '1' })
    expect(await profileOf({ ...claims, email: 'a@b.co,x@y.co' })).toEqual({ id: '1' })
    expect(await profileOf({ ...claims, email: `${'a'.repeat(128)}@example.com`, name: ' ' })).toEqual({
      id: '1',
    })
    expect(await profileOf({ ...claims, phone_number: `+${'1'.repeat(40)}`, picture: 'x' })).toEqual({
      id: '1',
    })
    const long = `${'a'.repeat(127)}\u{1f600}`
    expect(await profileOf({ ...claims, name: long })).toEqual({ id: '1', name: `${'a'.repeat(127)}\ufffd` })
  })

  it('omits an address that an OAuth 2.0 server marks as unverified', async () => {
    const profileMap = { id: 'user.id', email: 'user.mail', phone: 'user.tel' }
    const mappedProfileOf = (answer: object) =>
      signInWithUserInfo('oauth2', JSON.stringify(answer), { profileMap })
    const user = { id: 7, mail: 'ann@example.com', tel: '+4917012345678' }
    const [email, phone] = [user.mail, '4917012345678']
    expect(await mappedProfileOf({ user })).toEqual({ id: '7', email, phone })
    expect(await mappedProfileOf({ user: { ...user, email_verified: true } })).toEqual({
      id: '7',
      email,
      phone,
    })
    expect(await mappedProfileOf({ user: { ...user, email_verified: false } })).toEqual({ id: '7', phone })
    expect(await mappedProfileOf({ user, email_verified: 'false' })).toEqual({ id: '7', phone })
    expect(await mappedProfileOf({ user: { ...user, phone_number_verified: 'false' } })).toEqual({
      id: '7',
      email,
    })
  })

  it('is rejected when its id is too long', async () => {
    expect(await profileOf({ sub: 'a'.repeat(256) })).toEqual({ id: 'a'.repeat(256) })
    expect(await failureOfSending(profileOf({ sub: 'a'.repeat(257) }))).toMatchObject({
      code: 'invalid_response',
    })
  })

  it.each([
    { text: '+1 (604) 555-1234', phone: '16045551234' },
    { text: '+44.20.7946.0018', phone: '442079460018' },
    { text: '13800138000' }, // a Chinese number rather than +1 380 013 8000
    { text: '604-555-1234' },
    { text: '0049 170 1234567' },
    { text: '+1 604 555 1234;ext=567' },
    { text: '+1 604 555 1234 ext. 567' },
    { text: '+49 170 1234567, +49 30 123456' },
    { text: 'tel:+49-170-1234567' },
    { text: '+' },
  ])('contains the phone number $phone for the provider’s text "$text"', async ({ text, phone }) => {
    const claims = { sub: '1', phone_number: text, phone_number_verified: true }
    expect((await profileOf(claims)).phone).toBe(phone)
    const profileMap = { id: 'sub', phone: 'phone_number' }
    expect((await signInWithUserInfo('oauth2', JSON.stringify(claims), { profileMap })).phone).toBe(phone)
    expect((await signInWithUserInfo('feishu-web', JSON.stringify({ sub: '1', mobile: text }))).phone).toBe(
      phone,
    )
  })

  it.each(['github-universal', 'kakao-universal', 'oauth2'] as const)(
    '[ASVS-10.5.2] is rejected when its id is a number that JavaScript cannot represent exactly: %s',
    async (factoryId) => {
      const idOf = (id: string) => signInWithUserInfo(factoryId, `{"id":${id}}`, { profileMap: {} })
      expect(await idOf('9007199254740991')).toMatchObject({ id: '9007199254740991' })
      expect(await idOf('"1234567890123456789"')).toMatchObject({ id: '1234567890123456789' })
      for (const id of ['9007199254740993', '1234567890123456789', '1e400', '0.5']) {
        expect(await failureOfSending(idOf(id))).toMatchObject({ code: 'invalid_response' })
      }
    },
  )

  it('is abandoned at the request’s deadline, even if it requires several calls', async () => {
    const deadline = AbortSignal.abort()
    const failure = await failureOfSending(
      signInWith('oidc', 'ok', { context: { ...socialContext, deadline } }),
    )
    expect(failure).toMatchObject({ code: 'general', detail: 'timed out' })
  })

  it('fails with an error that contains the requested URL but none of its secrets', async () => {
    const context = {
      ...socialContext,
      fetch: async (address: string) => {
        throw new TypeError(`cannot load: ${address}`)
      },
    }
    const failure = await failureOfSending(signInWith('wechat-web', 'ok', { context }))
    expect(failure).toMatchObject({ code: 'general', detail: expect.stringContaining('cannot load: http') })
    expect(String(failure.detail)).not.toContain('secret')
  })
})
