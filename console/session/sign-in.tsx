import { useState } from 'react'
import { classifySignInFailure } from '../api/explanation.ts'
import { phrases, useT } from '../phrases.ts'
import { Button } from '../ui/button.tsx'
import { signIn, signOut } from './session.ts'

const texts = phrases({
  en: {
    title: 'Console',
    lead: 'Sign in with your own account, which must have an administrator role.',
    signIn: 'Sign in',
    declined: 'The sign-in was canceled. Try again.',
    stale: 'This sign-in was started in another tab or too long ago. Try again.',
    offline: 'The server isn’t responding. Check your connection and try again.',
    unavailable: 'The server can’t sign you in right now. Try again in a minute.',
    other:
      'The sign-in didn’t work ({code}). Try again. If it still doesn’t work, send this message to whoever runs the server.',
    noneTitle: 'Your account doesn’t have an administrator role',
    noneLead: 'An administrator can give you a role, or run “npm run admin -- invite” and send you the link.',
    otherAccount: 'Use another account',
  },
  de: {
    title: 'Konsole',
    lead: 'Melden Sie sich mit Ihrem Konto an. Es braucht eine Rolle für Administratoren.',
    signIn: 'Anmelden',
    declined: 'Die Anmeldung wurde abgebrochen. Versuchen Sie es erneut.',
    stale:
      'Diese Anmeldung wurde in einem anderen Tab oder vor zu langer Zeit begonnen. Versuchen Sie es erneut.',
    offline: 'Der Server antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    unavailable: 'Der Server kann Sie gerade nicht anmelden. Versuchen Sie es in einer Minute erneut.',
    other:
      'Die Anmeldung hat nicht funktioniert ({code}). Versuchen Sie es erneut. Funktioniert es weiterhin nicht, schicken Sie diesen Text denen, die den Server betreiben.',
    noneTitle: 'Ihr Konto hat keine Rolle für Administratoren',
    noneLead:
      'Ein Administrator kann Ihnen eine Rolle zuweisen oder „npm run admin -- invite“ ausführen und Ihnen den Link schicken.',
    otherAccount: 'Anderes Konto verwenden',
  },
})

/** `error` is the error of the previous sign-in. */
export function SignIn({ error: initialError }: { error?: unknown }) {
  const t = useT(texts)
  const [error, setError] = useState(initialError)
  const failure = error === undefined ? null : classifySignInFailure(error)
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

/** The screen for users whose roles give no access to the management API. */
export function NotAnAdministrator() {
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
