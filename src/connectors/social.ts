import { z } from 'zod'
import type { FormItem } from '../contract/connectors.ts'
import { Email, Phone } from '../contract/identifiers.schema.ts'
import { IDENTIFIER_MAX_LENGTH } from '../contract/identifiers.ts'
import type { SocialProfile } from '../contract/interaction.ts'
import type { SocialFactoryId } from '../contract/social-connectors.ts'
import { WebAddress } from '../contract/text.schema.ts'
import { ConnectorFailure } from './failure.ts'
import { type ConnectorContext, parseConfig } from './message.ts'

/** The one contract of everything one can sign in with (style 17). Read one connector and you have read them all. */

export type AuthorizationRequest = { state: string; redirectUri: string }

export type Authorization = {
  /** Where the browser goes. */
  uri: string
  /** Kept, sealed, until the visitor returns: a nonce, a PKCE verifier. */
  kept?: Record<string, string>
}

/** With what the visitor came back. */
export type Callback = {
  /** The parameters of the callback, query and fragment alike. Anybody can have written them. */
  data: Readonly<Record<string, unknown>>
  redirectUri: string
  kept: Readonly<Record<string, string>>
}

/** `fetch` and the time are passed in; `random` makes values nobody can guess: at least 128 bits, URL-safe. */
export type SocialContext = Pick<ConnectorContext, 'fetch' | 'now' | 'timeout' | 'allowPrivateTargets'> & {
  /** When all calls of one visit to the provider are to be over, whatever each of them may take. */
  deadline?: AbortSignal
  random(): string
}

type Definition<Config> = {
  factoryId: SocialFactoryId
  description: Record<string, string>
  config: z.ZodType<Config>
  formItems: readonly FormItem[]
  authorizationUri(
    config: Config,
    request: AuthorizationRequest,
    context: SocialContext,
  ): Authorization | Promise<Authorization>
  profile(config: Config, callback: Callback, context: SocialContext): Promise<SocialProfile>
}

export type SocialConnector = Omit<Definition<unknown>, 'authorizationUri' | 'profile'> & {
  /** Both judge the configuration first and throw a ConnectorFailure for whatever goes wrong. */
  authorizationUri(
    config: unknown,
    request: AuthorizationRequest,
    context: SocialContext,
  ): Promise<Authorization>
  profile(config: unknown, callback: Callback, context: SocialContext): Promise<SocialProfile>
}

export function socialConnector<Config>(definition: Definition<Config>): SocialConnector {
  return {
    ...definition,
    async authorizationUri(config, request, context) {
      return definition.authorizationUri(parseConfig(definition, config), request, context)
    },
    async profile(config, callback, context) {
      const profile = await definition.profile(parseConfig(definition, config), callback, context)
      if (!profile.id) throw new ConnectorFailure('invalid_response', { detail: 'the account has no id' })
      if (profile.id.length > ID_MAX_LENGTH)
        throw new ConnectorFailure('invalid_response', { detail: 'the id of the account is too long' })
      return storable(profile)
    },
  }
}

/** As long as `user_identities` takes it. */
const ID_MAX_LENGTH = 256

const Name = z.string().trim().min(1)

/** Providers have other ideas of what an address is, or of how long a name may be; what does not fit here is left out. */
function storable({ id, name, email, phone, avatar }: SocialProfile): SocialProfile {
  const named = Name.safeParse(name?.slice(0, IDENTIFIER_MAX_LENGTH).toWellFormed().replaceAll('\0', ''))
  return {
    id,
    ...(Email.safeParse(email).success && { email }),
    ...(Phone.safeParse(phone).success && { phone }),
    ...(named.success && { name: named.data }),
    ...(WebAddress.safeParse(avatar).success && { avatar }),
  }
}

/** That the visitor said no: as RFC 6749 has it, as LinkedIn and as Apple. */
const denials = new Set(['access_denied', 'user_cancelled_login', 'user_cancelled_authorize'])

/** What the provider sent the visitor back with, or the refusal it sent them back with (RFC 6749 §4.1.2.1). */
export function authorizationCode({ data }: Callback, key = 'code'): string {
  const { error, error_description: description } = data
  if (typeof error === 'string' && error !== '') {
    throw new ConnectorFailure(denials.has(error) ? 'authorization_failed' : 'general', {
      data: { error, ...(typeof description === 'string' && { error_description: description }) },
    })
  }
  const code = data[key]
  if (typeof code === 'string' && code !== '') return code
  throw new ConnectorFailure('general', { data: { error: `the callback has no ${key}` } })
}
