import { beforeAll, describe, expect, it } from 'vitest'
import type { CustomField } from '../../../src/contract/account/custom-fields.ts'
import { type AccountVisitor, locationOf } from '../../kit/account-centre.ts'
import { type Member, newMember } from '../../kit/clients/account-client.ts'
import type { CookieClient } from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the additional profile fields that tenants can define (spec/account-centre#custom-fields). */

const definitions: (Partial<CustomField> & { key: string })[] = [
  {
    key: 'department',
    type: 'text',
    label: { en: 'Department', de: 'Abteilung' },
    required: true,
    maxLength: 8,
  },
  { key: 'seats', type: 'number', label: { en: 'Seats' }, min: 1, max: 9 },
  { key: 'started', type: 'date', label: { en: 'First day' } },
  { key: 'newsletter', type: 'checkbox', label: { en: 'Newsletter' } },
  {
    key: 'size',
    type: 'select',
    label: { en: 'Shirt' },
    options: [
      { value: 'm', label: { en: 'Medium' } },
      { value: 'l', label: { en: 'Large' } },
    ],
  },
  { key: 'homepage', type: 'url', label: { en: 'Homepage' } },
  { key: 'plan', type: 'text', label: { en: 'Plan' }, access: 'readOnly' },
  { key: 'rating', type: 'number', label: { en: 'Rating' }, access: 'off' },
]

let app: TestApp
let operator: Operator
let visitor: AccountVisitor
let member: Member
let client: CookieClient
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  const defined = await define(definitions)
  expect(defined.status).toBe(200)
  visitor = await storeVisitor(app)
  ;({ client } = visitor)
  member = await newMember(app, { client, username: visitor.username })
})

const define = (customFields: readonly object[]) =>
  operator.send('PATCH', '/configs/settings', { accountCentre: { enabled: true, customFields } })
const save = (form: Record<string, string>) =>
  client.post('/account/profile', {
    intent: 'save',
    ...Object.fromEntries(Object.entries(form).map(([key, value]) => [`custom.${key}`, value])),
  })
const dataOf = async (): Promise<Record<string, unknown>> =>
  JSON.parse(
    (await app.env.DB.prepare('select custom_data from users where id = ?')
      .bind(member.userId)
      .first<string>('custom_data')) ?? '',
  )
const store = (data: object) =>
  app.env.DB.prepare('update users set custom_data = ? where id = ?')
    .bind(JSON.stringify(data), member.userId)
    .run()

const others = { theme: { colors: ['red'], none: null }, nothing: null }
const filled = {
  department: 'Sales',
  seats: 3,
  started: '2024-02-29',
  newsletter: true,
  size: 'l',
  homepage: 'https://ada.example',
}

describe('the profile page', () => {
  it('stores entered values, removes cleared ones and leaves all others unchanged', async () => {
    await store({ ...others, plan: 'gold', rating: 5 })
    const typed = { ...filled, seats: '3', newsletter: 'true' }
    expect(locationOf(await save(typed))).toBe('/account/profile')
    expect(await dataOf()).toEqual({ ...others, plan: 'gold', rating: 5, ...filled })

    const html = await (await client.get('/account/profile?edit=custom')).text()
    expect(html).toMatch(/name="custom.department"[^>]*value="Sales"/)
    expect(html).toMatch(/name="custom.newsletter"[^>]*checked=""/)
    expect(html).toMatch(/<option value="l" selected="">Large/)
    expect(html).toContain('<dt>Plan</dt><dd><bdi>gold</bdi>')
    for (const text of ['custom.plan', 'custom.rating', 'Rating']) expect(html).not.toContain(text)
    const rows = await (await client.get('/account/profile')).text()
    for (const [name, value] of [
      ['Department', 'Sales'],
      ['First day', 'February 29, 2024'],
      ['Newsletter', 'Yes'],
      ['Shirt', 'Large'],
    ])
      expect(rows).toContain(`<dt>${name}</dt><dd><bdi>${value}</bdi>`)

    await save({ department: 'Sales', seats: '', newsletter: '', size: '', homepage: '', started: '' })
    expect(await dataOf()).toEqual({ ...others, plan: 'gold', rating: 5, department: 'Sales' })
  })

  it('shows labels in the user’s language if they are translated', async () => {
    const page = await client.get('/account/profile', { 'accept-language': 'de' })
    expect(await page.text()).toMatch(/>Abteilung<.*>Seats</s)
  })

  it.each([
    { key: 'department', value: '', says: 'Department is required' },
    { key: 'department', value: 'far too long', says: 'The Department is invalid' },
    { key: 'seats', value: '10', says: 'The Seats is invalid' },
    { key: 'seats', value: 'many', says: 'The Seats is invalid' },
    { key: 'started', value: '2023-02-29', says: 'The First day is invalid' },
    { key: 'newsletter', value: 'perhaps', says: 'The Newsletter is invalid' },
    { key: 'size', value: 'xl', says: 'The Shirt is invalid' },
    { key: 'homepage', value: 'javascript:alert(1)', says: 'The Homepage is invalid' },
  ])('shows an error next to the $key field for "$value"', async ({ key, value, says }) => {
    await store({ ...others, department: 'Sales' })
    const refused = await save({ department: 'Sales', [key]: value })
    const html = await refused.text()
    expect(refused.status).toBe(422)
    expect(html).toMatch(new RegExp(`id="custom.${key}"[^>]*aria-invalid="true"`))
    expect(html).toContain(says)
    expect(await dataOf()).toEqual({ ...others, department: 'Sales' })
  })

  it('keeps the text in the other fields after an error', async () => {
    const refused = await save({ department: '', homepage: 'https://kept.example' })
    expect(await refused.text()).toContain('value="https://kept.example"')
    const address = await client.post('/account/profile', {
      intent: 'save',
      'address.country': 'x'.repeat(129),
      'address.postalCode': '10115',
    })
    expect(await address.text()).toContain('value="10115"')
  })

  it.each(['plan', 'rating'])('rejects a form from an older page that contains the field %s', async (key) => {
    await store({ department: 'Sales' })
    expect((await save({ [key]: '9' })).status).toBe(403)
    expect(await dataOf()).toEqual({ department: 'Sales' })
  })

  it('merges concurrent changes from two forms and an application', async () => {
    await store({ department: 'Sales' })
    const answers = await Promise.all([
      save({ seats: '4' }),
      save({ size: 'm' }),
      member.call('PATCH', '/custom-data', { customData: { cart: [1] } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 200])
    expect(await dataOf()).toEqual({ department: 'Sales', seats: 4, size: 'm', cart: [1] })
  })

  it('makes one database round trip, and writes no audit entry if nothing has changed', async () => {
    await store({ department: 'Sales' })
    const logs = () =>
      app.env.DB.prepare("select count(*) n from logs where key = 'Account.Profile.Update'").first<number>(
        'n',
      )
    const before = await logs()
    expect((await save({ department: 'Sales', newsletter: '' })).status).toBe(303)
    expect(await logs()).toBe(before)
    await save({ seats: '5' })
    expect(await logs()).toBe((before ?? 0) + 1)
    const row = await app.env.DB.prepare(
      "select payload from logs where key = 'Account.Profile.Update' order by created_at desc, id desc limit 1",
    ).first<string>('payload')
    expect(JSON.parse(row ?? '').changed).toEqual(['custom.seats'])
    app.trips()
    await client.get('/account/profile')
    expect(app.trips().awaited).toBe(1)
  })

  it('rejects changes that make the data larger than 64 KiB', async () => {
    await store({ department: 'Sales', x: 'x'.repeat(65_490) })
    expect((await save({ homepage: 'https://ada.example/a-long-address-of-a-page' })).status).toBe(413)
    await store({ department: 'Sales', x: 'x'.repeat(65_430) })
    const saved = await Promise.all([
      save({ homepage: `https://ada.example/${'a'.repeat(30)}` }),
      save({ seats: '3', size: 'm', started: '2024-02-29' }),
    ])
    expect(saved.map(({ status }) => status).toSorted()).toEqual([303, 413])
    // Even if the data is already too large, other fields can be saved.
    await store({ department: 'Sales', x: 'x'.repeat(66_000) })
    const other = await client.post('/account/profile', { intent: 'save', nickname: 'Ada' })
    expect(other.status).toBe(303)
    await store({})
  })
})

describe('an application', () => {
  const patch = (customData: object) => member.call('PATCH', '/custom-data', { customData })

  it('can set a field to a valid value, and clear it with null', async () => {
    await store({ ...others })
    expect((await patch({ seats: 2, any: { thing: 1 } })).status).toBe(200)
    expect((await patch({ seats: null })).status).toBe(200)
    expect(await dataOf()).toEqual({ ...others, any: { thing: 1 } })
  })

  it.each([
    { data: { seats: '2' }, path: ['customData', 'seats'] },
    { data: { seats: { deep: 1 } }, path: ['customData', 'seats'] },
    { data: { department: null }, path: ['customData', 'department'] },
  ])('cannot store the data $data', async ({ data, path }) => {
    const answer = await patch(data)
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { code: 'guard.invalid_input', data: { issues: [{ path }] } },
    ])
  })

  it.each(['plan', 'rating'])('cannot change %s, which the user may not edit', async (field) => {
    const refused = await outcomeOf(await patch({ [field]: 9 }))
    expect(refused).toEqual([403, 'user.field_not_editable', { field }])
  })

  it('receives the fields in the `custom_data` claim', async () => {
    await store({ department: 'Sales' })
    const claims = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${member.token}` } })
    expect(await claims.json()).toMatchObject({ custom_data: { department: 'Sales' } })
  })
})

describe('an operator', () => {
  it('can set every field to a valid value, and clear required fields', async () => {
    const at = `/users/${member.userId}`
    const merge = (customData: object) => operator.send('PATCH', `${at}/custom-data`, { customData })
    expect((await merge({ plan: 'silver', rating: 3, department: null })).status).toBe(200)
    expect(await dataOf()).toMatchObject({ plan: 'silver', rating: 3 })
    expect((await merge({ rating: 'high' })).status).toBe(422)
    const replace = (customData: object) => operator.send('PATCH', at, { customData })
    expect((await replace({ size: 'xl' })).status).toBe(422)
    expect((await replace({ size: 'm', free: [1], homepage: null })).status).toBe(200)
    expect(await dataOf()).toEqual({ size: 'm', free: [1] })
  })

  const field = { key: 'one', type: 'text', label: { en: 'One' } }
  it.each([
    { what: 'a key twice', fields: [field, field] },
    { what: 'a key that every object inherits', fields: [{ ...field, key: '__proto__' }] },
    { what: 'a key with a dot', fields: [{ ...field, key: 'a.b' }] },
    { what: 'no label in English', fields: [{ ...field, label: { de: 'Eins' } }] },
    { what: 'a label with two lines', fields: [{ ...field, label: { en: 'One\nTwo' } }] },
    { what: 'an unknown type', fields: [{ ...field, type: 'secret' }] },
    { what: 'a pattern', fields: [{ ...field, pattern: '(a+)+$' }] },
    { what: 'limits that exclude everything', fields: [{ ...field, minLength: 5, maxLength: 4 }] },
    { what: 'no option', fields: [{ ...field, type: 'select', options: [] }] },
    { what: 'an invalid date', fields: [{ ...field, type: 'date', min: '2023-02-29' }] },
    {
      what: 'a required field that is read-only',
      fields: [{ ...field, required: true, access: 'readOnly' }],
    },
    { what: 'too many fields', fields: Array.from({ length: 33 }, (_, at) => ({ ...field, key: `f${at}` })) },
  ])('cannot define $what', async ({ fields }) => {
    expect((await outcomeOf(await define(fields))).slice(0, 2)).toEqual([400, 'guard.invalid_input'])
  })
})
