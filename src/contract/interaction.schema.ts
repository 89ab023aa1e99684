import { z } from 'zod'
import { identifierTypes, interactionEvents } from './identifiers.ts'
import { flashPhrases, type Interaction, type NavigationState } from './interaction.ts'

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
  connectorSession: z
    .object({
      connectorId: z.string(),
      state: z.string(),
      redirectUri: z.string(),
      kept: z.record(z.string(), z.string()),
    })
    .optional(),
  afterReset: z.string().optional(),
})

const Address = z.string().max(128)
/** Our own messages are sentences: it is a bound for a cookie. */
const PROBLEM_MAX_LENGTH = 512

/** Navigation state as the client may set it (decision 7). */
export const StepBody: z.ZodType<NavigationState> = z.object({
  identifier: z.object({ type: z.enum(identifierTypes), value: Address }).optional(),
  registeredSocialIdentity: z.object({ email: Address.optional(), phone: Address.optional() }).optional(),
  relatedUser: z.object({ type: z.enum(['email', 'phone']), value: Address }).optional(),
  event: z.enum(['SignIn', 'Register']).optional(),
  hasAgreed: z.literal(true).optional(),
  flash: z.enum(flashPhrases).optional(),
  problem: z.string().max(PROBLEM_MAX_LENGTH).optional(),
})
