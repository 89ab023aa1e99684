import type { SettingsChange } from '../../operator/config/change.ts'
import { type CheckFacts, computeResultingState, findPlanProblems } from '../../operator/config/check.ts'
import { getConnectorTarget } from '../../operator/config/connectors.ts'
import type { ConfigInput } from '../../operator/config/file.schema.ts'
import { parseConfig } from '../../operator/config/load.ts'
import { planChanges } from '../../operator/config/plan.ts'
import {
  createSecretPathTest,
  createWithheldPathTest,
  type FactoryForm,
} from '../../operator/config/secret-places.ts'
import { resolveSecrets } from '../../operator/config/secrets.ts'
import { type ConfigState, SINGLETON_ID, toDesiredState } from '../../operator/config/state.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'

const { id: _id, ...experience } = DEFAULT_EXPERIENCE

/** The state of a new tenant, as the API returns it. */
export const freshState: ConfigState = {
  resources: {},
  scopes: {},
  roles: {},
  connectors: {},
  phrases: {},
  experience: { [SINGLETON_ID]: experience },
  applications: {},
  roleApplications: {},
  hooks: {},
  settings: { [SINGLETON_ID]: DEFAULT_TENANT_SETTINGS },
  organizationScopes: {},
  organizationRoles: { owner: { scopes: [], resourceScopes: [] } },
}

const secretText = (key: string, label: string) => ({ key, label, type: 'Text', isSecret: true }) as const

/** The properties of connector factories that affect validation and secrets. */
export const connectorFactories: FactoryForm[] = [
  {
    id: 'sendgrid-email-service',
    type: 'Email',
    target: 'sendgrid',
    platform: null,
    formItems: [secretText('apiKey', 'API key'), { key: 'fromEmail', label: 'From', type: 'Text' }],
  },
  {
    id: 'simple-mail-transfer-protocol',
    type: 'Email',
    target: 'smtp',
    platform: null,
    formItems: [
      { key: 'host', label: 'Host', type: 'Text' },
      { key: 'auth.user', label: 'User name', type: 'Text' },
      secretText('auth.pass', 'Password'),
    ],
  },
  {
    id: 'github-universal',
    type: 'Social',
    target: 'github',
    platform: 'Universal',
    formItems: [{ key: 'clientId', label: 'Client ID', type: 'Text' }, secretText('clientSecret', 'Secret')],
  },
  {
    id: 'oidc',
    type: 'Social',
    target: 'oidc',
    platform: 'Universal',
    isStandard: true,
    formItems: [{ key: 'issuer', label: 'Issuer', type: 'Text' }, secretText('clientSecret', 'Secret')],
  },
]

type Options = {
  current?: Partial<ConfigState>
  env?: Record<string, string>
  updateSecrets?: boolean
  clientId?: string
  facts?: Partial<CheckFacts['facts']>
  demoTargets?: string[]
  hasOrganizations?: boolean
}

/** Plans the changes that make a tenant match a settings file. */
export function plannedChanges(
  file: ConfigInput,
  options: Options = {},
): { changes: SettingsChange[]; problems: string[] } {
  const { env = {}, updateSecrets = false, clientId = 'management' } = options
  const state = { ...freshState, ...options.current }
  const { value, secrets } = resolveSecrets(file, env)
  const desired = toDesiredState(parseConfig(value, 'the file'))
  const isSecret = createSecretPathTest(connectorFactories, state, desired)
  const changes = planChanges(state, desired, {
    secrets,
    isSecret,
    isWithheld: createWithheldPathTest(state, isSecret),
    updateSecrets,
    clientId,
  })
  const end = computeResultingState(state, desired)
  const problems = findPlanProblems(desired, end, changes, {
    experience: { ...DEFAULT_EXPERIENCE, ...end.experience[SINGLETON_ID] },
    facts: {
      connectors: {
        email: false,
        phone: false,
        targets: Object.values(end.connectors).flatMap((connector) => getConnectorTarget(connector) ?? []),
      },
      languages: ['en', 'de'],
      ...options.facts,
    },
    demoTargets: options.demoTargets ?? [],
    factories: connectorFactories,
    origin: 'http://localhost:8787',
    clientId,
    builtInScopes: ['management-api/all'],
    hasOrganizations: options.hasOrganizations ?? true,
    secrets,
  })
  return { changes, problems }
}

export const stepsOf = (changes: readonly SettingsChange[]) =>
  changes.map(({ action, section, id }) => `${action} ${section} ${id}`.trim())

export const fieldsOf = (changes: readonly SettingsChange[]) =>
  changes.flatMap(({ fields }) =>
    fields.map(({ path, before, after }) => [path.join('.'), plainValue(before), plainValue(after)]),
  )

const plainValue = (shown: SettingsChange['fields'][number]['before']) =>
  shown === undefined ? '(none)' : 'secret' in shown ? `secret ${shown.secret}` : shown.value
