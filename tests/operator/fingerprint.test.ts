import { expect, it } from 'vitest'
import { computeFingerprint, findFileSections } from '../../operator/config/fingerprint.ts'
import type { ConfigState } from '../../operator/config/state.ts'
import { connectorFactories, freshState } from './settings.ts'

const tenant: ConfigState = {
  ...freshState,
  resources: { orders: { name: 'Orders', indicator: 'https://orders.example' } },
  scopes: { 'orders/read': { description: 'Read' } },
  roles: { clerk: { name: 'Clerk', description: '', scopes: ['orders/read'] } },
  roleApplications: { clerk: { applications: ['robot'] } },
  connectors: {
    mail: { connectorId: 'sendgrid-email-service', config: { apiKey: '********', fromEmail: 'a@b.example' } },
    other: { connectorId: 'unknown-factory', config: { key: 'one' } },
  },
  applications: { robot: { name: 'Robot', type: 'MachineToMachine', secret: 'one', description: null } },
  hooks: { crm: { event: 'PostSignIn', config: { url: 'https://crm.example', headers: { key: 'one' } } } },
  phrases: { fr: { action: { sign_in: 'Entrer' } } },
}
const everything = findFileSections(tenant)
const of = (changes: Partial<ConfigState> = {}, sections = everything) =>
  computeFingerprint({ state: { ...tenant, ...changes }, factories: connectorFactories }, sections)

it('the fingerprint of a deployment is the hexadecimal SHA-256 digest of its sections', async () => {
  expect(everything.toSorted()).toEqual([
    ...['applications', 'connectors', 'experience', 'hooks'],
    ...['organizationRoles', 'organizationScopes'],
    'phrases',
    'resources',
    'roles',
    'settings',
  ])
  expect(await of()).toMatch(/^[0-9a-f]{64}$/)
})

it.each<[string, Partial<ConfigState>]>([
  ['the order of keys', Object.fromEntries(Object.entries(tenant).toReversed())],
  [
    'the order of keys in a nested object',
    { hooks: { crm: { config: { headers: {}, url: 'https://crm.example' }, event: 'PostSignIn' } } },
  ],
  [
    'whether a value is absent or null',
    { applications: { robot: { type: 'MachineToMachine', name: 'Robot' } } },
  ],
  ['an application secret', { applications: { robot: { ...tenant.applications.robot, secret: 'two' } } }],
  [
    'a webhook header',
    {
      hooks: {
        crm: {
          event: 'PostSignIn',
          config: { url: 'https://crm.example', headers: { key: 'two', more: '1' } },
        },
      },
    },
  ],
  [
    'a connector secret',
    {
      connectors: {
        ...tenant.connectors,
        mail: { connectorId: 'sendgrid-email-service', config: { apiKey: 'two', fromEmail: 'a@b.example' } },
      },
    },
  ],
  [
    'a field of a connector with an unknown factory',
    {
      connectors: { ...tenant.connectors, other: { connectorId: 'unknown-factory', config: { key: 'two' } } },
    },
  ],
])('the fingerprint does not depend on %s', async (_, changes) => {
  expect(await of(changes)).toBe(await of())
})

it.each<[string, string, Partial<ConfigState>]>([
  [
    'a value',
    'connectors',
    {
      connectors: {
        ...tenant.connectors,
        mail: {
          connectorId: 'sendgrid-email-service',
          config: { apiKey: '********', fromEmail: 'c@d.example' },
        },
      },
    },
  ],
  ['an additional object', 'hooks', { hooks: { ...tenant.hooks, more: {} } }],
  ['a removed object', 'applications', { applications: {} }],
  ['a scope', 'resources', { scopes: { 'orders/read': { description: 'Look' } } }],
  ['an application of a role', 'roles', { roleApplications: { clerk: { applications: [] } } }],
  ['a setting', 'settings', { settings: { '': { ...tenant.settings[''], accountExistence: 'hidden' } } }],
])('the fingerprint changes with %s if its section is managed', async (_, section, changes) => {
  expect(await of(changes)).not.toBe(await of())
  expect(await of(changes, [section])).not.toBe(await of({}, [section]))
  const others = everything.filter((other) => other !== section)
  expect(await of(changes, others)).toBe(await of({}, others))
})
