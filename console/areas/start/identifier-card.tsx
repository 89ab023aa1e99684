import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import type { AdminConsole } from '../../../src/contract/tenants/admin-console.schema.ts'
import type { DoctorReport } from '../../../src/contract/tenants/doctor.schema.ts'
import type { ManagedByCode } from '../../../src/contract/tenants/managed-by-code.schema.ts'
import type { User } from '../../../src/contract/users/users.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { MANAGED_PATH } from '../../managed-by-code.tsx'
import { phrases, useT } from '../../phrases.ts'
import { useCan, usePermissions } from '../../session/permissions.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { emailSettings, findMailTarget, shouldAskForIdentifier } from './identifier-question.ts'
import type { StartFacts } from './lacks.ts'

const texts = phrases({
  en: {
    question: 'What do your users sign in with?',
    questionLead: 'This sets up sign-up and sign-in together. You can change it at any time.',
    useEmail: 'Email address',
    useEmailWhy:
      'New users enter their email address, verify it with a code and choose a password. Accounts with a username can still sign in with it.',
    useUsername: 'Username',
    useUsernameWhy: 'New users choose a username and a password. We don’t send any messages.',
    connector: 'Codes are sent by your email connector.',
    inbox:
      'Codes need an email connector before you go live. Until then, the messages go to the development inbox at /dev/inbox.',
    nowhere: 'Codes need an email connector, so install one first.',
    useEmailDo: 'Use email addresses',
    useUsernameDo: 'Use usernames',
    addConnector: 'Add a connector',
    noOwnAddress:
      'Your own account has no email address. You’ll keep signing in as before, but you can’t reset a forgotten password by email.',
    skip: 'Skip',
    emailChosen: 'Users now sign up and sign in with their email address',
    usernameChosen: 'Users sign up and sign in with a username',
  },
  de: {
    question: 'Womit melden sich Ihre Benutzer an?',
    questionLead: 'Das richtet Registrierung und Anmeldung zusammen ein. Sie können es jederzeit ändern.',
    useEmail: 'E-Mail-Adresse',
    useEmailWhy:
      'Neue Benutzer geben ihre E-Mail-Adresse ein, bestätigen sie mit einem Code und wählen ein Passwort. Konten mit Benutzernamen können sich weiter damit anmelden.',
    useUsername: 'Benutzername',
    useUsernameWhy:
      'Neue Benutzer wählen einen Benutzernamen und ein Passwort. Wir senden keine Nachrichten.',
    connector: 'Ihr E-Mail-Konnektor sendet die Codes.',
    inbox:
      'Für die Codes brauchen Sie vor der Inbetriebnahme einen E-Mail-Konnektor. Bis dahin landen die Nachrichten im Posteingang für Entwickler unter /dev/inbox.',
    nowhere: 'Die Codes brauchen einen E-Mail-Konnektor. Installieren Sie zuerst einen.',
    useEmailDo: 'E-Mail-Adressen verwenden',
    useUsernameDo: 'Benutzernamen verwenden',
    addConnector: 'Konnektor hinzufügen',
    noOwnAddress:
      'Ihr eigenes Konto hat keine E-Mail-Adresse. Sie melden sich weiter wie bisher an, können ein vergessenes Passwort aber nicht per E-Mail zurücksetzen.',
    skip: 'Überspringen',
    emailChosen: 'Benutzer registrieren sich und melden sich jetzt mit ihrer E-Mail-Adresse an',
    usernameChosen: 'Benutzer registrieren sich und melden sich mit einem Benutzernamen an',
  },
})

const EXPERIENCE_PATH = '/sign-in-exp'
const CHECKLIST_PATH = '/configs/admin-console'

type Facts = {
  report: z.output<typeof DoctorReport>
  connectors: NonNullable<StartFacts['connectors']>
}

/** Asks, once per tenant, whether end users sign in with a username or an email address (spec/console#first-run). */
export default function IdentifierCard({ report, connectors }: Facts) {
  const t = useT(texts)
  const notify = useNotify()
  const change = useChange()
  const experience = useApi<SignInExperience>(EXPERIENCE_PATH).data
  const checklist = useApi<z.output<typeof AdminConsole>>(CHECKLIST_PATH).data
  const code = useApi<z.output<typeof ManagedByCode>>(MANAGED_PATH).data
  const isWithoutAddress = useIsWithoutAddress()
  if (!experience || !checklist || !code) return null
  const facts = { experience: experience.data, checklist: checklist.data, code: code.data }
  if (!shouldAskForIdentifier(facts)) return null
  const target = findMailTarget(connectors, report.environment)

  const close = () => change(CHECKLIST_PATH, { method: 'PATCH', body: { signInExperienceCustomized: true } })
  const chooseEmail = async () => {
    await change(EXPERIENCE_PATH, {
      method: 'PATCH',
      body: emailSettings(experience.data),
      // If somebody else has changed the settings meanwhile, the question no longer applies.
      ifMatch: experience.etag,
      invalidates: [EXPERIENCE_PATH, '/configs/doctor'],
    })
    await close()
    notify.success(t('emailChosen'))
  }
  const chooseUsername = async () => {
    await close()
    notify.success(t('usernameChosen'))
  }
  return (
    <Card
      title={t('question')}
      lead={t('questionLead')}
      actions={
        <Button kind="quiet" onPress={close}>
          {t('skip')}
        </Button>
      }
    >
      <ul className="lacks">
        <Choice name="useEmail" hints={[t(target), ...(isWithoutAddress ? [t('noOwnAddress')] : [])]}>
          {target === 'nowhere' ? (
            <ButtonLink href="/connectors">{t('addConnector')}</ButtonLink>
          ) : (
            <Button onPress={chooseEmail}>{t('useEmailDo')}</Button>
          )}
        </Choice>
        <Choice name="useUsername">
          <Button onPress={chooseUsername}>{t('useUsernameDo')}</Button>
        </Choice>
      </ul>
    </Card>
  )
}

/** Checks whether the operator's own account is known to have no email address. */
function useIsWithoutAddress(): boolean {
  const { userId } = usePermissions()
  const isEnabled = useCan('users:read')
  const own = useApi<Pick<User, 'primaryEmail'>>(`/users/${encodeURIComponent(userId)}`, { isEnabled }).data
  return own?.data.primaryEmail === null
}

type ChoiceProps = { name: 'useEmail' | 'useUsername'; hints?: readonly string[]; children: ReactNode }

function Choice({ name, hints = [], children }: ChoiceProps) {
  const t = useT(texts)
  return (
    <li className="lack">
      <div>
        <h3>{t(name)}</h3>
        <p>{t(`${name}Why`)}</p>
        {hints.map((hint) => (
          <p key={hint} className="hint">
            {hint}
          </p>
        ))}
      </div>
      {children}
    </li>
  )
}
