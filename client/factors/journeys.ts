import type { BootData, FieldName } from '../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { type CallFailure, type InteractionApi, readOutcome } from '../api/api.ts'
import { createTranslator } from '../context/phrases.ts'
import {
  type FieldProblems,
  findFirstProblem,
  omitFieldsWithoutProblem,
  type Validator,
} from '../journeys/problems.ts'
import { getReactionToFailure, getReactionToMissingNavigation } from '../journeys/reaction-table.ts'
import { readCode, validateCodeIn } from '../journeys/read-code.ts'
import { getReactionToUnsentCode } from '../journeys/send-code.ts'
import { agreeToTerms, goToFactorPage, submitAndReact } from '../journeys/submit.ts'
import {
  type FormJourney,
  type FormValues,
  messageAboveForm,
  type PageJourneys,
  type Reaction,
} from '../reactions/reactions.ts'
import { currentFactorOption, type FactorOption, isAddressFactor, linkToFactorOption } from './ways.ts'

/** The journeys of the second-factor pages (spec/pages#second-factor). */

export const APP_CODE_FIELD = 'totpCode'
export const BACKUP_CODE_FIELD = 'backupCode'
export const REMEMBER_FIELD = 'remembersBrowser'
/** The field that says whether a code is sent by email or SMS. A form without this field leaves that to its path. */
export const CHANNEL_FIELD = 'channel'

const validateAppCode = validateCodeIn(APP_CODE_FIELD)

export const validateBackupCode: Validator = (form, boot): FieldProblems => {
  const t = createTranslator(boot)
  const types = [t('vestibule.factor_backup_code')]
  return omitFieldsWithoutProblem({
    [BACKUP_CODE_FIELD]: form[BACKUP_CODE_FIELD]?.trim() ? null : t('error.general_required', { types }),
  })
}

/** Submits the interaction, and asks the server to remember this browser if the user wants that. */
const submit: FormJourney = ({ api, form, boot }) =>
  submitAndReact(
    form[REMEMBER_FIELD] === undefined ? api : withStatement(api, { remembersBrowser: true }),
    boot,
  )

const withStatement = (
  api: InteractionApi,
  statement: NonNullable<Parameters<InteractionApi['submit']>[0]>,
): InteractionApi => ({ ...api, submit: (json) => api.submit({ ...json, ...statement }) })

/**
 * Creates a journey that sends the code from a form with PATCH identifiers, then submits
 * (spec/interaction#second-factor).
 */
const proveWith =
  (
    field: FieldName,
    validate: Validator,
    proofIn: (form: FormValues) => Parameters<InteractionApi['prove']>[0],
  ): FormJourney =>
  async ({ api, form, boot }) => {
    const problem = findFirstProblem(validate(form, boot))
    if (problem) return problem
    const proved = await api.prove(proofIn(form))
    return proved.ok ? submit({ api, form, boot }) : rejectionAt(field, proved.error, boot)
  }

/**
 * Shows an error about a code next to its field. By default, such errors are shown next to the code that proves an
 * identifier, but these pages have another field.
 */
function rejectionAt(field: FieldName, failure: CallFailure, boot: BootData): Reaction {
  const reaction = getReactionToFailure(failure, boot, {
    'session.invalid_second_factor': ({ message }) => ({ kind: 'inline', about: field, message }),
  })
  return reaction.kind === 'inline' && reaction.about !== null
    ? { ...reaction, about: field, clears: field }
    : reaction
}

/** Creates a journey for a code of six digits. */
const proveCode = (toProof: (code: string) => Parameters<InteractionApi['prove']>[0]) =>
  proveWith(APP_CODE_FIELD, validateAppCode, (form) => toProof(readCode(form, APP_CODE_FIELD)))

/**
 * Stores the data that the next page shows, and then goes there. The next page is a separate document, so the
 * data has to be stored on the server.
 */
async function openPageWith(
  { api, boot }: Pick<Parameters<FormJourney>[0], 'api' | 'boot'>,
  page: '/set-up' | '/backup-codes',
  values: Pick<NavigationState, 'totp' | 'backupCodes'>,
): Promise<Reaction> {
  const stored = await api.keepNavigation({ ...withoutOneTimeValues(boot), ...values })
  const ways = page === '/set-up' ? Object.fromEntries(new URLSearchParams(boot.search)) : {}
  return stored.ok ? goToFactorPage(boot, ways, page) : getReactionToFailure(stored.error, boot)
}

/** Creates a secret for an authenticator app (spec/interaction#enrolment). */
const begin: FormJourney = async ({ api, boot }) => {
  const enrolment = await readOutcome<{ secret: string; address: string }>(api.calls.factors.totp.$post())
  return enrolment.ok
    ? openPageWith({ api, boot }, '/set-up', { totp: enrolment.value })
    : getReactionToFailure(enrolment.error, boot)
}

/** Sends PUT factors/totp, whose response contains the backup codes. */
const proveNewApp: FormJourney = async ({ api, form, boot }) => {
  const problem = findFirstProblem(validateAppCode(form, boot))
  if (problem) return problem
  const json = { totpCode: readCode(form, APP_CODE_FIELD) }
  const proved = await readOutcome<{ backupCodes: string[] }>(api.calls.factors.totp.$put({ json }))
  return proved.ok
    ? openPageWith({ api, boot }, '/backup-codes', proved.value)
    : rejectionAt(APP_CODE_FIELD, proved.error, boot)
}

/**
 * Sends a code to the account's email address or phone number. The user enters it on the same page
 * (spec/interaction#factor-code).
 */
const sendCode: FormJourney = async ({ api, form, boot }) => {
  const channel = form[CHANNEL_FIELD] ?? currentFactorOption(boot)
  if (!isAddressFactor(channel)) return getReactionToMissingNavigation(boot)
  const sent = await readOutcome<{ sentTo: string }>(
    api.calls.factors.code.$post({ json: { factor: channel } }),
  )
  if (!sent.ok) return getReactionToUnsentCode(sent.error, boot)
  return {
    kind: 'goTo',
    path: linkToFactorOption(channel, boot.search),
    navigation: {
      ...withoutOneTimeValues(boot),
      factorCode: { channel, sentTo: sent.value.sentTo },
      codeSentAt: Date.now(),
    },
    // The flash message, "sent again", would be wrong for the first code.
    ...(boot.navigation?.factorCode?.channel === channel ? { flash: 'passcode_sent' as const } : {}),
    replace: true,
  }
}

const proveKey: FormJourney = async ({ api, form, boot }) => {
  const { requestSecurityKey } = await import('./ask-for-key.ts')
  const assertion = await requestSecurityKey(api)
  if (!assertion) return messageAboveForm(createTranslator(boot)('vestibule.passkey_not_used'))
  if (!assertion.ok) return getReactionToFailure(assertion.error, boot)
  const proved = await api.prove({ securityKey: assertion.value })
  return proved.ok ? submit({ api, form, boot }) : getReactionToFailure(proved.error, boot)
}

/** Returns the navigation state without the values that only a single page needs. */
const withoutOneTimeValues = ({ navigation }: BootData) => ({
  ...navigation,
  totp: undefined,
  backupCodes: undefined,
  flash: undefined,
  problem: undefined,
})

/** Lets the user postpone setting up a second factor (spec/accounts#put-off). */
const defer: FormJourney = ({ api, boot }) =>
  submitAndReact(withStatement(api, { putsOffSecondFactor: true }), boot)

const proofs: Readonly<Record<FactorOption, FormJourney>> = {
  passkey: proveKey,
  totp: proveCode((totpCode) => ({ totpCode })),
  phone: proveCode((phoneCode) => ({ phoneCode })),
  email: proveCode((emailCode) => ({ emailCode })),
  backupCode: proveWith(BACKUP_CODE_FIELD, validateBackupCode, (form) => ({
    backupCode: form[BACKUP_CODE_FIELD] ?? '',
  })),
}

const mainForms: Readonly<Record<string, FormJourney>> = {
  '/second-factor/set-up': proveNewApp,
  '/second-factor/backup-codes': submit,
}

/** The journeys of all second-factor pages. The path determines what the main form does. */
export const journeys: PageJourneys = {
  send: (input) => (mainForms[input.boot.path] ?? proofs[currentFactorOption(input.boot)])(input),
  resend: sendCode,
  begin,
  later: defer,
  agree: agreeToTerms,
}
