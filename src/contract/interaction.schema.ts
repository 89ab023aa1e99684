import { z } from 'zod'
import { identifierTypes, interactionEvents } from './identifiers.ts'
import { type Interaction, type Step, toldPhrases } from './interaction.ts'

const SocialProfile = z.object({
  id: z.string(),
  email: z.string().optional(),
  phone: z.string().optional(),
  name: z.string().optional(),
  avatar: z.string().optional(),
})

const Proof = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account'), userId: z.string(), provenAt: z.number() }),
  z.object({ kind: z.literal('email'), value: z.string() }),
  z.object({ kind: z.literal('phone'), value: z.string() }),
  z.object({ kind: z.literal('social'), connectorId: z.string(), profile: SocialProfile }),
])

/** A stored record; what does not parse counts as absent (decision 2). */
export const StoredInteraction: z.ZodType<Interaction> = z.object({
  event: z.enum(interactionEvents),
  proofs: z.array(Proof),
  profile: z
    .object({
      username: z.string().optional(),
      email: z.string().optional(),
      phone: z.string().optional(),
      connectorId: z.string().optional(),
      password: z.string().optional(),
    })
    .optional(),
  accountId: z.string().optional(),
  connectorSession: z.record(z.string(), z.unknown()).optional(),
  afterReset: z.string().optional(),
})

const Address = z.string().max(128)

/** Navigation state as the client may set it (decision 7). */
export const StepBody: z.ZodType<Step> = z.object({
  identifier: z.object({ type: z.enum(identifierTypes), value: Address }).optional(),
  registeredSocialIdentity: z.object({ email: Address.optional(), phone: Address.optional() }).optional(),
  relatedUser: z.object({ type: z.enum(['email', 'phone']), value: Address }).optional(),
  event: z.enum(['SignIn', 'Register']).optional(),
  told: z.enum(toldPhrases).optional(),
})
