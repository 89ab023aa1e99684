import type { BootData } from '../../src/contract/interactions/boot.ts'
import { digitsOf } from '../../src/domain/digits.ts'
import { readTotpCode } from '../../src/domain/factors/totp.ts'
import { answer, type CallFailure, type InteractionApi } from '../api/api.ts'
import { createTranslator } from '../context/phrases.ts'
import { type FieldProblems, firstProblem, type Validator, withoutEmpty } from '../journeys/problems.ts'
import { navigationMissing, type ReactionTable, reactionTo } from '../journeys/reaction-table.ts'
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

/** PATCH identifiers with the code, then submit (spec/interaction#second-factor). */
const proveApp: FormJourney = async ({ api, form, boot }) => {
  const problem = firstProblem(appCodeProblems(form, boot))
  if (problem) return problem
  const proved = await api.prove({ totpCode: form[APP_CODE_FIELD] ?? '' })
  return proved.ok ? submit({ api, form, boot }) : reactionTo(proved.error, boot, atCode)
}

const useBackupCode: FormJourney = async ({ api, form, boot }) => {
  const problem = firstProblem(backupCodeProblems(form, boot))
  if (problem) return problem
  const proved = await api.prove({ backupCode: form[BACKUP_CODE_FIELD] ?? '' })
  return proved.ok ? submit({ api, form, boot }) : reactionTo(proved.error, boot, atBackupCode)
}

/** With what the box says, where it is ticked. */
const submit: FormJourney = ({ api, form, boot }) =>
  submitAndReact(form[REMEMBER_FIELD] === undefined ? api : remembering(api), boot)

const remembering = (api: InteractionApi): InteractionApi => ({
  ...api,
  submit: (json) => api.submit({ ...json, remembersBrowser: true }),
})

/** A secret for an authenticator app (spec/interaction#enrolment). */
const beginTotp = ({ calls }: InteractionApi) =>
  answer<{ secret: string; address: string }>(calls.factors.totp.$post())

/** The backup codes, once the app was proved. */
const proveTotp = ({ calls }: InteractionApi, totpCode: string) =>
  answer<{ backupCodes: string[] }>(calls.factors.totp.$put({ json: { totpCode } }))

/** Shows the secret of a new authenticator app. */
const begin: FormJourney = async ({ api, boot }) => {
  const begun = await beginTotp(api)
  if (!begun.ok) return reactionTo(begun.error, boot)
  const kept = await api.keepNavigation({ ...known(boot), totp: begun.value })
  const search = Object.fromEntries(new URLSearchParams(boot.search))
  return kept.ok ? toFactorPage(boot, search, '/set-up') : reactionTo(kept.error, boot)
}

/** PUT factors/totp; the backup codes are shown on the page after this one. */
const proveNewApp: FormJourney = async ({ api, form, boot }) => {
  const problem = firstProblem(appCodeProblems(form, boot))
  if (problem) return problem
  const proved = await proveTotp(api, form[APP_CODE_FIELD] ?? '')
  if (!proved.ok) return reactionTo(proved.error, boot, atCode)
  const kept = await api.keepNavigation({ ...known(boot), backupCodes: proved.value.backupCodes })
  return kept.ok ? toFactorPage(boot, {}, '/backup-codes') : reactionTo(kept.error, boot)
}

/** A code to the address of the account; it is typed on the same page (spec/interaction#factor-code). */
const sendCode: FormJourney = async ({ api, boot }) => {
  const channel = wayOf(boot)
  if (channel !== 'email' && channel !== 'phone') return navigationMissing(boot)
  const sent = await answer<{ sentTo: string }>(api.calls.factors.code.$post({ json: { factor: channel } }))
  if (!sent.ok)
    return sent.error.code.startsWith('connector.')
      ? aboveForm(createTranslator(boot)('vestibule.code_not_sent'))
      : reactionTo(sent.error, boot)
  return {
    kind: 'goTo',
    path: linkTo(channel, boot.search).to,
    navigation: {
      ...known(boot),
      factorCode: { channel, sentTo: sent.value.sentTo },
      codeSentAt: Date.now(),
    },
    // It says "sent again", which the first one is not.
    ...(boot.navigation?.factorCode?.channel === channel ? { flash: 'passcode_sent' as const } : {}),
    replace: true,
  }
}

const proveSentCode: FormJourney = async ({ api, form, boot }) => {
  const problem = firstProblem(appCodeProblems(form, boot))
  if (problem) return problem
  const code = digitsOf(form[APP_CODE_FIELD] ?? '')
  const proved = await api.prove(wayOf(boot) === 'email' ? { emailCode: code } : { phoneCode: code })
  return proved.ok ? submit({ api, form, boot }) : atField(reactionTo(proved.error, boot))
}

/** The reactions to codes are for the boxes of other pages. */
const atField = (reaction: Reaction): Reaction =>
  reaction.kind === 'inline' && reaction.field !== null
    ? { ...reaction, field: APP_CODE_FIELD, clears: APP_CODE_FIELD }
    : reaction

const proveKey: FormJourney = async ({ api, form, boot }) => {
  const { askForKey } = await import('./ask-for-key.ts')
  const asked = await askForKey(api)
  if (!asked) return aboveForm(createTranslator(boot)('vestibule.passkey_not_used'))
  if (!asked.ok) return reactionTo(asked.error, boot)
  const proved = await api.prove({ securityKey: asked.value })
  return proved.ok ? submit({ api, form, boot }) : reactionTo(proved.error, boot)
}

/** Without what is shown on one page alone. */
const known = ({ navigation }: BootData) => ({
  ...navigation,
  totp: undefined,
  backupCodes: undefined,
  flash: undefined,
  problem: undefined,
})

/** The user sets a factor up another time (spec/accounts#put-off). */
const putOff: FormJourney = ({ api, boot }) =>
  submitAndReact({ ...api, submit: (json) => api.submit({ ...json, putsOffSecondFactor: true }) }, boot)

const at = (field: string): ReactionTable => ({
  'session.invalid_second_factor': ({ message }: CallFailure): Reaction => ({
    kind: 'inline',
    field,
    message,
    clears: field,
  }),
})
const atCode = at(APP_CODE_FIELD)
const atBackupCode = at(BACKUP_CODE_FIELD)

const proofs: Readonly<Record<Way, FormJourney>> = {
  passkey: proveKey,
  totp: proveApp,
  phone: proveSentCode,
  email: proveSentCode,
  backupCode: useBackupCode,
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
  later: putOff,
  agree: agreeToTerms,
}
