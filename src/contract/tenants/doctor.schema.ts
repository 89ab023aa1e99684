import { z } from 'zod'
import { addedSecondFactorPolicies, secondFactorKinds, secondFactorPolicies } from './settings.ts'

const ClientReach = z.enum(['off', 'limited', 'unlimited'])

/** Facts that only the Worker knows about its deployment (spec/management#doctor); never the value of a secret. */
export const DoctorReport = z.object({
  environment: z.enum(['production', 'development']),
  /** Epoch milliseconds. */
  serverTime: z.number(),
  /** The number of hosts in `HOSTS`. */
  hostsConfigured: z.number(),
  /** Where the tenant answers: the origin of the call, then those of its other hosts. */
  origins: z.array(z.string()),
  /** The console's own (spec/console#own-host); null where it is at each of the tenant's. */
  consoleOrigin: z.string().nullable(),
  /** `LOG_RETENTION_DAYS`; 0 keeps the rows of the logs for good. */
  logRetentionDays: z.number(),
  /** Which of the optional secrets are set. */
  secrets: z.object({
    ROOT_SECRET_PREVIOUS: z.boolean(),
    MANAGEMENT_CLIENT_SECRET: z.boolean(),
  }),
  bindings: z.object({ SEND_EMAIL: z.boolean(), ASSET_BUCKET: z.boolean(), RATE_LIMITS: z.boolean() }),
  database: z.object({
    kind: z.enum(['D1', 'libSQL']),
    migrations: z.object({
      /** Those the Worker was built with. */
      expected: z.array(z.string()),
      /** Null when the database has no record of them. */
      applied: z.array(z.string()).nullable(),
    }),
  }),
  /** Of the tenant. */
  applications: z.object({
    /** Secrets that stand open in the database until the schedule seals them (spec/storage#application-secrets). */
    unsealedSecrets: z.number(),
    /** The key sets that applications name by address, twenty at most. */
    keySets: z.array(
      z.object({
        id: z.string(),
        /** Why it cannot be read or used; null when it can. */
        problem: z.string().nullable(),
      }),
    ),
  }),
  /** How far clients that no operator has registered may go; `unlimited`: at every resource of the tenant. */
  clients: z.object({ unregistered: ClientReach, selfRegistered: ClientReach }),
  /** The KV namespace of the interactions. */
  interactions: z.object({ isWritable: z.boolean() }),
  connectors: z.array(
    z.object({
      id: z.string(),
      connectorId: z.string(),
      /** What is wrong with its configuration; null when nothing is. */
      problem: z.string().nullable(),
    }),
  ),
  /** Why uploads fail although a storage provider is set. */
  uploads: z.object({ problem: z.string().nullable() }),
  passkeys: z.object({
    /** Labels of the origins that use them, of which browsers take five; 0 where they are not enabled (spec/pages#passkey-addresses). */
    relatedLabels: z.number(),
  }),
  secondFactor: z.object({
    policy: z.enum(secondFactorPolicies),
    /** What applications and roles ask for on top, each once. */
    added: z.array(z.enum(addedSecondFactorPolicies)),
    factors: z.array(z.enum(secondFactorKinds)),
    /** Of the factors, those that nobody can prove: without passkeys, or a connector. */
    unavailable: z.array(z.enum(secondFactorKinds)),
    hasBackupCodes: z.boolean(),
    /** Whether codes can be sent to addresses, as `adaptive` needs them. */
    sendsCodes: z.boolean(),
    /** Whether this request says from which country it comes. */
    isPlaceKnown: z.boolean(),
  }),
  signIn: z.object({
    /** Whether any user can sign in (spec/management#tenant-way-in). */
    hasWayIn: z.boolean(),
    /** The rule by which the stored experience would be refused now, for instance because a connector was removed. */
    problem: z.string().nullable(),
  }),
})
