import { useState } from 'react'
import { signInFailureOf } from '../api/explanation.ts'
import { phrases, useT } from '../phrases.ts'
import { Button } from '../ui/button.tsx'
import { signIn, signOut } from './session.ts'

const texts = phrases({
  en: {
    title: 'Console',
    lead: 'Sign in with your own account. It needs a role for administrators.',
    signIn: 'Sign in',
    declined: 'The sign-in was cancelled. Begin again.',
    stale: 'This sign-in was begun in another tab or too long ago. Begin again.',
    offline: 'The server does not answer. Check your connection and begin again.',
    unavailable: 'The server cannot sign you in at the moment. Begin again in a minute.',
    other:
      'The sign-in did not work ({code}). Begin again; if it fails again, give this text to those who operate the server.',
    noneTitle: 'Your account is no administrator',
    noneLead:
      'Someone who is one can give you a role, or run “npm run admin -- invite” and send you the link.',
    otherAccount: 'Use another account',
  },
  de: {
    title: 'Konsole',
    lead: 'Melden Sie sich mit Ihrem Konto an. Es braucht eine Rolle für Administratoren.',
    signIn: 'Anmelden',
    declined: 'Die Anmeldung wurde abgebrochen. Beginnen Sie neu.',
    stale: 'Diese Anmeldung wurde in einem anderen Tab oder vor zu langer Zeit begonnen. Beginnen Sie neu.',
    offline: 'Der Server antwortet nicht. Prüfen Sie Ihre Verbindung und beginnen Sie neu.',
    unavailable: 'Der Server kann Sie gerade nicht anmelden. Beginnen Sie in einer Minute neu.',
    other:
      'Die Anmeldung hat nicht funktioniert ({code}). Beginnen Sie neu; schlägt sie wieder fehl, geben Sie diesen Text denen, die den Server betreiben.',
    noneTitle: 'Ihr Konto hat keine Rolle für Administratoren',
    noneLead:
      'Ein Administrator kann Ihnen eine Rolle zuweisen oder „npm run admin -- invite“ ausführen und Ihnen den Link schicken.',
    otherAccount: 'Anderes Konto verwenden',
  },
})

/** `error` is what the sign-in before has ended with. */
export function SignIn({ error: before }: { error?: unknown }) {
  const t = useT(texts)
  const [error, setError] = useState(before)
  const failure = error === undefined ? null : signInFailureOf(error)
  const begin = () => signIn().catch(setError)
  return (
    <main className="plain">
      <img src="/favicon.svg" width="40" height="40" alt="" />
      <h1>{t('title')}</h1>
      <p>{t('lead')}</p>
      {failure && (
        <p className="alert" role="alert">
          {t(failure.kind, failure)}
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
        {t('otherAccount')}
      </Button>
    </main>
  )
}
