import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { extractDigits } from '../../src/domain/digits.ts'
import { readTotpCode } from '../../src/domain/factors/totp.ts'
import { answer, type CallFailure, type InteractionApi } from '../api/api.ts'
import { createTranslator } from '../context/phrases.ts'
import { type FieldProblems, firstProblem, type Validator, withoutEmpty } from '../journeys/problems.ts'
import { navigationMissing, reactionTo } from '../journeys/reaction-table.ts'
import { codeNotSent } from '../journeys/send-code.ts'
import { agreeToTerms, submitAndReact, toFactorPage } from '../journeys/submit.ts'
import { aboveForm, type FormJourney, type PageJourneys, type Reaction } from '../reactions/reactions.ts'
import { linkTo, type Way, wayOf } from './ways.ts'

/** The pages of second factors (spec/pages#second-factor). */

export const APP_CODE_FIELD = 'totpCode'
export const BACKUP_CODE_FIELD = 'backupCode'
export const REMEMBER_FIELD = 'remembersBrowser'

/** Six digits, with the space that apps show between them. */
export const appCodeProblems: Validator = (form, boot): FieldProblems =>
  withoutEmpty({
    [APP_CODE_FIELD]: readTotpCode(form[APP_CODE_FIELD] ?? '')
      ? null
      : createTranslator(boot)('error.invalid_passcode'),
  })

export const backupCodeProblems: Validator = (form, boot): FieldProblems => {
  const t = createTranslator(boot)
  const types = [t('vestibule.factor_backup_code')]
  return withoutEmpty({
    [BACKUP_CODE_FIELD]: form[BACKUP_CODE_FIELD]?.trim() ? null : t('error.general_required', { types }),
  })
}

/** With what the box says, where it is ticked. */
const submit: FormJourney = ({ api, form, boot }) =>
  submitAndReact(form[REMEMBER_FIELD] === undefined ? api : stating(api, { remembersBrowser: true }), boot)

const stating = (
  api: InteractionApi,
  statement: NonNullable<Parameters<InteractionApi['submit']>[0]>,
): InteractionApi => ({ ...api, submit: (json) => api.submit({ ...json, ...statement }) })

/** PATCH identifiers with the code of a field, then submit (spec/interaction#second-factor). */
const proveBy =
  (
    field: string,
    validate: Validator,
    proofOf: (code: string, boot: BootData) => Parameters<InteractionApi['prove']>[0],
  ): FormJourney =>
  async ({ api, form, boot }) => {
    const problem = firstProblem(validate(form, boot))
    if (problem) return problem
    const proved = await api.prove(proofOf(form[field] ?? '', boot))
    return proved.ok ? submit({ api, form, boot }) : refusedAt(field, proved.error, boot)
  }

/** The reactions to codes are for the boxes of other pages. */
function refusedAt(field: string, failure: CallFailure, boot: BootData): Reaction {
  const reaction = reactionTo(failure, boot, {
    'session.invalid_second_factor': ({ message }) => ({ kind: 'inline', field, message }),
  })
  return reaction.kind === 'inline' && reaction.field !== null
    ? { ...reaction, field, clears: field }
    : reaction
}

const proveSentCode = proveBy(APP_CODE_FIELD, appCodeProblems, (code, boot) =>
  wayOf(boot) === 'email' ? { emailCode: extractDigits(code) } : { phoneCode: extractDigits(code) },
)

/** What the page after this one shows: it is a document of its own. */
async function show(
  { api, boot }: Pick<Parameters<FormJourney>[0], 'api' | 'boot'>,
  page: '/set-up' | '/backup-codes',
  shown: Pick<NavigationState, 'totp' | 'backupCodes'>,
): Promise<Reaction> {
  const stored = await api.keepNavigation({ ...withoutShown(boot), ...shown })
  const ways = page === '/set-up' ? Object.fromEntries(new URLSearchParams(boot.search)) : {}
  return stored.ok ? toFactorPage(boot, ways, page) : reactionTo(stored.error, boot)
}

/** A secret for an authenticator app (spec/interaction#enrolment). */
const begin: FormJourney = async ({ api, boot }) => {
  const begun = await answer<{ secret: string; address: string }>(api.calls.factors.totp.$post())
  return begun.ok ? show({ api, boot }, '/set-up', { totp: begun.value }) : reactionTo(begun.error, boot)
}

/** PUT factors/totp, which answers the backup codes. */
const proveNewApp: FormJourney = async ({ api, form, boot }) => {
  const problem = firstProblem(appCodeProblems(form, boot))
  if (problem) return problem
  const json = { totpCode: form[APP_CODE_FIELD] ?? '' }
  const proved = await answer<{ backupCodes: string[] }>(api.calls.factors.totp.$put({ json }))
  return proved.ok
    ? show({ api, boot }, '/backup-codes', proved.value)
    : refusedAt(APP_CODE_FIELD, proved.error, boot)
}

/** A code to the address of the account; it is typed on the same page (spec/interaction#factor-code). */
const sendCode: FormJourney = async ({ api, boot }) => {
  const channel = wayOf(boot)
  if (channel !== 'email' && channel !== 'phone') return navigationMissing(boot)
  const sent = await answer<{ sentTo: string }>(api.calls.factors.code.$post({ json: { factor: channel } }))
  if (!sent.ok) return codeNotSent(sent.error, boot)
  return {
    kind: 'goTo',
    path: linkTo(channel, boot.search).to,
    navigation: {
      ...withoutShown(boot),
      factorCode: { channel, sentTo: sent.value.sentTo },
      codeSentAt: Date.now(),
    },
    // It says "sent again", which the first one is not.
    ...(boot.navigation?.factorCode?.channel === channel ? { flash: 'passcode_sent' as const } : {}),
    replace: true,
  }
}

const proveKey: FormJourney = async ({ api, form, boot }) => {
  const { askForKey } = await import('./ask-for-key.ts')
  const assertion = await askForKey(api)
  if (!assertion) return aboveForm(createTranslator(boot)('vestibule.passkey_not_used'))
  if (!assertion.ok) return reactionTo(assertion.error, boot)
  const proved = await api.prove({ securityKey: assertion.value })
  return proved.ok ? submit({ api, form, boot }) : reactionTo(proved.error, boot)
}

/** The navigation state without what is shown on one page alone. */
const withoutShown = ({ navigation }: BootData) => ({
  ...navigation,
  totp: undefined,
  backupCodes: undefined,
  flash: undefined,
  problem: undefined,
})

/** The user sets a factor up another time (spec/accounts#put-off). */
const defer: FormJourney = ({ api, boot }) =>
  submitAndReact(stating(api, { putsOffSecondFactor: true }), boot)

const proofs: Readonly<Record<Way, FormJourney>> = {
  passkey: proveKey,
  totp: proveBy(APP_CODE_FIELD, appCodeProblems, (totpCode) => ({ totpCode })),
  phone: proveSentCode,
  email: proveSentCode,
  backupCode: proveBy(BACKUP_CODE_FIELD, backupCodeProblems, (backupCode) => ({ backupCode })),
}

const mainForms: Readonly<Record<string, FormJourney>> = {
  '/second-factor/set-up': proveNewApp,
  '/second-factor/backup-codes': submit,
}

/** Of all these pages: the path says whose main form it is. */
export const journeys: PageJourneys = {
  send: (input) => (mainForms[input.boot.path] ?? proofs[wayOf(input.boot)])(input),
  resend: sendCode,
  begin,
  later: defer,
  agree: agreeToTerms,
}
