import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../../phrases.ts'
import { provedAt, signIn } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { texts } from './phrases.ts'
import { isRecentProof, OLDEST_PROOF } from './proof-age.ts'

/** Before something is typed or chosen that a sign-in would lose: asks for the sign-in first if it is old. */
export function RecentSignIn({ children }: { children: ReactNode }) {
  const t = useT(texts)
  const [isRecent, setRecent] = useState<boolean | null>(null)
  useEffect(() => {
    let isCurrent = true
    void provedAt().then((at) => isCurrent && setRecent(isRecentProof(at)))
    return () => {
      isCurrent = false
    }
  }, [])
  if (isRecent === null) return null
  if (isRecent) return children
  return (
    <div className="alert" role="alert">
      <p>{t('oldSignIn')}</p>
      <Button kind="primary" onPress={() => signIn({ max_age: OLDEST_PROOF / 1000 })}>
        {t('signInFirst')}
      </Button>
    </div>
  )
}
