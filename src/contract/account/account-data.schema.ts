import { z } from 'zod'
import { Consent } from '../applications/consents.schema.ts'
import { membershipSources } from '../organisations/organizations.ts'
import { PasskeySchema } from '../passkeys/passkeys.schema.ts'
import { SessionSchema } from '../sessions/sessions.schema.ts'
import { User } from '../users/users.schema.ts'
import { TrustedBrowserSchema } from './account.schema.ts'

const Time = z.number().meta({ description: 'Milliseconds since 1970-01-01T00:00:00Z.' })

const Source = z.enum(membershipSources)

/** An audit log entry about the user. */
const Activity = z.object({
  id: z.string(),
  key: z.string().meta({ description: 'The kind of event; docs/spec/management.md lists the keys.' }),
  createdAt: Time,
  details: z.record(z.string(), z.unknown()).meta({
    description: 'The result and further details. Events caused by an operator do not name the operator.',
  }),
})

/** Everything that is stored about a user, except secrets (spec/account-centre#data). */
export const AccountData = z
  .object({
    $schema: z.string().meta({ description: 'The address of this schema.' }),
    createdAt: z.string().meta({ description: 'When the file was created (ISO 8601).' }),
    user: User,
    hasPassword: z.boolean(),
    passwordChangedAt: Time.nullable().meta({ description: 'Null if the time is unknown.' }),
    roles: z.array(z.string()),
    passkeys: z.array(PasskeySchema),
    authenticatorApp: z.object({ createdAt: Time, lastUsedAt: Time.nullable() }).nullable(),
    backupCodesLeft: z.int(),
    sessions: z.array(SessionSchema),
    browsers: z.array(TrustedBrowserSchema).meta({
      description: 'Browsers in which the user signed in, and until when each one is remembered.',
    }),
    consents: z.array(Consent),
    grants: z
      .array(z.object({ applicationId: z.string().nullable(), createdAt: Time, expiresAt: Time }))
      .meta({ description: 'Applications that received tokens for the user.' }),
    identitiesSince: z.array(z.object({ target: z.string(), at: Time })).meta({
      description: 'When an account at a provider was linked to this account after registration.',
    }),
    addressChanges: z
      .array(z.object({ type: z.enum(['email', 'phone']), previous: z.string().nullable(), at: Time }))
      .meta({
        description: 'Address changes of the last month; the previous address is kept for some days.',
      }),
    formerIdentifiers: z.array(z.object({ value: z.string(), wasHeld: z.boolean(), at: Time })).meta({
      description:
        'Former names and addresses, and addresses that were sent a code but never confirmed. A deletion uses them to find remaining data.',
    }),
    invitations: z
      .array(z.object({ email: z.string().nullable(), createdAt: Time, acceptedAt: Time.nullable() }))
      .meta({ description: 'Invitations that the user has accepted in the last weeks.' }),
    organizations: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          roles: z.array(z.object({ id: z.string(), name: z.string(), sources: z.array(Source) })),
          sources: z.array(Source),
          joinedAt: Time,
          usedAt: Time.nullable(),
        }),
      )
      .meta({
        description:
          'The organizations to which the user belongs, and when the user last changed to each of them.',
      }),
    createdOrganizations: z
      .array(z.object({ id: z.string(), name: z.string(), createdAt: Time }))
      .meta({ description: 'Organizations that the user has created, also those that the user has left.' }),
    organizationInvitations: z
      .array(
        z.object({
          organizationId: z.string(),
          email: z.string(),
          createdAt: Time,
          acceptedAt: Time.nullable(),
        }),
      )
      .meta({ description: 'Invitations to organizations that the user has accepted in the last weeks.' }),
    formerOrganizations: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .meta({ description: 'Organizations that the user has left or was removed from.' }),
    putOff: z
      .object({
        passkeyTimes: z.int(),
        passkeyAt: Time.nullable(),
        secondFactorAt: z.array(Time),
      })
      .meta({
        description: 'How often and when the user put off creating a passkey or setting up a second factor.',
      }),
    signInPlaces: z
      .array(
        z.object({
          country: z.string(),
          latitude: z.number().nullable(),
          longitude: z.number().nullable(),
          at: Time,
        }),
      )
      .meta({
        description:
          'The last sign-in from each country (ISO 3166-1; `XX` if unknown), with coordinates rounded to ten kilometres.',
      }),
    lastActiveDay: z.string().nullable(),
    activity: z.array(Activity).meta({ description: 'The audit log entries about the user, newest first.' }),
  })
  .meta({ title: 'Data of an account', description: 'Everything that is stored about a user.' })

export type AccountData = z.infer<typeof AccountData>

/** Returns the JSON Schema (draft 2020-12) of the file that users download. */
export const accountDataSchema = (id: string): object => ({ $id: id, ...z.toJSONSchema(AccountData) })
