import { expect, it } from 'vitest'
import { withDrafts } from '../../console/areas/as-code/with-drafts.ts'
import { planChanges } from '../../operator/config/plan.ts'
import { type ConfigState, configSections } from '../../operator/config/state.ts'

/** What the page "As code" plans of changes that are not saved (spec/console#as-code). */

const nothing = Object.fromEntries(configSections.map((section) => [section, {}])) as ConfigState
const state: ConfigState = {
  ...nothing,
  applications: { shop: { name: 'Shop', type: 'SPA' }, other: { name: 'Other', type: 'SPA' } },
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
