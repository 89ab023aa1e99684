import { Link } from 'wouter'
import { type SignInMethod, signInModes } from '../../../src/contract/experience/experience.ts'
import { type IdentifierType, identifierTypes } from '../../../src/contract/interactions/identifiers.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Checkbox, Select } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { texts } from './phrases.ts'
import type { Connector, SettingsForm } from './settings.ts'
import { type SignUpChoice, signUpChoice, signUps, withIdentifier, withMethod } from './sign-in-methods.ts'
import { SocialButtons } from './social-buttons.tsx'

export const signInTexts = phrases({
  en: {
    SignInAndRegister: 'Everyone: sign in or create an account',
    SignIn: 'Only users who have an account',
    Register: 'Only new users',
    methodsLead: 'By what users sign in, and how they prove it. Codes need a connector that sends them.',
    code: 'Code',
    primary: 'Password first',
    noEmail: 'No connector sends e-mails yet.',
    noSms: 'No connector sends text messages yet.',
    signUpLead: 'What a new account is known by. Whatever it is must be offered for the sign-in as well.',
    identifier: 'New accounts have',
    emailOrPhone: 'E-mail address or phone number',
    none: 'Nothing of their own (only social accounts)',
    other: 'Another combination, set by the API',
    askPassword: 'Ask for a password',
    verify: 'Verify addresses by a code',
  },
  de: {
    SignInAndRegister: 'Alle: anmelden oder ein Konto erstellen',
    SignIn: 'Nur Benutzer mit einem Konto',
    Register: 'Nur neue Benutzer',
    methodsLead:
      'Womit Benutzer sich anmelden und womit sie sich ausweisen. Codes brauchen einen Konnektor, der sie verschickt.',
    code: 'Code',
    primary: 'Passwort zuerst',
    noEmail: 'Noch verschickt kein Konnektor E-Mails.',
    noSms: 'Noch verschickt kein Konnektor SMS.',
    signUpLead: 'Woran ein neues Konto erkannt wird. Damit muss auch die Anmeldung möglich sein.',
    identifier: 'Neue Konten haben',
    emailOrPhone: 'E-Mail-Adresse oder Telefonnummer',
    none: 'Nichts Eigenes (nur Konten anderer Anbieter)',
    other: 'Eine andere Kombination, über die API gesetzt',
    askPassword: 'Nach einem Passwort fragen',
    verify: 'Adressen mit einem Code bestätigen',
  },
})

/** Who may come in, by what, and as whom (spec/experience#methods, spec/experience#rules). */
export function SignInSettings(form: SettingsForm) {
  const t = useT(signInTexts, texts)
  const { settings, change, isReadOnly } = form
  return (
    <>
      <Card title={t('mode')}>
        <Select
          label={t('mode')}
          isLabelHidden
          value={settings.signInMode}
          options={signInModes.map((value) => ({ value, label: t(value) }))}
          isDisabled={isReadOnly}
          onChange={(signInMode) => change({ signInMode })}
        />
      </Card>
      <Methods {...form} />
      <SignUpSettings {...form} />
      <SocialButtons {...form} />
    </>
  )
}

function Methods({ settings, change, isReadOnly }: SettingsForm) {
  const t = useT(signInTexts, texts)
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
              onChange={(isOffered) => set(withIdentifier(methods, identifier, isOffered))}
            />
            {method && <MissingConnector identifier={identifier} />}
            {method && (
              <MethodChoices
                method={method}
                isReadOnly={isReadOnly}
                onChange={(changes) => set(withMethod(methods, identifier, changes))}
              />
            )}
          </div>
        )
      })}
    </Card>
  )
}

/** A code needs what sends it; where nothing does, a save is refused, but for a server in development. */
function MissingConnector({ identifier }: { identifier: IdentifierType }) {
  const t = useT(signInTexts, texts)
  const connectors = useApi<Connector[]>('/connectors', { isEnabled: useMay('connectors:read') })
  if (identifier === 'username' || !connectors.data) return null
  const [type, text] = identifier === 'email' ? (['Email', 'noEmail'] as const) : (['Sms', 'noSms'] as const)
  if (connectors.data.data.some((one) => one.type === type)) return null
  return (
    <p className="hint method-choices">
      {t(text)} <Link href="/connectors">{t('install')}</Link>
    </p>
  )
}

function MethodChoices({
  method,
  isReadOnly,
  onChange,
}: {
  method: SignInMethod
  isReadOnly: boolean
  onChange: (changes: Partial<Omit<SignInMethod, 'identifier'>>) => void
}) {
  const t = useT(signInTexts, texts)
  const isAddress = method.identifier !== 'username'
  return (
    <fieldset className="method-choices" aria-label={t(method.identifier)}>
      <Checkbox
        label={t('password')}
        isSelected={method.password}
        isDisabled={isReadOnly}
        onChange={(password) => onChange({ password })}
      />
      {isAddress && (
        <Checkbox
          label={t('code')}
          isSelected={method.verificationCode}
          isDisabled={isReadOnly}
          onChange={(verificationCode) => onChange({ verificationCode })}
        />
      )}
      {isAddress && method.password && method.verificationCode && (
        <Checkbox
          label={t('primary')}
          isSelected={method.isPasswordPrimary}
          isDisabled={isReadOnly}
          onChange={(isPasswordPrimary) => onChange({ isPasswordPrimary })}
        />
      )}
    </fieldset>
  )
}

const choices = Object.keys(signUps) as SignUpChoice[]

function SignUpSettings({ settings: { signUp, signIn }, change, isReadOnly }: SettingsForm) {
  const t = useT(signInTexts, texts)
  const choice = signUpChoice(signUp)
  const choose = (next: SignUpChoice | 'other') => {
    if (next === 'other') return
    const chosen = signUps[next]
    const lacking = chosen.identifiers.filter((type) =>
      signIn.methods.every((one) => one.identifier !== type),
    )
    change({
      signUp: { ...chosen, identifiers: [...chosen.identifiers] },
      ...(lacking.length > 0 && {
        signIn: {
          methods: lacking.reduce(
            (methods, type: IdentifierType) => withIdentifier(methods, type, true),
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
      <Checkbox
        label={t('askPassword')}
        isSelected={signUp.password}
        isDisabled={isReadOnly}
        onChange={(password) => change({ signUp: { ...signUp, password } })}
      />
      <Checkbox
        label={t('verify')}
        isSelected={signUp.verify}
        isDisabled={isReadOnly}
        onChange={(verify) => change({ signUp: { ...signUp, verify } })}
      />
    </Card>
  )
}
