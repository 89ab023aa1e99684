import { z } from 'zod'
import type { FormItem } from '../../contract/connectors/connectors.ts'
import { Email, NewPhone } from '../../contract/interactions/identifiers.schema.ts'
import { IDENTIFIER_MAX_LENGTH } from '../../contract/interactions/identifiers.ts'
import type { SocialProfile } from '../../contract/interactions/interaction.ts'
import type { ProfileRemark } from '../../contract/social/sign-in-tests.schema.ts'
import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'
import { WebAddress } from '../../contract/text.schema.ts'
import { extractDigits } from '../../domain/digits.ts'
import type { ConnectorContext } from '../connector-context.ts'
import { ConnectorFailure } from '../failure.ts'
import { parseConfig } from '../messages/message.ts'

/** Defines the connectors for social sign-in. A connector consists of data and two functions. */

export type AuthorizationRequest = { state: string; redirectUri: string }

export type SocialAuthorization = {
  /** The URL to which the browser is redirected. */
  uri: string
  /**
   * The values that the connector session stores until the user returns, such as a nonce or a PKCE verifier (ADR-0042).
   */
  kept?: Record<string, string>
}

/** The data with which the provider redirects the user to us (spec/connectors#callback-data). */
export type SocialCallback = {
  /**
   * The parameters of the callback, from its query or fragment. They cannot be trusted, because anyone can send them.
   */
  data: Readonly<Record<string, unknown>>
  redirectUri: string
  kept: Readonly<Record<string, string>>
}

export type SocialContext = Pick<
  ConnectorContext,
  'fetch' | 'now' | 'timeout' | 'deadline' | 'allowPrivateTargets'
> & {
  /** Returns an unguessable, URL-safe value with at least 128 bits of entropy. */
  random(): string
  /**
   * Reports why a profile lacks values. `failure` is the error of a call without which the sign-in continues.
   */
  remark?(remark: ProfileRemark, failure?: ConnectorFailure): void
}

/** The profile as the provider sent it. Empty or invalid fields are not included in the `SocialProfile`. */
export type ProviderProfile = { id: string } & {
  [Field in Exclude<keyof SocialProfile, 'id'>]?: string | null | undefined
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
  ): SocialAuthorization | Promise<SocialAuthorization>
  profile(config: Config, callback: SocialCallback, context: SocialContext): Promise<ProviderProfile>
}

export type SocialProviderConnector = Omit<Definition<unknown>, 'authorizationUri' | 'profile'> & {
  /**
   * `authorizationUri` and `profile` first validate the configuration, and throw a ConnectorFailure if it is
   * invalid.
   */
  authorizationUri(
    config: unknown,
    request: AuthorizationRequest,
    context: SocialContext,
  ): Promise<SocialAuthorization>
  profile(config: unknown, callback: SocialCallback, context: SocialContext): Promise<SocialProfile>
}

export function socialConnector<Config>(definition: Definition<Config>): SocialProviderConnector {
  return {
    ...definition,
    async authorizationUri(config, request, context) {
      return definition.authorizationUri(parseConfig(definition, config), request, context)
    },
    async profile(config, callback, context) {
      const profile = await definition.profile(parseConfig(definition, config), callback, context)
      if (!profile.id) throw new ConnectorFailure('invalid_response', { detail: 'the account has no id' })
      if (profile.id.length > ID_MAX_LENGTH)
        throw new ConnectorFailure('invalid_response', { detail: 'the account id is too long' })
      return storableProfile(profile)
    },
  }
}

/** The maximum length of an account id, limited by the column in `user_identities`. */
const ID_MAX_LENGTH = 256

const Name = z.string().trim().min(1)

/**
 * Converts a phone number with a plus sign to digits. It may contain spaces and the separators of RFC 3966 §5.1.1. The
 * plus sign is required, because a national number could be mistaken for someone else's international number.
 */
const InternationalPhone = z
  .string()
  .regex(/^\+[\d(). -]+$/)
  .transform(extractDigits)
  .pipe(NewPhone)

/**
 * Omits invalid fields. Some addresses and names that providers accept are not valid here
 * (spec/connectors#social-profile).
 */
function storableProfile({ id, name, email, phone, avatar }: ProviderProfile): SocialProfile {
  const parsedName = Name.safeParse(name?.slice(0, IDENTIFIER_MAX_LENGTH).toWellFormed().replaceAll('\0', ''))
  const parsedEmail = Email.safeParse(email)
  const parsedPhone = InternationalPhone.safeParse(phone)
  return {
    id,
    ...(parsedEmail.success && { email: parsedEmail.data }),
    ...(parsedPhone.success && { phone: parsedPhone.data }),
    ...(parsedName.success && { name: parsedName.data }),
    ...(avatar && WebAddress.safeParse(avatar).success && { avatar }),
  }
}

/** The error codes with which RFC 6749, LinkedIn and Apple report that the user cancelled. */
const denials = new Set(['access_denied', 'user_cancelled_login', 'user_cancelled_authorize'])

/** Returns the code from a callback. Throws if the provider sent an error instead (RFC 6749 §4.1.2.1). */
export function readAuthorizationCode({ data }: SocialCallback, key = 'code'): string {
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
