import { z } from 'zod'
import { addedSecondFactorPolicies, secondFactorKinds, secondFactorPolicies } from './settings.ts'

const ClientReach = z.enum(['off', 'limited', 'unlimited'])

/**
 * Facts about the deployment that only the Worker knows (spec/management#doctor). Never contains the value of a secret.
 */
export const DoctorReport = z.object({
  environment: z.enum(['production', 'development']),
  /** In epoch milliseconds. */
  serverTime: z.number(),
  /** The number of hosts in `HOSTS`. */
  hostsConfigured: z.number(),
  /** The tenant's origins: the one of the call first, then those of its other hosts. */
  origins: z.array(z.string()),
  /** The console's own origin, or null if every host of the tenant serves the console (spec/console#own-host). */
  consoleOrigin: z.string().nullable(),
  /** The value of `LOG_RETENTION_DAYS`; with 0, log rows are kept forever. */
  logRetentionDays: z.number(),
  /** Whether each of the optional secrets is set. */
  secrets: z.object({
    ROOT_SECRET_PREVIOUS: z.boolean(),
    MANAGEMENT_CLIENT_SECRET: z.boolean(),
  }),
  bindings: z.object({ SEND_EMAIL: z.boolean(), ASSET_BUCKET: z.boolean(), RATE_LIMITS: z.boolean() }),
  database: z.object({
    kind: z.enum(['D1', 'libSQL']),
    migrations: z.object({
      /** The migrations that the Worker was built with. */
      expected: z.array(z.string()),
      /** Null if the database has no record of them. */
      applied: z.array(z.string()).nullable(),
    }),
  }),
  /** The tenant's applications. */
  applications: z.object({
    /**
     * The number of secrets that are stored unsealed until the schedule seals them (spec/storage#application-secrets).
     */
    unsealedSecrets: z.number(),
    /** The key sets that applications reference by address, at most twenty. */
    keySets: z.array(
      z.object({
        id: z.string(),
        /** Why the key set cannot be read or used, or null if it can. */
        problem: z.string().nullable(),
      }),
    ),
  }),
  /** How much clients may request that no operator has registered; `unlimited` means every resource of the tenant. */
  clients: z.object({ unregistered: ClientReach, selfRegistered: ClientReach }),
  /** The KV namespace of the interactions. */
  interactions: z.object({ isWritable: z.boolean() }),
  connectors: z.array(
    z.object({
      id: z.string(),
      connectorId: z.string(),
      /** What is wrong with the configuration, or null if nothing is. */
      problem: z.string().nullable(),
    }),
  ),
  /** Why uploads fail although a storage provider is set. */
  uploads: z.object({ problem: z.string().nullable() }),
  passkeys: z.object({
    /**
     * The number of labels among the origins that use passkeys, of which browsers accept five; 0 if passkeys are
     * disabled (spec/pages#passkey-addresses).
     */
    relatedLabels: z.number(),
  }),
  secondFactor: z.object({
    policy: z.enum(secondFactorPolicies),
    /** The policies that applications and roles add, each listed once. */
    added: z.array(z.enum(addedSecondFactorPolicies)),
    factors: z.array(z.enum(secondFactorKinds)),
    /** The factors that nobody can prove, because passkeys are disabled or a connector is missing. */
    unavailable: z.array(z.enum(secondFactorKinds)),
    hasBackupCodes: z.boolean(),
    /** Whether codes can be sent to addresses, as the policy `adaptive` requires. */
    sendsCodes: z.boolean(),
    /** Whether this request reveals the country it came from. */
    isPlaceKnown: z.boolean(),
  }),
  signIn: z.object({
    /** Whether any user can sign in (spec/management#tenant-way-in). */
    hasWayIn: z.boolean(),
    /** The rule that the stored experience now violates, for instance because a connector was removed. */
    problem: z.string().nullable(),
  }),
})
