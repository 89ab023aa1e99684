import { z } from 'zod'

/** What only the Worker can know about itself (GET /configs/doctor). Facts, no judgements, and never a secret's value. */
export const DoctorReport = z.object({
  environment: z.enum(['production', 'development']),
  /** Epoch milliseconds. */
  serverTime: z.number(),
  /** How many hosts `HOSTS` names. */
  hostsConfigured: z.number(),
  /** Which of the optional secrets are there. */
  secrets: z.object({
    ROOT_SECRET_PREVIOUS: z.boolean(),
    MANAGEMENT_CLIENT_SECRET: z.boolean(),
  }),
  bindings: z.object({ SEND_EMAIL: z.boolean(), ASSET_BUCKET: z.boolean() }),
  database: z.object({
    kind: z.enum(['D1', 'libSQL']),
    migrations: z.object({
      /** What the Worker was built with. */
      expected: z.array(z.string()),
      /** Null when the database does not say. */
      applied: z.array(z.string()).nullable(),
    }),
  }),
  /** KV, where interactions in progress are kept. */
  interactions: z.object({ isWritable: z.boolean() }),
  connectors: z.array(
    z.object({
      id: z.string(),
      connectorId: z.string(),
      /** What is wrong with its configuration, if anything. */
      problem: z.string().nullable(),
    }),
  ),
  /** Why nothing can be uploaded although a storage provider is set. */
  uploads: z.object({ problem: z.string().nullable() }),
  signIn: z.object({
    /** Whether anybody can get in at all. */
    hasWayIn: z.boolean(),
    /** Why the stored experience would be refused today, e.g. because a connector it needs is gone. */
    problem: z.string().nullable(),
  }),
})
