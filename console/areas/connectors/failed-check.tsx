import { phrases, useT } from '../../phrases.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { failureTexts } from './failure-phrases.ts'
import { describeVerdict, type Verdict } from './verdict.ts'
import { verdictTexts } from './verdict-phrases.ts'

const texts = phrases({
  en: {
    question: 'Install it even though the check failed?',
    willFail: 'If you install it, messages will fail until you correct the settings.',
    installAnyway: 'Install anyway',
  },
  de: {
    question: 'Trotz fehlgeschlagener Prüfung installieren?',
    willFail: 'Wenn Sie ihn installieren, schlagen Nachrichten fehl, bis Sie die Einstellungen korrigieren.',
    installAnyway: 'Trotzdem installieren',
  },
})

type FailedCheckProps = { verdict: Verdict; onInstall: () => Promise<unknown>; onClose: () => void }

/** Asks whether to install a connector whose messages would fail. */
export default function FailedCheck({ verdict, onInstall, onClose }: FailedCheckProps) {
  const t = useT(texts, verdictTexts, failureTexts)
  const { phrase, word } = describeVerdict(verdict)
  const sentences = [t(phrase), ...(word ? [t('because', { reason: word })] : []), t('willFail')]
  return (
    <ConfirmDialog
      title={t('question')}
      lead={sentences.join(' ')}
      action={t('installAnyway')}
      onConfirm={onInstall}
      onClose={onClose}
    />
  )
}
