import { useState } from 'react'
import { bytesToBase64Url } from '../../../src/domain/base64.ts'
import { useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { type Application, createTrial } from './application.ts'
import { trialPhrases } from './phrases.ts'

const issuer = `${apiOrigin}/oidc`

/** Opens the sign-in of an application as its users see it (spec/console#application-trial). */
export function TryIt({ application }: { application: Application }) {
  const t = useT(trialPhrases)
  return (
    <DialogButton text={t('title')}>
      {(close) => <TrialDialog application={application} onClose={close} />}
    </DialogButton>
  )
}

function TrialDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const t = useT(trialPhrases)
  const [challenge] = useState(randomChallenge)
  const trial = createTrial(application, issuer, challenge)
  const returnsTo = trial.kind === 'request' ? trial.returnsTo : ''
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <p>{t(trial.kind, { returnsTo })}</p>
      <div className="actions">
        <Button onPress={onClose}>{t('close')}</Button>
        {'address' in trial ? (
          <a
            className="button primary"
            href={trial.address}
            target="_blank"
            rel="noreferrer"
            onClick={onClose}
          >
            {t('open')}
          </a>
        ) : (
          <ButtonLink kind="primary" href={`/applications/${application.id}/guide`} onClick={onClose}>
            {t('toGuide')}
          </ButtonLink>
        )}
      </div>
    </Dialog>
  )
}

/**
 * Returns 32 random bytes in base64url. They look like a SHA-256 hash (RFC 7636 §4.2), but nobody knows a matching
 * verifier.
 */
const randomChallenge = () => bytesToBase64Url(crypto.getRandomValues(new Uint8Array(32)))
