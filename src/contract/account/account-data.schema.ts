import { z } from 'zod'
import { Consent } from '../applications/consents.schema.ts'
import { PasskeySchema } from '../passkeys/passkeys.schema.ts'
import { SessionSchema } from '../sessions/sessions.schema.ts'
import { User } from '../users/users.schema.ts'
import { TrustedBrowserSchema } from './account.schema.ts'

const Time = z.number().meta({ description: 'Milliseconds since 1970-01-01T00:00:00Z.' })

/** An entry of the audit log about the user. */
const Activity = z.object({
  id: z.string(),
  key: z.string().meta({ description: 'What it is about; docs/spec/management.md lists the keys.' }),
  createdAt: Time,
  details: z.record(z.string(), z.unknown()).meta({
    description: 'The result, and what else was recorded. Of what an operator did, without the operator.',
  }),
})

/** Everything that is stored about a user (spec/account-centre#data); secrets are left out. */
export const AccountData = z
  .object({
    $schema: z.string().meta({ description: 'The address of this schema.' }),
    createdAt: z.string().meta({ description: 'When the file was made (ISO 8601).' }),
    user: User,
    hasPassword: z.boolean(),
    roles: z.array(z.string()),
    passkeys: z.array(PasskeySchema),
    authenticatorApp: z.object({ createdAt: Time, lastUsedAt: Time.nullable() }).nullable(),
    backupCodesLeft: z.int(),
    sessions: z.array(SessionSchema),
    browsers: z.array(TrustedBrowserSchema).meta({
      description: 'Browsers in which the user signed in, and until when one is remembered.',
    }),
    consents: z.array(Consent),
    grants: z
      .array(z.object({ applicationId: z.string().nullable(), createdAt: Time, expiresAt: Time }))
      .meta({ description: 'Applications that got tokens for the user.' }),
    identitiesSince: z.array(z.object({ target: z.string(), at: Time })).meta({
      description: 'When an account at a provider was linked to an account that was there already.',
    }),
    addressChanges: z
      .array(z.object({ type: z.enum(['email', 'phone']), previous: z.string().nullable(), at: Time }))
      .meta({ description: 'Changes of addresses, for a month; the address of before for some days.' }),
    formerIdentifiers: z.array(z.object({ value: z.string(), wasHeld: z.boolean(), at: Time })).meta({
      description:
        'Names and addresses of before, and addresses that got a code and were not confirmed: by these a deletion finds what is left.',
    }),
    putOff: z
      .object({
        passkeyTimes: z.int(),
        passkeyAt: Time.nullable(),
        secondFactorAt: z.array(Time),
      })
      .meta({ description: 'How often, and when, the user put off a passkey and a second factor.' }),
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
          'The last sign-in from each country (ISO 3166-1; `XX` where it was not known), with coordinates rounded to ten kilometres.',
      }),
    lastActiveDay: z.string().nullable(),
    activity: z.array(Activity).meta({ description: 'The audit log about the user, newest first.' }),
  })
  .meta({ title: 'Data of an account', description: 'Everything that is stored about a user.' })

export type AccountData = z.infer<typeof AccountData>

/** As JSON Schema, draft 2020-12. */
export const accountDataSchema = (id: string): object => ({ $id: id, ...z.toJSONSchema(AccountData) })
