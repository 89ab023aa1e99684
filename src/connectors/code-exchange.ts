import { z } from 'zod'
import { basic } from './call.ts'
import { ConnectorFailure } from './failure.ts'
import type { SocialWorld } from './social.ts'
import { ask, type ProviderAnswer, readForm, readJson } from './social-call.ts'

export const clientAuthentications = ['client_secret_post', 'client_secret_basic'] as const
export type ClientAuthentication = (typeof clientAuthentications)[number]

export type CodeExchange = {
  endpoint: string
  clientId: string
  clientSecret: string
  code: string
  redirectUri: string
  /** PKCE (RFC 7636, 4.5), for providers that know it. */
  codeVerifier?: string | undefined
  authentication?: ClientAuthentication | undefined
  extra?: Record<string, string> | undefined
}

/** The token request of RFC 6749, 4.1.3. A provider that says no to the code is told apart from one that cannot be understood. */
export async function exchangeCode(exchange: CodeExchange, world: SocialWorld): Promise<ProviderAnswer> {
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
  const answer = await ask(
    endpoint,
    {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        // RFC 6749, 2.3.1: both are form-encoded before they are put together.
        ...(isBasic && {
          authorization: basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret)),
        }),
      },
      body: new URLSearchParams(form).toString(),
    },
    world,
  )
  refuseError(answer)
  return answer
}

/** Some say so with 200. */
function refuseError({ status, text }: ProviderAnswer): void {
  if (status >= 500) throw new ConnectorFailure('general', { detail: { status, text: text.slice(0, 500) } })
  const json = z.looseObject({ error: z.unknown() }).safeParse(parsed(text)).data
  const isRefused = status >= 400 || (json?.error !== undefined && json.error !== null)
  if (isRefused) {
    throw new ConnectorFailure('social_auth_code_invalid', { detail: { status, text: text.slice(0, 500) } })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Tokens = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  id_token: z.string().optional(),
})
export type Tokens = z.infer<typeof Tokens>

export const readTokens = (answer: ProviderAnswer): Tokens => readJson(answer, Tokens)
/** As the first providers of OAuth 2 answered, and some still do. */
export const readTokensOfForm = (answer: ProviderAnswer): Tokens => readForm(answer, Tokens)

/** A profile that a token opens; 401 says that it does not. */
export async function askForProfile(
  url: string,
  init: { method?: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  world: SocialWorld,
): Promise<ProviderAnswer> {
  const answer = await ask(url, init, world)
  if (answer.status === 401) throw new ConnectorFailure('social_invalid_access_token')
  if (answer.status >= 400) {
    throw new ConnectorFailure('general', {
      detail: { status: answer.status, text: answer.text.slice(0, 500) },
    })
  }
  return answer
}
