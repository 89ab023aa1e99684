import { type ReactNode, useEffect, useState } from 'react'
import { phrases, useT } from '../phrases.ts'
import { readAuthTime, signIn } from '../session/session.ts'
import { isRecentSignIn, MAX_SIGN_IN_AGE } from '../session/step-up.ts'
import { Button } from './button.tsx'

const texts = phrases({
  en: {
    oldSignIn:
      'To do this, you need to have signed in within the last hour. Sign in again first, because what you enter here won’t be kept.',
    signInFirst: 'Sign in again',
  },
  de: {
    oldSignIn:
      'Dafür muss Ihre Anmeldung weniger als eine Stunde alt sein. Melden Sie sich zuerst an, denn was Sie hier eingeben, bleibt nicht erhalten.',
    signInFirst: 'Erneut anmelden',
  },
})

/**
 * Asks users whose sign-in is old to sign in again before it shows its children, because signing in later would
 * discard the values in the fields.
 */
export function RequireStepUp({ children }: { children: ReactNode }) {
  const t = useT(texts)
  const [isRecent, setRecent] = useState<boolean | null>(null)
  useEffect(() => {
    let isCurrent = true
    void readAuthTime().then((at) => isCurrent && setRecent(isRecentSignIn(at)))
    return () => {
      isCurrent = false
    }
  }, [])
  if (isRecent === null) return null
  if (isRecent) return children
  return (
    <div className="alert" role="alert">
      <p>{t('oldSignIn')}</p>
      <Button kind="primary" onPress={() => signIn({ max_age: MAX_SIGN_IN_AGE / 1000 })}>
        {t('signInFirst')}
      </Button>
    </div>
  )
}
