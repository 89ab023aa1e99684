import { Link } from 'wouter'
import { type SignInMethod, signInModes } from '../../../src/contract/experience/experience.ts'
import { type IdentifierType, identifierTypes } from '../../../src/contract/interactions/identifiers.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { bindFields } from '../../ui/bound.ts'
import { Checkbox, Select } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import { bindSetting, bindSettings, type Connector, type SettingsForm } from './settings.ts'
import {
  findSignUpChoice,
  type SignUpChoice,
  signUpPresets,
  toggleIdentifier,
  updateMethod,
} from './sign-in-methods.ts'
import { SocialButtons } from './social-buttons.tsx'

export const signInPhrases = phrases({
  en: {
    SignInAndRegister: 'Everyone (sign in or create an account)',
    SignIn: 'Only users who have an account',
    Register: 'Only new users',
    methodsLead:
      'What users sign in with, and how they prove who they are. To use codes, you need a connector that sends them.',
    code: 'Code',
    primary: 'Password first',
    noEmail: 'There’s no email connector yet.',
    noSms: 'There’s no text message connector yet.',
    signUpLead: 'What new users sign up with. They must also be able to sign in with it.',
    identifier: 'Identifier for new accounts',
    emailOrPhone: 'Email address or phone number',
    none: 'None (social accounts only)',
    other: 'Another combination, set through the API',
    askPassword: 'Ask for a password',
    verify: 'Verify email addresses and phone numbers with a code',
  },
  de: {
    SignInAndRegister: 'Alle (anmelden oder ein Konto erstellen)',
    SignIn: 'Nur Benutzer mit einem Konto',
    Register: 'Nur neue Benutzer',
    methodsLead:
      'Womit Benutzer sich anmelden und womit sie sich ausweisen. Codes brauchen einen Konnektor, der sie verschickt.',
    code: 'Code',
    primary: 'Passwort zuerst',
    noEmail: 'Noch verschickt kein Konnektor E-Mails.',
    noSms: 'Noch verschickt kein Konnektor SMS.',
    signUpLead: 'Woran ein neues Konto erkannt wird. Benutzer müssen sich auch damit anmelden können.',
    identifier: 'Bezeichner neuer Konten',
    emailOrPhone: 'E-Mail-Adresse oder Telefonnummer',
    none: 'Keiner (nur Konten anderer Anbieter)',
    other: 'Eine andere Kombination, über die API gesetzt',
    askPassword: 'Nach einem Passwort fragen',
    verify: 'Adressen mit einem Code bestätigen',
  },
})

/** Edits who can sign in or sign up, and how (spec/experience#methods, spec/experience#rules). */
export function SignInSettings(form: SettingsForm) {
  const t = useT(signInPhrases, texts)
  return (
    <>
      <Card title={t('signInMode')}>
        <Select
          label={t('signInMode')}
          isLabelHidden
          {...bindSettings(form).choice('signInMode')}
          options={signInModes.map((value) => ({ value, label: t(value) }))}
        />
      </Card>
      <Methods {...form} />
      <SignUpSettings {...form} />
      <SocialButtons {...form} />
    </>
  )
}

function Methods({ settings, change, isReadOnly }: SettingsForm) {
  const t = useT(signInPhrases, texts)
  const { methods } = settings.signIn
  const set = (next: SignInMethod[]) => change({ signIn: { methods: next } })
  return (
    <Card title={t('signInMethods')} lead={t('methodsLead')}>
      {identifierTypes.map((identifier) => {
        const method = methods.find((one) => one.identifier === identifier)
        return (
          <div key={identifier} className="method">
            <Checkbox
              label={t(identifier)}
              isSelected={method !== undefined}
              isDisabled={isReadOnly}
              onChange={(isOffered) => set(toggleIdentifier(methods, identifier, isOffered))}
            />
            {method && <MissingConnector identifier={identifier} />}
            {method && (
              <MethodChoices
                method={method}
                isReadOnly={isReadOnly}
                onChange={(changes) => set(updateMethod(methods, identifier, changes))}
              />
            )}
          </div>
        )
      })}
    </Card>
  )
}

/**
 * Warns that no connector can send the codes of a method. Outside development, the API refuses to save such a method.
 */
function MissingConnector({ identifier }: { identifier: IdentifierType }) {
  const t = useT(signInPhrases, texts)
  const connectors = useApi<Connector[]>('/connectors', { isEnabled: useCan('connectors:read') })
  if (identifier === 'username' || !connectors.data) return null
  const [type, text] = identifier === 'email' ? (['Email', 'noEmail'] as const) : (['Sms', 'noSms'] as const)
  if (connectors.data.data.some((one) => one.type === type)) return null
  return (
    <p className="hint method-choices">
      {t(text)} <Link href="/connectors">{t('install')}</Link>
    </p>
  )
}

type MethodChoicesProps = {
  method: SignInMethod
  isReadOnly: boolean
  onChange: (changes: Partial<Omit<SignInMethod, 'identifier'>>) => void
}

function MethodChoices({ method, isReadOnly, onChange }: MethodChoicesProps) {
  const t = useT(signInPhrases, texts)
  const isAddress = method.identifier !== 'username'
  const fields = bindFields({ value: method, problems: {}, isDisabled: isReadOnly, change: onChange })
  return (
    <fieldset className="method-choices" aria-label={t(method.identifier)}>
      <Checkbox label={t('password')} {...fields.flag('password')} />
      {isAddress && <Checkbox label={t('code')} {...fields.flag('verificationCode')} />}
      {isAddress && method.password && method.verificationCode && (
        <Checkbox label={t('primary')} {...fields.flag('isPasswordPrimary')} />
      )}
    </fieldset>
  )
}

const choices = Object.keys(signUpPresets) as SignUpChoice[]

function SignUpSettings(form: SettingsForm) {
  const t = useT(signInPhrases, texts)
  const { change, isReadOnly } = form
  const { signUp, signIn } = form.settings
  const fields = bindSetting(form, 'signUp')
  const choice = findSignUpChoice(signUp)
  const choose = (next: SignUpChoice | 'other') => {
    if (next === 'other') return
    const chosen = signUpPresets[next]
    const lacking = chosen.identifiers.filter((type) =>
      signIn.methods.every((one) => one.identifier !== type),
    )
    change({
      signUp: { ...chosen, identifiers: [...chosen.identifiers] },
      ...(lacking.length > 0 && {
        signIn: {
          methods: lacking.reduce(
            (methods, type: IdentifierType) => toggleIdentifier(methods, type, true),
            signIn.methods,
          ),
        },
      }),
    })
  }
  return (
    <Card title={t('signUp')} lead={t('signUpLead')}>
      <Select<SignUpChoice | 'other'>
        label={t('identifier')}
        value={choice ?? 'other'}
        options={[...choices, ...(choice ? [] : (['other'] as const))].map((value) => ({
          value,
          label: t(value),
        }))}
        isDisabled={isReadOnly}
        onChange={choose}
      />
      <Checkbox label={t('askPassword')} {...fields.flag('password')} />
      <Checkbox label={t('verify')} {...fields.flag('verify')} />
    </Card>
  )
}
