import { expect, it } from 'vitest'
import { ALL_EDITABLE, mapAccountFields } from '../../../src/contract/account/account-fields.ts'
import type { CustomField } from '../../../src/contract/account/custom-fields.ts'
import { isEditableByUser } from '../../../src/domain/applications/claim-paths.ts'
import { ALL_SCOPES } from '../../kit/clients/account-client.ts'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'

/** Compares which paths of claims count as editable with what the account API accepts (spec/provider#claim-paths). */

const field = (key: string, access: CustomField['access']): CustomField => ({
  key,
  access,
  type: 'text',
  required: false,
  label: { en: key },
})
const customFields = [field('tier', 'readOnly'), field('secret', 'off'), field('motto', 'edit')]
const policies = {
  edit: ALL_EDITABLE,
  readOnly: mapAccountFields(() => 'readOnly' as const),
}

const change = (path: string, value: unknown) => ({ path, body: { [path.slice(2)]: value } })
const inProfile = (key: string, value: unknown) => ({
  path: `$.profile.${key}`,
  body: { profile: { [key]: value } },
})
const inData = (key: string) => ({
  path: `$.customData.${key}`,
  at: '/custom-data',
  body: { customData: { [key]: 'x' } },
})

const changes: { path: string; at?: string; body: object }[] = [
  change('$.name', 'Bob'),
  change('$.avatar', 'https://example.com/bob.png'),
  inProfile('nickname', 'Bo'),
  inProfile('birthdate', '1990-01-01'),
  { path: '$.profile.address.country', body: { profile: { address: { country: 'DE' } } } },
  inData('tier'),
  inData('secret'),
  inData('motto'),
  inData('department'),
  change('$.roles', ['x']),
  change('$.scopes', ['x']),
]

it.each((['edit', 'readOnly'] as const).flatMap((policy) => changes.map((row) => ({ policy, ...row }))))(
  'with the policy $policy, $path counts as editable exactly if the account API changes it',
  async ({ policy, path, at = '', body }) => {
    const accountCentre = { enabled: true, fields: policies[policy], customFields }
    await setTenantSettings(openTestApp(), { accountCentre })
    // A new app has fresh caches.
    const app = openTestApp()
    const member = await storeMember(app, { scope: `${ALL_SCOPES} address` })
    const { status } = await member.call('PATCH', at, body)
    expect(isEditableByUser(path, { fields: policies[policy], customFields })).toBe(status === 200)
  },
)

it('a username, and a verified address, can be chosen by the user, too', async () => {
  const all = { fields: ALL_EDITABLE, customFields: [] }
  for (const [path, part] of [
    ['$.username', 'username'],
    ['$.primaryEmail', 'email'],
    ['$.primaryPhone', 'phone'],
  ] as const) {
    expect(isEditableByUser(path, all)).toBe(true)
    const fields = { ...ALL_EDITABLE, [part]: 'readOnly' as const }
    expect(isEditableByUser(path, { ...all, fields })).toBe(false)
  }
  await setTenantSettings(openTestApp(), { accountCentre: { enabled: true, fields: ALL_EDITABLE } })
  const member = await storeMember(openTestApp())
  // Not forbidden: the change only needs a recent proof.
  expect((await member.call('PATCH', '', { username: freshName() })).status).toBe(401)
})

it.each(['gold', '$.password', '$name', '$.'])('%s is not an editable path', (path) => {
  expect(isEditableByUser(path, { fields: ALL_EDITABLE, customFields: [] })).toBe(false)
})
