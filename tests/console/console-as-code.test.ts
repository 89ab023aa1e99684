import { expect, it } from 'vitest'
import { applyDrafts } from '../../console/areas/as-code/with-drafts.ts'
import { planChanges } from '../../operator/config/plan.ts'
import { type ConfigState, configSections } from '../../operator/config/state.ts'

/** Tests the plan that the page "Settings as code" shows for unsaved changes (spec/console#as-code). */

const nothing = Object.fromEntries(configSections.map((section) => [section, {}])) as ConfigState
const state: ConfigState = {
  ...nothing,
  applications: { shop: { name: 'Shop', type: 'SPA' }, other: { name: 'Other', type: 'SPA' } },
  phrases: { fr: { action: { sign_in: 'Entrer', back: 'Retour' } } },
  settings: { '': { accountExistence: 'friendly', smsCountries: [] } },
}

const plan = (desired: ConfigState, before = state) =>
  planChanges(before, desired, {
    secrets: new Map(),
    isSecret: () => false,
    isWithheld: () => false,
    updateSecrets: false,
  }).map(({ action, section, id, fields }) => [action, section, id, fields])

const draft = (changes: Record<string, unknown>, merged: string[] = []) => ({ etag: '"1"', changes, merged })

it('the plan groups the unsaved changes in all forms by entity', () => {
  const desired = applyDrafts(
    state,
    new Map([
      ['/applications/shop', draft({ name: 'Acme', description: null })],
      ['/configs/settings', draft({ accountExistence: 'hidden' })],
      // Users aren't settings, and a deleted entity can't be changed.
      ['/users/ada', draft({ name: 'Ada' })],
      // Texts are changed key by key. The first text in a language creates the language's entry.
      ['/custom-phrases/fr', draft({ 'action.sign_in': 'Ouvrir', 'action.back': null })],
      ['/custom-phrases/de', draft({ 'action.sign_in': 'Herein' })],
      ['/hooks/gone', draft({ event: 'PostSignIn' })],
    ]),
  )
  expect(plan(desired)).toEqual([
    [
      'change',
      'phrases',
      'fr',
      [
        { path: ['action', 'sign_in'], before: { value: 'Entrer' }, after: { value: 'Ouvrir' } },
        { path: ['action', 'back'], before: { value: 'Retour' } },
      ],
    ],
    ['create', 'phrases', 'de', [{ path: ['action', 'sign_in'], after: { value: 'Herein' } }]],
    [
      'change',
      'settings',
      '',
      [{ path: ['accountExistence'], before: { value: 'friendly' }, after: { value: 'hidden' } }],
    ],
    [
      'change',
      'applications',
      'shop',
      [{ path: ['name'], before: { value: 'Shop' }, after: { value: 'Acme' } }],
    ],
  ])
})

it('the plan adds and removes single permissions of a role', () => {
  const before: ConfigState = {
    ...nothing,
    roles: { clerk: { name: 'Clerk', scopes: ['shop/a', 'shop/c'] } },
  }
  const desired = applyDrafts(
    before,
    new Map([['/roles/clerk/permissions', draft({ 'shop/b': true, 'shop/c': null })]]),
  )
  expect(desired.roles.clerk?.scopes).toEqual(['shop/a', 'shop/b'])
})

it('the plan divides the scopes of an organisation role by their kind', () => {
  const before: ConfigState = {
    ...nothing,
    organizationRoles: { buyer: { name: 'Buyer', scopes: ['plan:read'], resourceScopes: ['shop/a'] } },
  }
  const desired = applyDrafts(
    before,
    new Map([
      ['/organization-roles/buyer/permissions', draft({ '/plan:read': null, '/a/b': true, 'shop/b': true })],
      ['/organization-roles/buyer', draft({ name: 'Buyers' })],
    ]),
  )
  expect(desired.organizationRoles.buyer).toEqual({
    name: 'Buyers',
    scopes: ['a/b'],
    resourceScopes: ['shop/a', 'shop/b'],
  })
})

it('the plan changes single keys of merged fields, and removes keys that are null', () => {
  const before: ConfigState = {
    ...nothing,
    applications: { shop: { name: 'Shop', customClientMetadata: { deviceFlow: true, idTokenTtl: 60 } } },
    connectors: { google: { connectorId: 'google-universal', config: { clientId: 'a', scope: 'openid' } } },
    hooks: { crm: { event: 'PostSignIn', config: { url: 'https://a.example', retries: 3 } } },
  }
  const desired = applyDrafts(
    before,
    new Map([
      ['/applications/shop', draft({ customClientMetadata: { idTokenTtl: null } }, ['customClientMetadata'])],
      ['/connectors/google', draft({ config: { clientId: 'b', scope: null } }, ['config'])],
      ['/hooks/crm', draft({ config: { retries: 0 } }, ['config'])],
    ]),
  )
  const one = (path: string[], was: unknown, is?: unknown) => ({
    path,
    before: { value: was },
    ...(is !== undefined && { after: { value: is } }),
  })
  expect(plan(desired, before)).toEqual([
    [
      'change',
      'connectors',
      'google',
      [one(['config', 'clientId'], 'a', 'b'), one(['config', 'scope'], 'openid')],
    ],
    ['change', 'applications', 'shop', [one(['customClientMetadata', 'idTokenTtl'], 60)]],
    ['change', 'hooks', 'crm', [one(['config', 'retries'], 3, 0)]],
  ])
})

it("the plan creates a connector that isn't installed yet", () => {
  const values = { id: 'google', connectorId: 'google-universal', metadata: {}, name: '', isOffered: true }
  const desired = applyDrafts(
    nothing,
    new Map([
      ['/connectors/new/google-universal', draft({ ...values, config: { clientId: 'a', scope: null } })],
    ]),
  )
  expect(desired.connectors).toEqual({
    google: { connectorId: 'google-universal', config: { clientId: 'a' }, metadata: {}, syncProfile: false },
  })
})
