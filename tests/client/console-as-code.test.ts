import { expect, it } from 'vitest'
import { withDrafts } from '../../console/areas/as-code/with-drafts.ts'
import { planChanges } from '../../operator/config/plan.ts'
import { type ConfigState, configSections } from '../../operator/config/state.ts'

/** What the page "As code" plans of changes that are not saved (spec/console#as-code). */

const nothing = Object.fromEntries(configSections.map((section) => [section, {}])) as ConfigState
const state: ConfigState = {
  ...nothing,
  applications: { shop: { name: 'Shop', type: 'SPA' }, other: { name: 'Other', type: 'SPA' } },
  phrases: { fr: { action: { sign_in: 'Entrer', back: 'Retour' } } },
  settings: { '': { accountExistence: 'friendly', smsCountries: [] } },
}

it('the plan has the changes of each form, those of one entity together, and nothing else', () => {
  const draft = (changes: Record<string, unknown>) => ({ etag: '"1"', changes })
  const wanted = withDrafts(
    state,
    new Map([
      ['/applications/shop', draft({ name: 'Acme', description: null })],
      ['/configs/settings', draft({ accountExistence: 'hidden' })],
      // Users are no settings; an entity that is gone cannot change.
      ['/users/ada', draft({ name: 'Ada' })],
      // Texts are changed by key; the first ones of a language make its entry.
      ['/custom-phrases/fr', draft({ 'action.sign_in': 'Ouvrir', 'action.back': null })],
      ['/custom-phrases/de', draft({ 'action.sign_in': 'Herein' })],
      ['/hooks/gone', draft({ event: 'PostSignIn' })],
    ]),
  )
  const plan = planChanges(state, wanted, {
    secrets: new Map(),
    isSecret: () => false,
    isWithheld: () => false,
    updateSecrets: false,
  })
  expect(plan.map(({ action, section, id, fields }) => [action, section, id, fields])).toEqual([
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
