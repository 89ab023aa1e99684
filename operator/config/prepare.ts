import path from 'node:path'
import { SignInExperienceSchema } from '../../src/contract/experience/experience.schema.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import { StoredTenantSettings } from '../../src/contract/tenants/settings.schema.ts'
import { inboxChannels, installedChannels } from '../../src/domain/codes/message-channels.ts'
import { toDemos } from '../../src/domain/social/demo-social.ts'
import { createDeploymentClient } from '../deployment.ts'
import type { Environment } from '../environment.ts'
import type { Terminal } from '../terminal.ts'
import { computeResultingState, findPlanProblems } from './check.ts'
import { getConnectorTarget } from './connectors.ts'
import { findCredentialsToSend } from './credentials.ts'
import { readCurrentState } from './current.ts'
import type { CurrentState } from './current-state.ts'
import { findFileSections } from './fingerprint.ts'
import { DEFAULT_FILE, loadConfig } from './load.ts'
import { findMissingPictures } from './picture-files.ts'
import { planChanges } from './plan.ts'
import { createSecretPathTest, createWithheldPathTest } from './secret-places.ts'
import { type ConfigState, SINGLETON_ID, toDesiredState } from './state.ts'

export const fileOptions = {
  file: {
    type: 'string',
    value: 'FILE',
    help: `Settings file, TypeScript or JSON (default: ${DEFAULT_FILE})`,
  },
  'update-secrets': {
    type: 'boolean',
    help: "Also send secrets of connectors and the storage provider, which we can't compare",
  },
} as const

type Values = {
  origin?: string | undefined
  'client-id'?: string | undefined
  file?: string | undefined
  'update-secrets'?: boolean | undefined
}

export type Plan = Awaited<ReturnType<typeof preparePlan>>

/**
 * Reads the file and the state of the deployment. Returns the changes between them, and the reasons to reject those
 * changes.
 */
export async function preparePlan(values: Values, environment: Environment, terminal: Terminal) {
  const file = values.file ?? DEFAULT_FILE
  const { config, secrets } = await loadConfig(file, environment)
  const deployment = createDeploymentClient(values, environment)
  terminal.status(`Reading ${deployment.origin}…`)
  const current = await readCurrentState(deployment)
  terminal.clearStatus()

  const desired = toDesiredState(config)
  const isSecret = createSecretPathTest(current.factories, current.state, desired)
  const changes = planChanges(current.state, desired, {
    secrets,
    isSecret,
    isWithheld: createWithheldPathTest(current.state, isSecret),
    updateSecrets: values['update-secrets'] === true,
    clientId: deployment.clientId,
  })
  const end = computeResultingState(current.state, desired)
  const missing = await findMissingPictures(changes, path.resolve(environment.folder, file), deployment)
  const planProblems = findPlanProblems(desired, end, changes, {
    ...toExperienceFacts(end, current),
    origin: deployment.origin,
    clientId: deployment.clientId,
    builtInScopes: current.builtInScopes,
    hasOrganizations: current.hasOrganizations,
    factories: current.factories,
    secrets,
  })
  const unset = [
    ...new Set([...secrets.values()].flatMap(({ variable, value }) => (value ? [] : [variable]))),
  ]
  const sections = findFileSections(desired)
  const problems = [...planProblems, ...missing.problems]
  const { pictures } = missing
  const credentials = findCredentialsToSend(changes, desired, secrets)
  return { deployment, current, credentials, sections, secrets, changes, pictures, problems, unset }
}

function toExperienceFacts(end: ConfigState, { environment }: Pick<CurrentState, 'environment'>) {
  const connectors = Object.values(end.connectors)
  const factories = connectors.map(({ connectorId }) => String(connectorId))
  const { demoSocial } = StoredTenantSettings.pick({ demoSocial: true }).parse(end.settings[SINGLETON_ID])
  const isDevelopment = environment === 'development'
  return {
    experience: SignInExperienceSchema.parse({ tenantId: '', id: '', ...end.experience[SINGLETON_ID] }),
    facts: {
      connectors: {
        ...(isDevelopment ? inboxChannels : installedChannels(factories)),
        targets: connectors.flatMap((connector) => getConnectorTarget(connector) ?? []),
      },
      languages: [...builtInLanguages, ...Object.keys(end.phrases)],
    },
    demoTargets: isDevelopment ? toDemos(demoSocial).map(({ target }) => target) : [],
  }
}
