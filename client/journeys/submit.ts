import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { MissingProfileItem } from '../../src/contract/interactions/identifiers.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import type { CallFailure, InteractionApi } from '../api/api.ts'
import { queryWithoutInteraction } from '../context/paths.ts'
import {
  type FormJourney,
  type FormValues,
  type Reaction,
  unexpectedMessage,
} from '../reactions/reactions.ts'
import { getReactionToFailure, type ReactionRow, type ReactionTable } from './reaction-table.ts'

/** Submits the interaction. Most journeys end with this (spec/interaction#submit). */
export async function submitAndReact(
  api: InteractionApi,
  boot: BootData,
  rows: ReactionTable = {},
): Promise<Reaction> {
  return getReactionToSubmit(await api.submit(agreementStatement(boot)), boot, rows)
}

/** Submits again after the user has agreed to the terms, as the previous call required (spec/interaction#agreement). */
export const agreeToTerms: FormJourney = ({ api, boot }) => submitAndReact(api, withAgreedTerms(boot))

/** Records that the user has agreed to the terms, so that this page or a later one can send the agreement. */
export const withAgreedTerms = (boot: BootData): BootData => ({
  ...boot,
  navigation: { ...boot.navigation, hasAgreed: true },
})

/** Records the agreement if the form's checkbox is checked. */
export const withAgreementFromForm = (form: FormValues, boot: BootData): BootData =>
  form.termsAgreement ? withAgreedTerms(boot) : boot

export function getReactionToSubmit(
  submitted: Awaited<ReturnType<InteractionApi['submit']>>,
  boot: BootData,
  rows: ReactionTable = {},
): Reaction {
  if (!submitted.ok) {
    return getReactionToFailure(submitted.error, boot, {
      'user.missing_profile': askForMissingItem(boot, eventOf(boot)),
      'user.second_factor_required': ({ data }) => goToFactorPage(boot, data),
      'user.second_factor_missing': ({ data }) => goToFactorPage(boot, data, '/set-up'),
      ...rows,
    })
  }
  if (submitted.value) return { kind: 'leave', url: submitted.value.redirectTo }
  // Only a password reset completes without signing the user in.
  return {
    kind: 'goTo',
    path: '/sign-in',
    navigation: { identifier: boot.navigation?.identifier },
    flash: 'password_changed',
    replace: true,
  }
}

/**
 * Goes to a second-factor page. It is a separate document, because no other page uses its phrases and its
 * contents must not end up in the browser's history (spec/pages#second-factor).
 */
export const goToFactorPage = ({ interaction }: BootData, factors: unknown, page = ''): Reaction => ({
  kind: 'leave',
  url: `/second-factor${page}?${new URLSearchParams({ interaction, ...(factors as object) } as Record<string, string>)}`,
})

/**
 * Returns the request body that states that the user agreed to the terms, on this or a previous page
 * (spec/interaction#agreement).
 */
export const agreementStatement = ({ navigation }: BootData) =>
  navigation?.hasAgreed ? { agreesToTerms: true } : undefined

type Event = NonNullable<NavigationState['event']>

/** Returns the event of this page's submit call, unless the user has switched to another event. */
const eventOf = ({ path, navigation }: BootData): Event =>
  path.startsWith('/continue/')
    ? (navigation?.event ?? 'SignIn')
    : path.startsWith('/register')
      ? 'Register'
      : 'SignIn'

const pageFor = {
  password: '/continue/password',
  username: '/continue/username',
  email: '/continue/email',
  phone: '/continue/phone',
  emailOrPhone: '/continue/emailOrPhone',
} as const satisfies Record<MissingProfileItem, string>

/**
 * Asks for the first item that the account lacks (spec/pages#missing-profile). All /continue pages keep the
 * query, because `link_social` may be needed after a page that asks for a username. The event is part of the
 * navigation state.
 */
export function askForMissingItem({ path, search, navigation }: BootData, event: Event): ReactionRow {
  return ({ data, message }) => {
    const item = firstMissingItem(data)
    if (!item) return unexpectedMessage(message)
    return {
      kind: 'goTo',
      path: pageFor[item] + queryWithoutInteraction(search),
      navigation: {
        identifier: navigation?.identifier,
        registeredSocialIdentity: registeredSocialIdentity(data),
        event,
      },
      replace: path.endsWith('/verification-code'),
    }
  }
}

/** Returns the first missing item. The following pages ask for the others. */
export function firstMissingItem(data: CallFailure['data']): MissingProfileItem | null {
  if (!isRecord(data) || !Array.isArray(data.missingProfile)) return null
  const [first]: unknown[] = data.missingProfile
  return typeof first === 'string' && isItem(first) ? first : null
}

const isItem = (name: string): name is MissingProfileItem => Object.hasOwn(pageFor, name)

/** Returns the social account's address that already belongs to another account of the tenant, if there is one. */
function registeredSocialIdentity(data: CallFailure['data']): NavigationState['registeredSocialIdentity'] {
  if (!isRecord(data) || !isRecord(data.registeredSocialIdentity)) return undefined
  const { email, phone } = data.registeredSocialIdentity
  return {
    email: typeof email === 'string' ? email : undefined,
    phone: typeof phone === 'string' ? phone : undefined,
  }
}
