import { z } from 'zod'
import { SentMessageSchema } from '../connectors/message-log.schema.ts'
import {
  addedSecondFactorPolicies,
  passwordRuleSets,
  secondFactorKinds,
  secondFactorPolicies,
} from './settings.ts'

const ClientReach = z.enum(['off', 'limited', 'unlimited'])

/**
 * Facts about the deployment that only the Worker knows (spec/management#doctor). They never contain the value of a
 * secret.
 */
export const DoctorReport = z.object({
  /** The version of Vestibule that runs, as in CHANGELOG.md. */
  version: z.string(),
  environment: z.enum(['production', 'development']),
  /** The server's time, in epoch milliseconds. */
  serverTime: z.number(),
  /** The number of hosts in `HOSTS`. */
  hostsConfigured: z.number(),
  /** The tenant's origins, starting with that of the request. */
  origins: z.array(z.string()),
  /**
   * The origin of the console's own host, or null if every host of the tenant serves the console
   * (spec/console#own-host).
   */
  consoleOrigin: z.string().nullable(),
  /** The value of `LOG_RETENTION_DAYS`; with 0, log rows are kept forever. */
  logRetentionDays: z.number(),
  /** For each of the optional secrets, tells whether it is set. */
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
      /** The migrations that the database has applied, or null if it has no record of them. */
      applied: z.array(z.string()).nullable(),
    }),
    /**
     * The times at which the newest applied migration was generated and applied, in epoch milliseconds. They are null
     * if nothing has recorded them, and `unreadable` if the entry is damaged (spec/storage#system-configuration).
     */
    alterationState: z
      .union([z.object({ timestamp: z.number(), updatedAt: z.number().optional() }), z.literal('unreadable')])
      .nullable(),
  }),
  /** The tenant's applications. */
  applications: z.object({
    /**
     * The number of secrets that are still stored unsealed. Scheduled maintenance seals them
     * (spec/storage#application-secrets).
     */
    unsealedSecrets: z.number(),
    /** The key sets to which applications refer by URL, at most twenty. */
    keySets: z.array(
      z.object({
        id: z.string(),
        /** The reason why the key set cannot be fetched or used, or null if it can. */
        problem: z.string().nullable(),
      }),
    ),
  }),
  /**
   * The access that unregistered and self-registered clients may request. `unlimited` means every resource of the
   * tenant.
   */
  clients: z.object({ unregistered: ClientReach, selfRegistered: ClientReach }),
  /** Facts about the KV namespace that stores interactions. */
  interactions: z.object({ isWritable: z.boolean() }),
  connectors: z.array(
    z.object({
      id: z.string(),
      connectorId: z.string(),
      /** The problem with the connector's configuration, or null if there is none. */
      problem: z.string().nullable(),
      /** The newest message of this kind of connector, if it was not sent (spec/management#messages-sent). */
      lastFailure: SentMessageSchema.pick({
        error: true,
        reason: true,
        answer: true,
        createdAt: true,
      }).nullable(),
    }),
  ),
  /** The reason why uploads fail although a storage provider is configured. */
  uploads: z.object({ problem: z.string().nullable() }),
  /** The checks of new passwords (spec/accounts#password-policy). */
  passwords: z.object({
    rules: z.enum(passwordRuleSets),
    /** True if both the tenant and the deployment look up passwords that are known from breaches. */
    checksBreaches: z.boolean(),
  }),
  passkeys: z.object({
    /**
     * The number of different labels among the origins that use passkeys, or 0 if passkeys are disabled. Browsers
     * accept five labels (spec/pages#passkey-addresses).
     */
    relatedLabels: z.number(),
  }),
  secondFactor: z.object({
    policy: z.enum(secondFactorPolicies),
    /** The distinct second-factor policies that applications, roles and the setting for administrators add. */
    added: z.array(z.enum(addedSecondFactorPolicies)),
    /** The administrator roles, at most twenty, that let users sign in without a second factor. */
    uncoveredAdministratorRoles: z.array(z.string()),
    factors: z.array(z.enum(secondFactorKinds)),
    /** The factors that no user can prove, because passkeys are disabled or a connector is missing. */
    unavailable: z.array(z.enum(secondFactorKinds)),
    hasBackupCodes: z.boolean(),
    /** True if codes can be sent to addresses, as the policy `adaptive` requires. */
    sendsCodes: z.boolean(),
    /** True if the platform reports the country of this request. */
    isPlaceKnown: z.boolean(),
  }),
  signIn: z.object({
    /** True if any user can sign in (spec/management#tenant-way-in). */
    hasWayIn: z.boolean(),
    /**
     * The rule that the stored experience currently violates, for instance because a connector was removed, or null.
     */
    problem: z.string().nullable(),
  }),
})
