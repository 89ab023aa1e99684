import { lazy, useEffect, useRef, useState } from 'react'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Card } from '../../ui/page.tsx'
import type { Application } from './application.ts'
import { canKeepSecret } from './kinds.ts'
import { secretPhrases } from './phrases.ts'

const SecretRotation = lazy(() => import('./secret-rotation.tsx'))

/**
 * Shows a secret only right after it was generated. A lost secret has to be replaced
 * (spec/console#application-secrets). A secret that is generated while the page is open receives the focus.
 */
export function SecretCard({
  application,
  secret,
  onRotated,
}: {
  application: Application
  secret: string | null
  onRotated: (secret: string) => void
}) {
  const t = useT(secretPhrases)
  const mayWrite = useCan('applications:write')
  const [initialSecret] = useState(secret)
  const { type, customClientMetadata } = application
  if (!canKeepSecret(type)) return null
  if (customClientMetadata.jwks || customClientMetadata.jwksUri)
    return (
      <Card title={t('clientSecret')}>
        <p>{t('keys')}</p>
      </Card>
    )
  return (
    <Card title={t('clientSecret')} lead={secret ? undefined : t('hidden')}>
      {secret && <NewSecret key={secret} secret={secret} takesFocus={secret !== initialSecret} />}
      {mayWrite && <SecretRotation application={application} mayReplace={!secret} onRotated={onRotated} />}
    </Card>
  )
}

/**
 * Shows a new secret until the user leaves the page. With `takesFocus`, it replaces the button that generated it,
 * receives focus and scrolls into view.
 */
export function NewSecret({ secret, takesFocus = false }: { secret: string; takesFocus?: boolean }) {
  const t = useT(secretPhrases)
  const [isShown, setShown] = useState(false)
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) notice.current?.focus()
  }, [takesFocus])
  return (
    <div ref={notice} className="new-secret" tabIndex={-1}>
      <p>{t('once')}</p>
      <div className="secret-row">
        <Copyable
          label={t('clientSecret')}
          value={secret}
          display={isShown ? secret : '•'.repeat(secret.length)}
        />
        <Button aria-pressed={isShown} onPress={() => setShown(!isShown)}>
          {t(isShown ? 'hide' : 'show')}
        </Button>
      </div>
    </div>
  )
}
