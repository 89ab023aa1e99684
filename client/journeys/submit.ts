import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { MissingProfileItem } from '../../src/contract/interactions/identifiers.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import type { CallFailure, InteractionApi } from '../api/api.ts'
import { queryWithoutInteraction } from '../context/paths.ts'
import { type FormJourney, type FormValues, messageAboveForm, type Reaction } from '../reactions/reactions.ts'
import { type ReactionRow, type ReactionTable, reactionTo } from './reaction-table.ts'

/** Submits the interaction, which ends most journeys (spec/interaction#submit). */
export async function submitAndReact(
  api: InteractionApi,
  boot: BootData,
  rows: ReactionTable = {},
): Promise<Reaction> {
  return reactToSubmit(await api.submit(agreementStatement(boot)), boot, rows)
}

/**
 * Submits again after the user has agreed to the terms, which the previous call required (spec/interaction#agreement).
 */
export const agreeToTerms: FormJourney = ({ api, boot }) => submitAndReact(api, withAgreedTerms(boot))

/** Records that the user has agreed to the terms, for whichever of the following pages submits. */
export const withAgreedTerms = (boot: BootData): BootData => ({
  ...boot,
  navigation: { ...boot.navigation, hasAgreed: true },
})

/** Records the agreement if the box of the form is ticked. */
export const withAgreement = (form: FormValues, boot: BootData): BootData =>
  form.termsAgreement ? withAgreedTerms(boot) : boot

export function reactToSubmit(
  submitted: Awaited<ReturnType<InteractionApi['submit']>>,
  boot: BootData,
  rows: ReactionTable = {},
): Reaction {
  if (!submitted.ok) {
    return reactionTo(submitted.error, boot, {
      'user.missing_profile': askForMissing(boot, eventOf(boot)),
      'user.second_factor_required': ({ data }) => goToFactorPage(boot, data),
      'user.second_factor_missing': ({ data }) => goToFactorPage(boot, data, '/set-up'),
      ...rows,
    })
  }
  if (submitted.value) return { kind: 'leave', url: submitted.value.redirectTo }
  // Only a password reset does not sign the user in.
  return {
    kind: 'goTo',
    path: '/sign-in',
    navigation: { identifier: boot.navigation?.identifier },
    flash: 'password_changed',
    replace: true,
  }
}

/**
 * Goes to a page for second factors, which is a document of its own: no other page uses its phrases, and what it shows
 * stays out of the browser's history (spec/pages#second-factor).
 */
export const goToFactorPage = ({ interaction }: BootData, ways: unknown, page = ''): Reaction => ({
  kind: 'leave',
  url: `/second-factor${page}?${new URLSearchParams({ interaction, ...(ways as object) } as Record<string, string>)}`,
})

/** Returns the statement that the user has agreed to the terms, on this or a previous page (spec/interaction#agreement). */
export const agreementStatement = ({ navigation }: BootData) =>
  navigation?.hasAgreed ? { agreesToTerms: true } : undefined

type Event = NonNullable<NavigationState['event']>

/** Returns the event of a submit call from this page, unless the user has chosen another. */
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
 * Asks for the first item that the account lacks (spec/pages#missing-profile). Every /continue page keeps the query,
 * because `link_social` must survive a username that is asked for before the address. The event is part of the
 * navigation state.
 */
export function askForMissing({ path, search, navigation }: BootData, event: Event): ReactionRow {
  return ({ data, message }) => {
    const item = firstMissingItem(data)
    if (!item) return messageAboveForm(message)
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

/** Returns the first missing item. The others do not matter yet. */
export function firstMissingItem(data: CallFailure['data']): MissingProfileItem | null {
  if (!isRecord(data) || !Array.isArray(data.missingProfile)) return null
  const [first]: unknown[] = data.missingProfile
  return typeof first === 'string' && isItem(first) ? first : null
}

const isItem = (name: string): name is MissingProfileItem => Object.hasOwn(pageFor, name)

/** Reads the address of the social account that belongs to another account. */
function registeredSocialIdentity(data: CallFailure['data']): NavigationState['registeredSocialIdentity'] {
  if (!isRecord(data) || !isRecord(data.registeredSocialIdentity)) return undefined
  const { email, phone } = data.registeredSocialIdentity
  return {
    email: typeof email === 'string' ? email : undefined,
    phone: typeof phone === 'string' ? phone : undefined,
  }
}
