import { type CheckFacts, endOf, problemsOf } from '../../operator/config/check.ts'
import type { ConfigInput } from '../../operator/config/file.schema.ts'
import { judged } from '../../operator/config/load.ts'
import { type Change, plan } from '../../operator/config/plan.ts'
import { type Factory, secretPlaces } from '../../operator/config/secret-places.ts'
import { resolveSecrets } from '../../operator/config/secrets.ts'
import { ONLY, type State, wanted } from '../../operator/config/state.ts'
import { untoldPlaces } from '../../operator/config/untold.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/settings.ts'

const { id: _id, ...experience } = DEFAULT_EXPERIENCE

/** A tenant nobody has changed, as the API tells of it. */
export const fresh: State = {
  resources: {},
  scopes: {},
  roles: {},
  connectors: {},
  phrases: {},
  experience: { [ONLY]: experience },
  applications: {},
  roleApplications: {},
  hooks: {},
  settings: { [ONLY]: DEFAULT_TENANT_SETTINGS },
}

/** As far as secrets go. */
export const factories: Factory[] = [
  {
    id: 'sendgrid-email-service',
    formItems: [
      { key: 'apiKey', label: 'API key', type: 'Text', isSecret: true },
      { key: 'fromEmail', label: 'From', type: 'Text' },
    ],
  },
]

type Options = {
  current?: Partial<State>
  env?: Record<string, string>
  updateSecrets?: boolean
  clientId?: string
  facts?: Partial<CheckFacts['facts']>
}

/** What `plan` finds between a tenant and a file. */
export function planned(file: ConfigInput, options: Options = {}): { changes: Change[]; problems: string[] } {
  const { env = {}, updateSecrets = false, clientId = 'management' } = options
  const state = { ...fresh, ...options.current }
  const { value, secrets } = resolveSecrets(file, env)
  const desired = wanted(judged(value, 'the file'))
  const changes = plan(state, desired, {
    secrets,
    isSecret: secretPlaces(factories, state, desired),
    isUntold: untoldPlaces(state),
    updateSecrets,
  })
  const end = endOf(state, desired)
  const problems = problemsOf(desired, end, changes, {
    experience: { ...DEFAULT_EXPERIENCE, ...end.experience[ONLY] },
    facts: {
      connectors: { email: false, phone: false, targets: [] },
      languages: ['en', 'de'],
      ...options.facts,
    },
    clientId,
    builtInScopes: ['management-api/all'],
    secrets,
  })
  return { changes, problems }
}

export const steps = (changes: readonly Change[]) =>
  changes.map(({ action, section, id }) => `${action} ${section} ${id}`.trim())

export const fieldsOf = (changes: readonly Change[]) =>
  changes.flatMap(({ fields }) =>
    fields.map(({ path, before, after }) => [path.join('.'), worth(before), worth(after)]),
  )

const worth = (shown: Change['fields'][number]['before']) =>
  shown === undefined ? '(none)' : 'secret' in shown ? `secret ${shown.secret}` : shown.value
