import { useState } from 'react'
import { phrases, useT } from '../phrases.ts'
import { Button } from '../ui/button.tsx'
import { signIn, signOut } from './session.ts'

const texts = phrases({
  en: {
    title: 'Console',
    lead: 'Sign in with your own account. It needs a role for administrators.',
    signIn: 'Sign in',
    failed: 'The sign-in did not work: {error}',
    noneTitle: 'Your account is no administrator',
    noneLead:
      'Someone who is one can give you a role, or run “npm run admin -- invite” and send you the link.',
    other: 'Use another account',
  },
  de: {
    title: 'Konsole',
    lead: 'Melden Sie sich mit Ihrem Konto an. Es braucht eine Rolle für Administratoren.',
    signIn: 'Anmelden',
    failed: 'Die Anmeldung hat nicht funktioniert: {error}',
    noneTitle: 'Ihr Konto hat keine Rolle für Administratoren',
    noneLead:
      'Ein Administrator kann Ihnen eine Rolle zuweisen oder „npm run admin -- invite“ ausführen und Ihnen den Link schicken.',
    other: 'Anderes Konto verwenden',
  },
})

export function SignIn({ error: before }: { error?: string | undefined }) {
  const t = useT(texts)
  const [error, setError] = useState(before)
  const begin = () => signIn().catch((failure: Error) => setError(failure.message))
  return (
    <main className="plain">
      <img src="/favicon.svg" width="40" height="40" alt="" />
      <h1>{t('title')}</h1>
      <p>{t('lead')}</p>
      {error && (
        <p className="alert" role="alert">
          {t('failed', { error })}
        </p>
      )}
      <Button kind="primary" onPress={begin}>
        {t('signIn')}
      </Button>
    </main>
  )
}

/** For a user whose roles open no part of the management API. */
export function NoAdministrator() {
  const t = useT(texts)
  return (
    <main className="plain">
      <h1>{t('noneTitle')}</h1>
      <p>{t('noneLead')}</p>
      <Button kind="primary" onPress={signOut}>
        {t('other')}
      </Button>
    </main>
  )
}
