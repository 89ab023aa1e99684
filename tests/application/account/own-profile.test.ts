import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type AccountVisitor, ageSignIn, locationOf, proveSignIn } from '../../kit/account-centre.ts'
import { newMember } from '../../kit/clients/account-client.ts'
import { freshName, newCookieClient, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freshEmail, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
} from '../../kit/clients/social-client.ts'
import { compressedSize } from '../../kit/compressed-size.ts'
import { openInterruptedApp } from '../../kit/racing-app.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import type { StoredUpload } from '../../outbound/bucket-server.ts'
import { stubServers } from '../../outbound/connector-context.ts'
import { pictureFiles } from '../../outbound/messages/pictures.ts'
import { bucketSecrets } from '../../outbound/provider-secrets.ts'

/** Tests how users change their profile and their picture (spec/account-centre#profile). */

let app: TestApp
let operator: Operator
let visitor: AccountVisitor
let userId: string
const email = freshEmail()
const store = `${stubServers.buckets}/${crypto.randomUUID()}`
/** Configures a storage provider with the given behaviour. */
const keepAt = (behaviour: 'ok' | 'refusing') => {
  const { accessKeyId, accessSecretKey } = bucketSecrets
  const endpoint = `${store}/${behaviour}`
  const storageProvider = { provider: 'S3Storage', endpoint, bucket: 'files', accessKeyId, accessSecretKey }
  return operator.send('PATCH', '/configs/settings', { storageProvider, allowPrivateTargets: true })
}
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  expect((await keepAt('ok')).status).toBe(200)
  visitor = await storeVisitor(app)
  ;({ userId } = await newMember(app, { client: visitor.client, username: visitor.username }))
  await app.env.DB.prepare('update users set primary_email = ? where id = ?').bind(email, userId).run()
})

const save = (form: Record<string, string>, headers = {}) =>
  visitor.client.post('/account/profile', { intent: 'save', ...form }, headers)
const rowOf = async () => {
  const row = await app.env.DB.prepare('select name, username, avatar, profile from users where id = ?')
    .bind(userId)
    .first<{ name: string; username: string; avatar: string | null; profile: string }>()
  return { ...row, profile: JSON.parse(row?.profile ?? '{}') }
}
const notices = async () =>
  (await receivedMessages(app, { email })).filter(({ type }) => type === 'ProfileChanged')

/** Makes all earlier notices old enough for another notice to be sent. */
const tellAgain = () =>
  app.env.DB.prepare('update logs set created_at = created_at - 700000 where user_id = ?').bind(userId).run()

describe('the profile page', () => {
  it('stores the fields that are filled in, and notifies the user in the chosen language', async () => {
    const person = {
      name: ' Grace Hopper ',
      givenName: 'Grace',
      birthdate: '1906-12-09',
      website: 'https://navy.example',
      zoneinfo: 'America/New_York',
      'address.locality': 'New York',
      'address.country': 'USA',
    }
    expect(locationOf(await save(person))).toBe('/account/profile')
    const profile = {
      givenName: 'Grace',
      birthdate: '1906-12-09',
      website: 'https://navy.example',
      zoneinfo: 'America/New_York',
      address: { locality: 'New York', country: 'USA' },
    }
    expect(await rowOf()).toMatchObject({ name: 'Grace Hopper', username: visitor.username, profile })
    expect((await notices()).map(({ language }) => language)).toEqual(['en'])

    const chosen = await save({ locale: 'de', 'address.country': '', website: '' })
    expect(locationOf(chosen)).toBe('/account/profile?lng=de')
    const page = await visitor.client.get(locationOf(chosen))
    expect(page.headers.get('content-language')).toBe('de')
    expect(await page.text()).toContain('role="status"')
    const { website: _, ...others } = profile
    expect((await rowOf()).profile).toEqual({ ...others, locale: 'de', address: { locality: 'New York' } })
    // Property names that every JavaScript object inherits are not form fields.
    const inherited = await save(
      Object.fromEntries([
        ['__proto__', 'x'],
        ['constructor', 'x'],
      ]),
    )
    expect(inherited.status).toBe(303)
    expect(await notices()).toHaveLength(1)
    await tellAgain()
    await save({ nickname: 'Amazing Grace' }, { 'accept-language': 'fr' })
    expect((await notices())[0]?.language).toBe('de')
  })

  it('combines the notices about many changes, but sends one for each new username', async () => {
    await tellAgain()
    const before = (await notices()).length
    const names = Array.from({ length: 6 }, (_, index) => `Grace ${index}`)
    for (const { status } of await Promise.all(names.map((name) => save({ name })))) expect(status).toBe(303)
    expect(await notices()).toHaveLength(before + 1)
    for (const username of [freshName(), freshName(), visitor.username]) await save({ username })
    expect(await notices()).toHaveLength(before + 4)
    await save({ name: 'Grace Hopper' })
    expect(await notices()).toHaveLength(before + 4)
  })

  it('opens the same group with the typed values after a new sign-in', async () => {
    const { client, username } = await storeVisitor(app)
    await ageSignIn(app, client, 11 * 60)
    const typed = { username: freshName(), nickname: 'Kept' }
    const toSignIn = await client.post('/account/profile?edit=name', { intent: 'save', ...typed })
    const proved = await proveSignIn(client, await client.get(locationOf(toSignIn)), { username })
    const back = locationOf(await client.get(proved))
    expect(back).toBe('/account/profile?edit=name')
    const html = await (await client.get(back)).text()
    for (const value of Object.values(typed)) expect(html).toContain(`value="${value}"`)
  })

  it('keeps entered values during a new sign-in if they fit in a cookie', async () => {
    const { client } = await storeVisitor(app)
    await ageSignIn(app, client, 11 * 60)
    const rename = (address: string) =>
      client.post('/account/profile', {
        intent: 'save',
        username: freshName(),
        nickname: 'Kept',
        profile: address,
        website: address,
      })
    for (const length of [20, 2000]) {
      const answer = await rename(`https://typed.example/${'x'.repeat(length)}`)
      expect(answer.status).toBe(303)
      for (const cookie of answer.headers.getSetCookie()) expect(cookie.length).toBeLessThan(4096)
      const page = await client.get('/account/profile')
      expect((await page.text()).includes('value="Kept"')).toBe(length === 20)
    }
    const stranger = newCookieClient(app)
    const redirect = await stranger.get(`/account/profile?more=${'x'.repeat(9000)}`)
    expect(redirect.status).toBe(302)
    for (const cookie of redirect.headers.getSetCookie()) expect(cookie.length).toBeLessThan(4096)
  })

  it('sends no notice if nothing has changed', async () => {
    const before = (await notices()).length
    const { name, profile } = await rowOf()
    expect((await save({ name: name ?? '', nickname: profile.nickname, gender: '' })).status).toBe(303)
    expect((await notices()).length).toBe(before)
  })

  it.each([
    { field: 'birthdate', value: '31.12.1990', other: 'gender' },
    { field: 'birthdate.year', value: '90', other: 'gender' },
    { field: 'birthdate.day', value: '31', other: 'birthdate.year' },
    { field: 'website', value: 'javascript:alert(1)', other: 'gender' },
    { field: 'zoneinfo', value: 'Mars/Olympus', other: 'locale' },
    { field: 'address.postalCode', value: 'x'.repeat(33), other: 'address.locality' },
  ])('rejects $value and shows an error next to the $field field', async ({ field, value, other }) => {
    const before = await rowOf()
    const refused = await save({ [other]: 'Lost', [field]: value })
    const html = await refused.text()
    expect(refused.status).toBe(422)
    expect(html).toMatch(new RegExp(`id="${field}[^>]*aria-invalid="true"`))
    expect(html).toContain(`value="Lost"`)
    // The other groups are not open.
    expect(html.match(/name="intent"/g)).toHaveLength(1)
    expect(await rowOf()).toEqual(before)
  })

  it.each([
    { parts: ['9', '12', '1906'], birthdate: '1906-12-09' },
    { parts: ['', '', '1906'], birthdate: '1906' },
    { parts: ['29', '02', ''], birthdate: '0000-02-29' },
    { parts: ['', '', ''], birthdate: undefined },
  ])('stores the date of birth $parts as $birthdate', async ({ parts: [day, month, year], birthdate }) => {
    const typed = { 'birthdate.day': day, 'birthdate.month': month, 'birthdate.year': year }
    expect((await save(typed as Record<string, string>)).status).toBe(303)
    expect((await rowOf()).profile.birthdate).toBe(birthdate)
  })

  it('stores a gender in the user’s own words, and shows it in the field for them', async () => {
    await save({ gender: '*', 'gender.own': 'agender' })
    expect((await rowOf()).profile.gender).toBe('agender')
    const edited = await (await visitor.client.get('/account/profile?edit=about')).text()
    expect(edited).toMatch(/name="gender.own"[^>]*value="agender"/)
    await save({ gender: '', 'gender.own': 'agender' })
    expect((await rowOf()).profile.gender).toBeUndefined()
  })

  it('shows a stored country by its name, and keeps the text unless the user chooses another', async () => {
    for (const { stored, name } of [
      { stored: 'GB', name: 'United Kingdom' },
      { stored: 'united kingdom', name: 'United Kingdom' },
      { stored: 'Atlantis', name: 'Atlantis' },
    ]) {
      await save({ 'address.country': stored })
      const page = await (await visitor.client.get('/account/profile?lng=en')).text()
      expect(page).toContain(`<dd><bdi>${name}</bdi>`)
      const edited = await (await visitor.client.get('/account/profile?edit=address&lng=en')).text()
      expect(edited).toContain(`<option value="${stored}" selected="">${name}</option>`)
    }
  })

  it('opens only the group in the URL, and shows the others as rows', async () => {
    await save({ name: 'Grace Hopper', nickname: '' })
    const closed = await (await visitor.client.get('/account/profile?edit=nothing&lng=en')).text()
    expect(closed).not.toContain('name="intent"')
    expect(closed).toContain('<dt>Full name</dt><dd><bdi>Grace Hopper</bdi>')
    expect(closed).toMatch(/<dt>Nickname<.dt><dd><span[^>]*>Not set/)
    const edited = await (await visitor.client.get('/account/profile?edit=language&lng=en')).text()
    expect(edited).toMatch(/<select name="locale"[^>]*autofocus=""/i)
    expect(edited).toMatch(
      /<optgroup label="Europe"[^>]*>.*<option value="Europe\/Berlin"[^>]*>Berlin \(GMT\+[12]\)/,
    )
    expect(edited).toContain('href="/account/profile#edit-language"')
    expect(edited).not.toContain('name="nickname"')
  })

  it('ignores fields that are not in the form, and rejects forms from other sites', async () => {
    const before = await rowOf()
    await save({ primaryEmail: 'evil@example.com', isSuspended: '1', profile: '{}', __proto__: 'x' })
    expect((await save({ name: 'Evil' }, { origin: 'https://evil.example' })).status).toBe(403)
    expect(await rowOf()).toEqual(before)
  })

  it('makes one database round trip and is at most 14 kB, including all time zones', async () => {
    for (const path of [
      '/account/profile',
      '/account/profile?edit=language',
      '/account/profile?edit=address',
      '/account/picture',
    ]) {
      await visitor.client.get(path)
      app.trips()
      const page = await visitor.client.get(path)
      expect([path, page.status, app.trips().awaited]).toEqual([path, 200, 1])
      expect(compressedSize(await page.text())).toBeLessThanOrEqual(14_000)
    }
  })

  it('sends a notice when an application changes the username', async () => {
    const before = (await notices()).length
    const { call } = await newMember(app, { client: visitor.client, username: visitor.username })
    expect((await call('PATCH', '', { name: 'Grace' })).status).toBe(200)
    expect((await notices()).length).toBe(before)
    const username = freshName()
    await call('POST', '/password/verify', { password: PASSWORD })
    expect((await call('PATCH', '', { username })).status).toBe(200)
    expect((await notices()).length).toBe(before + 1)
    visitor = { ...visitor, username }
  })
})

describe('the profile picture', () => {
  type Upload = { content?: Uint8Array<ArrayBuffer>; type?: string; headers?: Record<string, string> }
  const upload = ({ content = pictureFiles['image/png'], type = 'image/png', headers = {} }: Upload = {}) => {
    const body = new FormData()
    body.set('intent', 'upload')
    body.set('picture', new File([content], 'me.png', { type }))
    const cookie = visitor.client.cookieHeader('/account/picture')
    return app.fetch('/account/picture', { method: 'POST', headers: { cookie, ...headers }, body })
  }
  const storedUploads = async (): Promise<StoredUpload[]> => (await fetch(`${store}/kept`)).json()

  it('is uploaded, replaced and removed without JavaScript, and only the current file is kept', async () => {
    const first = await upload()
    expect([first.status, locationOf(first)]).toEqual([303, '/account/profile'])
    const { avatar } = await rowOf()
    expect(avatar).toMatch(new RegExp(`/default/${userId}/.*\\.png$`))
    expect((await visitor.client.get('/account')).headers.get('content-security-policy')).toContain('img-src')
    expect(await (await visitor.client.get('/account/profile')).text()).toContain(`src="${avatar}"`)
    expect((await upload({ content: pictureFiles['image/webp'], type: 'image/webp' })).status).toBe(303)
    expect((await rowOf()).avatar).not.toBe(avatar)
    expect((await storedUploads()).map(({ path }) => path).join()).not.toContain(
      new URL(avatar ?? '').pathname,
    )
    expect(await storedUploads()).toHaveLength(1)
    expect((await visitor.client.post('/account/picture', { intent: 'remove' })).status).toBe(303)
    expect([(await rowOf()).avatar, await storedUploads()]).toEqual([null, []])
  })

  const picturePath = async () => new URL((await rowOf()).avatar ?? '', store).pathname

  it('is stored in a single file after several concurrent uploads', async () => {
    const answers = await Promise.all([upload(), upload(), upload()])
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await storedUploads()).map(({ path }) => path)).toEqual([await picturePath()])
  })

  it('is deleted when an application or an operator replaces it', async () => {
    const { call } = await newMember(app, { client: visitor.client, username: visitor.username })
    const elsewhere = 'https://elsewhere.example/me.png'
    expect(await storedUploads()).toHaveLength(1)
    // Setting the same picture again, or a picture with the same path, does not delete the file.
    const { avatar } = await rowOf()
    for (const same of [avatar, `${avatar}?again`])
      expect((await call('PATCH', '', { avatar: same })).status).toBe(200)
    expect(await storedUploads()).toHaveLength(1)
    expect((await call('PATCH', '', { avatar: null })).status).toBe(200)
    expect([(await rowOf()).avatar, await storedUploads()]).toEqual([null, []])

    await upload()
    expect(await storedUploads()).toHaveLength(1)
    const set = await operator.send('PATCH', `/users/${userId}`, { avatar: elsewhere })
    expect([set.status, await storedUploads()]).toEqual([200, []])
  })

  it('is deleted when a sign-in copies a picture from a social provider', async () => {
    await installUpstream(app, ['oidc'], { syncProfile: true })
    const picture = 'https://elsewhere.example/ann.png'
    const account = await newProviderAccount({ picture })
    const identities = { oidc: { userId: account.id, details: { id: account.id } } }
    await app.env.DB.prepare('update users set identities = ? where id = ?')
      .bind(JSON.stringify(identities), userId)
      .run()
    await upload()
    expect(await storedUploads()).toHaveLength(1)
    const signingIn = await beginSocialInteraction(openTestApp({}, { hasCalmDatabase: true }))
    await signingIn.start('SignIn')
    expect((await signingIn.proveBy('oidc', account)).status).toBe(204)
    expect((await signingIn.submit()).status).toBe(200)
    expect([(await rowOf()).avatar, await storedUploads()]).toEqual([picture, []])
  })

  it('is kept while the tenant’s sign-in experience uses it', async () => {
    await upload()
    const [path, { avatar }] = [await picturePath(), await rowOf()]
    const tenantLogo = `update sign_in_experiences set branding = json_set(branding, '$.logoUrl', ?) where tenant_id = 'default'`
    const show = (logo: string) => app.env.DB.prepare(tenantLogo).bind(logo).run()
    await show(`https://files.example${path}`)
    expect((await visitor.client.post('/account/picture', { intent: 'remove' })).status).toBe(303)
    expect((await storedUploads()).map((one) => one.path)).toEqual([path])
    await show('')
    // Once the tenant no longer uses the picture, removing it deletes the file.
    await app.env.DB.prepare('update users set avatar = ? where id = ?').bind(avatar, userId).run()
    expect((await visitor.client.post('/account/picture', { intent: 'remove' })).status).toBe(303)
    expect(await storedUploads()).toEqual([])
  })

  it('is deleted if the user is signed out during the upload', async () => {
    const calls = async (): Promise<string[]> => (await fetch(`${store}/calls`)).json()
    const stored = async () => (await calls()).filter((call) => call.startsWith('PUT')).length
    const [before, storedBefore] = [await storedUploads(), await stored()]
    const revoke = (at: number | null) =>
      app.env.DB.prepare('update users set revoked_at = ? where id = ?').bind(at, userId).run()
    const racing = openInterruptedApp('set "avatar"', () => revoke(Date.now()))
    const body = new FormData()
    body.set('intent', 'upload')
    body.set('picture', new File([pictureFiles['image/png']], 'me.png', { type: 'image/png' }))
    const cookie = visitor.client.cookieHeader('/account/picture')
    const answer = await racing.fetch('/account/picture', { method: 'POST', headers: { cookie }, body })
    await revoke(null)
    expect(locationOf(answer)).toMatch(/^\/oidc\/auth\?/)
    expect(await stored()).toBe(storedBefore + 1)
    expect(await storedUploads()).toEqual(before)
  })

  it('is kept in storage if the user removes a picture whose URL belongs to another site', async () => {
    await upload()
    const { avatar } = await rowOf()
    const others = 'https://elsewhere.example/default/other/2026/01/01/aaaaaaaa/me.png'
    await app.env.DB.prepare('update users set avatar = ? where id = ?').bind(others, userId).run()
    expect((await visitor.client.post('/account/picture', { intent: 'remove' })).status).toBe(303)
    expect(await storedUploads()).toHaveLength(1)
    expect(avatar).not.toBeNull()
  })

  it('is removed even if the storage provider fails to delete the file, and the failure is logged', async () => {
    await upload()
    const former = await storedUploads()
    expect((await keepAt('refusing')).status).toBe(200)
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    expect((await visitor.client.post('/account/picture', { intent: 'remove' })).status).toBe(303)
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)))
    log.mockRestore()
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'upload_not_deleted', provider: 'S3Storage', willRetry: false }),
    )
    expect((await keepAt('ok')).status).toBe(200)
    expect([(await rowOf()).avatar, await storedUploads()]).toEqual([null, former])
  })

  it.each([
    { what: 'text', upload: { content: new TextEncoder().encode('<html>') }, status: 400 },
    { what: 'larger than a megabyte', upload: { content: new Uint8Array(1024 * 1024 + 1) }, status: 400 },
    { what: 'much larger than a megabyte', upload: { content: new Uint8Array(1200 * 1024) }, status: 413 },
    {
      what: 'uploaded by another site',
      upload: { headers: { origin: 'https://evil.example' } },
      status: 403,
    },
  ])('cannot be $what', async ({ upload: file, status }) => {
    const before = await storedUploads()
    expect((await upload(file)).status).toBe(status)
    expect(await storedUploads()).toEqual(before)
  })

  it('cannot be an SVG file, which is rejected without being parsed', async () => {
    const drawing = pictureFiles['image/svg+xml']
    const decode = vi.spyOn(TextDecoder.prototype, 'decode')
    expect((await upload({ content: drawing, type: 'image/svg+xml' })).status).toBe(400)
    const decoded = decode.mock.calls.map(([bytes]) => bytes?.byteLength)
    decode.mockRestore()
    expect(decoded).not.toContain(drawing.byteLength)
  })

  it('is the only file upload that any form accepts', async () => {
    const body = new FormData()
    body.set('intent', 'save')
    body.set('name', 'Evil')
    const headers = { cookie: visitor.client.cookieHeader('/account/profile') }
    expect((await app.fetch('/account/profile', { method: 'POST', headers, body })).status).toBe(415)
    const torn = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    expect(
      (await app.fetch('/account/picture', { method: 'POST', headers: torn, body: 'torn' })).status,
    ).toBe(400)
    expect((await newCookieClient(app).get('/account/picture')).status).toBe(302)
  })
})
