import { z } from 'zod'
import { addressWith } from './address-with.ts'
import { basic } from './call.ts'
import { ConnectorFailure } from './failure.ts'
import type { SocialContext } from './social.ts'
import {
  ask,
  type ProviderAnswer,
  parseForm,
  parseJson,
  REASON_LENGTH,
  readForm,
  readJson,
} from './social-call.ts'

export const clientAuthentications = ['client_secret_post', 'client_secret_basic'] as const
export type ClientAuthentication = (typeof clientAuthentications)[number]

export type CodeExchange = {
  endpoint: string
  /** With GET the parameters are the query, as one of the first providers still documents it. */
  method?: 'GET' | 'POST' | undefined
  clientId: string
  clientSecret: string
  code: string
  redirectUri: string
  /** PKCE (RFC 7636 §4.5), for providers that know it. */
  codeVerifier?: string | undefined
  authentication?: ClientAuthentication | undefined
  extra?: Record<string, string> | undefined
}

/** The token request of RFC 6749 §4.1.3. A provider that says no to the code is told apart from one that cannot be understood. */
export async function exchangeCode(exchange: CodeExchange, context: SocialContext): Promise<ProviderAnswer> {
  const { endpoint, clientId, clientSecret, code, redirectUri, codeVerifier, extra } = exchange
  const isBasic = exchange.authentication === 'client_secret_basic'
  const form = {
    ...extra,
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...(codeVerifier && { code_verifier: codeVerifier }),
    ...(isBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
  }
  const headers = {
    accept: 'application/json',
    // RFC 6749 §2.3.1: both are form-encoded before they are put together.
    ...(isBasic && {
      authorization: basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret)),
    }),
  }
  const answer = await (exchange.method === 'GET'
    ? ask(addressWith(endpoint, form), { headers }, context)
    : ask(
        endpoint,
        {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(form).toString(),
        },
        context,
      ))
  refuseError(answer)
  return answer
}

const TOO_MANY_REQUESTS = 429

/** RFC 6749 §5.2. Some say so with 200, and some of those as a form. */
export function refuseError({ status, text }: ProviderAnswer): void {
  const detail = { status, text: text.slice(0, REASON_LENGTH) }
  if (status >= 500 || status === TOO_MANY_REQUESTS) throw new ConnectorFailure('general', { detail })
  const { error } = WithError.safeParse(parseJson(text) ?? parseForm(text)).data ?? {}
  if (status >= 400 || error) throw new ConnectorFailure('social_auth_code_invalid', { detail })
}

const WithError = z.looseObject({ error: z.unknown() })

const Tokens = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  id_token: z.string().optional(),
})
export type Tokens = z.infer<typeof Tokens>

export const readTokens = (answer: ProviderAnswer): Tokens => readJson(answer, Tokens)
/** As the first providers of OAuth 2 answered, and some still do. */
export const readTokensOfForm = (answer: ProviderAnswer): Tokens => readForm(answer, Tokens)

/** A profile that a token opens, or not: most say that with 401. */
export async function askForProfile(
  url: string,
  init: { method?: 'GET' | 'POST'; headers: Record<string, string> },
  context: SocialContext,
  invalidToken: readonly number[] = [401],
): Promise<ProviderAnswer> {
  const answer = await ask(url, init, context)
  const { status, text } = answer
  if (status < 400) return answer
  throw new ConnectorFailure(invalidToken.includes(status) ? 'social_invalid_access_token' : 'general', {
    detail: { status, text: text.slice(0, REASON_LENGTH) },
  })
}
