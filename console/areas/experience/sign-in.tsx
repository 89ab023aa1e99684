import { type SignInMethod, signInModes } from '../../../src/contract/experience/experience.ts'
import { identifierTypes } from '../../../src/contract/interactions/identifiers.ts'
import { phrases, useT } from '../../phrases.ts'
import { bindFields } from '../../ui/bound.ts'
import { Checkbox, Select } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { MissingConnector } from './missing-connector.tsx'
import { texts } from './phrases.ts'
import { bindSettings, type SettingsForm } from './settings.ts'
import { toggleIdentifier, updateMethod } from './sign-in-methods.ts'
import { SignUpSettings } from './sign-up.tsx'
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
  },
  de: {
    SignInAndRegister: 'Alle (anmelden oder ein Konto erstellen)',
    SignIn: 'Nur Benutzer mit einem Konto',
    Register: 'Nur neue Benutzer',
    methodsLead:
      'Womit Benutzer sich anmelden und womit sie sich ausweisen. Codes brauchen einen Konnektor, der sie verschickt.',
    code: 'Code',
    primary: 'Passwort zuerst',
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
