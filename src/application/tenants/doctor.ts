import type { z } from 'zod'
import type { SentMessage } from '../../contract/connectors/message-log.schema.ts'
import { isRefusal } from '../../contract/refused.ts'
import type { DoctorReport } from '../../contract/tenants/doctor.schema.ts'
import type { AddedSecondFactorPolicy, SecondFactorKind } from '../../contract/tenants/settings.ts'
import { version } from '../../contract/version.ts'
import {
  checkExperiencePatch,
  type InstalledConnectors,
} from '../../domain/experience/experience-settings.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import { countRelatedLabels } from '../../domain/passkeys/related-labels.ts'
import { pick } from '../../domain/pick.ts'
import { dedicatedConsoleOrigin, tenantOrigins } from '../../domain/tenants/hosts.ts'
import { allowsSignIn } from '../../domain/tenants/tenant-sign-in-check.ts'
import { createUploadStorage } from '../../outbound/uploads/index.ts'
import { unsealedSecretsQuery } from '../../storage/applications/application-secrets.ts'
import { keySetsQuery } from '../../storage/applications/applications.ts'
import { readTogether } from '../../storage/batches.ts'
import { type ConnectorRow, connectorsQuery, unsealConnector } from '../../storage/connectors/connectors.ts'
import { customLanguagesQuery } from '../../storage/experience/custom-phrases.ts'
import { experienceQuery } from '../../storage/experience/experience.ts'
import { anyBackupCodeQuery } from '../../storage/factors/factors.ts'
import {
  addedPoliciesQuery,
  uncoveredAdministratorRolesQuery,
} from '../../storage/factors/second-factor-policies.ts'
import {
  alterationStateQuery,
  expectedMigrations,
  parseAlterationState,
  readAppliedMigrations,
} from '../../storage/migrations.ts'
import { describeMessage, lastMessagesQuery } from '../../storage/service-logs.ts'
import { parseDemoSocialSetting, settingsQuery } from '../../storage/tenants/settings.ts'
import { readKeySet } from '../applications/read-key-set.ts'
import { configFailure } from '../connectors/config.ts'
import { findFactory } from '../connectors/describe.ts'
import type { Dependencies } from '../dependencies.ts'
import { toExperienceFacts } from '../experience/change.ts'
import { tenantNetwork } from '../network-limit.ts'

type Report = z.infer<typeof DoctorReport>

type DoctorDependencies = Pick<
  Dependencies,
  'db' | 'settings' | 'network' | 'floodLimits' | 'interactions' | 'now' | 'tenantSettings' | 'seals'
>

/**
 * Reports facts that only the server knows. The report neither rates them nor contains any secrets
 * (spec/management#doctor).
 */
export async function createDoctorReport(
  dependencies: DoctorDependencies,
  tenantId: string,
  request: { origin: string; place: SignInPlace },
): Promise<Report> {
  const { db, settings, network, interactions, now, floodLimits, tenantSettings } = dependencies
  const [stored, applied, isWritable] = await Promise.all([
    readTogether(db, {
      experience: experienceQuery(db, tenantId),
      connectors: connectorsQuery(db, tenantId),
      languages: customLanguagesQuery(db, tenantId),
      settings: settingsQuery(db, tenantId),
      unsealed: unsealedSecretsQuery(db, tenantId),
      keySets: keySetsQuery(db, tenantId),
      backupCodes: anyBackupCodeQuery(db, tenantId),
      policies: addedPoliciesQuery(db, tenantId),
      uncovered: uncoveredAdministratorRolesQuery(db, tenantId),
      alteration: alterationStateQuery(db),
      lastMessages: lastMessagesQuery(db, tenantId),
    }),
    readAppliedMigrations(db, settings),
    interactions.probe().then(
      () => true,
      () => false,
    ),
  ])
  const { connectors, languages } = stored
  const [experience] = stored.experience
  const demos = await parseDemoSocialSetting(stored.settings[0]?.value ?? null)
  const facts = toExperienceFacts(settings, { connectors, languages, demos })
  const verdict = experience && checkExperiencePatch(experience, experience, facts)
  return {
    version,
    environment: settings.environment,
    serverTime: now(),
    hostsConfigured: settings.hosting.hosts.byHost.size + settings.hosting.hosts.bases.length,
    origins: tenantOrigins(tenantId, new URL(request.origin), settings.hosting),
    consoleOrigin: dedicatedConsoleOrigin(tenantId, new URL(request.origin), settings.hosting),
    logRetentionDays: settings.logRetentionDays,
    secrets: {
      ROOT_SECRET_PREVIOUS: settings.rootSecretPrevious !== undefined,
      MANAGEMENT_CLIENT_SECRET: settings.managementClientSecret !== undefined,
    },
    bindings: {
      SEND_EMAIL: network.sendEmail !== undefined,
      ASSET_BUCKET: network.assetBucket !== undefined,
      RATE_LIMITS: Object.values(floodLimits).every((bound) => bound !== undefined),
    },
    database: {
      kind: settings.libsql ? 'libSQL' : 'D1',
      migrations: { expected: [...expectedMigrations], applied },
      alterationState: parseAlterationState(stored.alteration[0]?.value),
    },
    applications: {
      unsealedSecrets: stored.unsealed[0]?.count ?? 0,
      keySets: await examineKeySets(dependencies, stored.keySets),
    },
    clients: clientReach(await tenantSettings.get(tenantId)),
    interactions: { isWritable },
    connectors: await Promise.all(
      connectors.map((row) => examineConnector(dependencies, row, stored.lastMessages.map(describeMessage))),
    ),
    uploads: { problem: await uploadProblem(dependencies, tenantId) },
    ...(await factorReport(dependencies, tenantId, {
      ...request,
      codes: facts.connectors,
      added: stored.policies.map(({ policy }) => policy),
      uncovered: stored.uncovered.map(({ name }) => name),
      hasBackupCodes: stored.backupCodes.length > 0,
    })),
    signIn: {
      hasWayIn: experience !== undefined && allowsSignIn(experience, facts.connectors),
      problem: isRefusal(verdict) ? verdict.code : null,
    },
  }
}

async function uploadProblem(dependencies: DoctorDependencies, tenantId: string): Promise<string | null> {
  const { storageProvider, allowPrivateTargets } = await dependencies.tenantSettings.get(tenantId)
  const reach = { allowPrivateTargets, assetBucket: tenantNetwork(dependencies, tenantId).assetBucket }
  const problem = storageProvider && createUploadStorage(storageProvider).problem(reach)
  return problem ? `storageProvider.${problem.field} ${problem.message}` : null
}

async function examineConnector(
  dependencies: DoctorDependencies,
  row: ConnectorRow,
  lastMessages: readonly SentMessage[],
): Promise<Report['connectors'][number]> {
  const { id, connectorId } = row
  const failed = lastMessages.find(({ factoryId, result }) => factoryId === connectorId && result === 'Error')
  const lastFailure = failed ? pick(failed, ['error', 'reason', 'answer', 'createdAt']) : null
  return { id, connectorId, problem: await connectorProblem(dependencies, row), lastFailure }
}

async function connectorProblem(dependencies: DoctorDependencies, row: ConnectorRow): Promise<string | null> {
  const factory = findFactory(row.connectorId)
  if (!factory) return 'This version of Vestibule does not know this kind of connector.'
  try {
    const { config } = await unsealConnector(dependencies.seals, row)
    const failure = configFailure(dependencies, factory, config)
    return failure && `Its configuration is not accepted: ${JSON.stringify(failure.data?.issues)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type Ceiling = { enabled: boolean; resources: readonly string[] | null }

function clientReach({
  unregisteredClients,
  clientRegistration,
}: Record<'unregisteredClients' | 'clientRegistration', Ceiling>): Report['clients'] {
  const reachOf = ({ enabled, resources }: Ceiling) => {
    if (!enabled) return 'off'
    return resources === null ? 'unlimited' : 'limited'
  }
  return { unregistered: reachOf(unregisteredClients), selfRegistered: reachOf(clientRegistration) }
}

type Facts = {
  origin: string
  place: SignInPlace
  codes: Pick<InstalledConnectors, 'email' | 'phone'>
  /** The second-factor policies of applications and roles. */
  added: readonly AddedSecondFactorPolicy[]
  /** The administrator roles without the policy `required`. */
  uncovered: readonly string[]
  hasBackupCodes: boolean
}

/** Reports on passwords, passkeys and second factors (spec/management#doctor). */
async function factorReport(
  { settings, tenantSettings }: Pick<Dependencies, 'settings' | 'tenantSettings'>,
  tenantId: string,
  { origin, place, codes, added, uncovered, hasBackupCodes }: Facts,
) {
  const { passkeys, secondFactor, passwordPolicy } = await tenantSettings.get(tenantId)
  const { policy, factors } = secondFactor
  const isAvailable: Record<SecondFactorKind, boolean> = {
    totp: true,
    passkey: passkeys.enabled,
    email: codes.email,
    phone: codes.phone,
  }
  const origins = tenantOrigins(tenantId, new URL(origin), settings.hosting)
  return {
    passwords: {
      rules: passwordPolicy.rules,
      checksBreaches: passwordPolicy.haveIBeenPwned && settings.breachedPasswordsUrl !== null,
    },
    passkeys: { relatedLabels: passkeys.enabled ? countRelatedLabels(origins) : 0 },
    secondFactor: {
      policy,
      added: [...added],
      uncoveredAdministratorRoles: policy === 'required' ? [] : [...uncovered],
      factors,
      unavailable: factors.filter((factor) => !isAvailable[factor]),
      hasBackupCodes,
      sendsCodes: codes.email || codes.phone,
      isPlaceKnown: place.country !== null,
    },
  }
}

/** Fetches clients' key sets as the provider would (spec/provider#client-keys). */
const examineKeySets = (
  dependencies: Pick<Dependencies, 'network' | 'settings' | 'now'>,
  sets: readonly { id: string; address: string }[],
): Promise<{ id: string; problem: string | null }[]> =>
  Promise.all(
    sets.map(async ({ id, address }) => {
      const { keys } = await readKeySet(address, dependencies)
      return { id, problem: typeof keys === 'string' ? keys : null }
    }),
  )
