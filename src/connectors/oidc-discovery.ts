import { z } from 'zod'
import { ConnectorFailure } from './failure.ts'
import { WebEndpoint } from './fields.ts'
import type { SocialContext } from './social.ts'
import { ask, readJson } from './social-call.ts'

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: WebEndpoint,
  token_endpoint: WebEndpoint,
  jwks_uri: WebEndpoint,
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
export type Metadata = z.infer<typeof Metadata>

const REMEMBERED = 10 * 60_000 // ms; ours
const MOST_ISSUERS = 100

const known = new Map<string, { readAt: number; metadata: Metadata }>()

/** What an OpenID Provider publishes about itself (OpenID Connect Discovery 1.0, 4). */
export async function discover(issuer: string, context: SocialContext): Promise<Metadata> {
  const found = known.get(issuer)
  if (found && context.now() - found.readAt < REMEMBERED) return found.metadata

  const answer = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {}, context)
  if (answer.status !== 200) throw new ConnectorFailure('general', { detail: { status: answer.status } })
  const metadata = readJson(answer, Metadata)
  // Discovery 1.0, 4.3: whoever publishes for another issuer is not to be believed.
  if (metadata.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) {
    throw new ConnectorFailure('invalid_response', { detail: 'the metadata is of another issuer' })
  }
  known.delete(issuer)
  known.set(issuer, { readAt: context.now(), metadata })
  const [oldest] = known.keys()
  if (known.size > MOST_ISSUERS && oldest !== undefined) known.delete(oldest)
  return metadata
}
