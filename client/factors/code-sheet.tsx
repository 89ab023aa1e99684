import { printPage } from '../browser/print-page.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { CopyButton } from './enrolment.tsx'

/**
 * Shows backup codes and the ways to keep them. `onSaved` is called when the user has taken one of these ways. A
 * download needs no JavaScript.
 */
export function CodeSheet({ codes, onSaved }: { codes: readonly string[]; onSaved?: () => void }) {
  const t = useT()
  const { name } = useBoot().experience.branding
  const lines = codes.join('\n')
  const title = [name, t('vestibule.factor_codes_title')].filter(Boolean).join(' · ')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${title}\n\n${lines}\n`)}`
  const print = () => {
    printPage()
    onSaved?.()
  }
  return (
    <>
      <ul className="backup-codes" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="code-actions">
        <ButtonLink kind="quiet" href={file} download="backup-codes.txt" onClick={onSaved}>
          {t('vestibule.factor_download')}
        </ButtonLink>
        <CopyButton
          text={lines}
          label={t('vestibule.factor_codes_copy')}
          {...(onSaved && { onCopied: onSaved })}
        />
        <button type="button" className="button button-quiet needs-script" data-print onClick={print}>
          <span className="button-label">{t('vestibule.factor_print')}</span>
        </button>
      </div>
    </>
  )
}
