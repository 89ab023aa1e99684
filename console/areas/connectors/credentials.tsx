import { type ReactNode, useEffect, useRef } from 'react'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusReturn } from '../../ui/focus.ts'
import { Card } from '../../ui/page.tsx'
import type { CheckState } from './credential-check.ts'
import { failureTexts } from './failure-phrases.ts'
import { describeVerdict, isFailure, type Verdict } from './verdict.ts'
import { verdictTexts } from './verdict-phrases.ts'

const texts = phrases({
  en: {
    title: 'Credentials',
    lead: 'Check whether the provider recognizes the settings below, even if you haven’t saved them. This doesn’t save anything or sign anyone in.',
    check: 'Check the credentials',
    again: 'Check again',
    asking: 'Checking with the provider…',
    at: 'Checked at {time}',
    refusedDo:
      'The connector won’t work with these credentials. Compare them, character by character, with the ones that the provider shows. Correct them below and save; we’ll check them again.',
    unclearDo: 'Test the connector to be sure.',
    unreachableDo: 'If you’ve entered any URLs below, check them. Otherwise, try again in a minute.',
    unsupportedDo: 'Test the connector to see whether they’re right.',
    offered: 'Users see the button on the sign-in page, but they can’t sign in with it.',
    correct: 'Correct the credentials',
    hide: 'Hide the button for now',
  },
  de: {
    title: 'Zugangsdaten',
    lead: 'Prüfen Sie, ob der Anbieter die Einstellungen unten kennt, gespeichert oder nicht. Dabei wird nichts gespeichert und niemand angemeldet.',
    check: 'Zugangsdaten prüfen',
    again: 'Erneut prüfen',
    asking: 'Der Anbieter wird gefragt …',
    at: 'Geprüft um {time}',
    refusedDo:
      'So funktioniert der Konnektor nicht. Vergleichen Sie die Zugangsdaten Zeichen für Zeichen mit dem, was der Anbieter anzeigt. Tragen Sie unten die richtigen ein und speichern Sie: Dann werden sie erneut geprüft.',
    unclearDo: 'Testen Sie den Konnektor, um sicher zu sein.',
    unreachableDo:
      'Falls Sie unten Adressen eingestellt haben, prüfen Sie sie. Sonst versuchen Sie es in einer Minute erneut.',
    unsupportedDo: 'Testen Sie den Konnektor: Das zeigt, ob sie stimmen.',
    offered: 'Benutzer sehen den Button auf der Anmeldeseite, können sich damit aber nicht anmelden.',
    correct: 'Zugangsdaten korrigieren',
    hide: 'Button vorerst ausblenden',
  },
})

const advice = {
  accepted: null,
  refused: 'refusedDo',
  unclear: 'unclearDo',
  unreachable: 'unreachableDo',
  unsupported: 'unsupportedDo',
} as const

type CredentialsProps = {
  checked: CheckState
  onCheck: () => void
  onCorrect: () => void
  /**
   * Removes the button from the sign-in page. Null if the page doesn't show the button or this administrator may not
   * hide it.
   */
  onHide: (() => Promise<void>) | null
}

/**
 * Shows the result of a credential check. A failure is scrolled into view, because the check also runs after an
 * installation and after a save.
 */
export function Credentials({ checked, onCheck, onCorrect, onHide }: CredentialsProps) {
  const t = useT(texts)
  const { clock } = useFormats()
  const result = checked === 'asking' ? null : checked
  const isFailed = result !== null && isFailure(result.verdict)
  // Credentials that the provider has not seen may be right, so the first thing to do is to try again.
  const isUnreachable = result?.verdict.outcome === 'unreachable'
  const checkButton = (
    <Button {...(isUnreachable && { kind: 'primary' })} isDisabled={checked === 'asking'} onPress={onCheck}>
      {t(isUnreachable ? 'again' : 'check')}
    </Button>
  )
  const place = useRef<HTMLDivElement>(null)
  const returnFocus = useFocusReturn(place)
  useEffect(() => {
    if (isFailed) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isFailed])
  return (
    <div className="verdict" ref={place}>
      <Card title={t('title')}>
        <div className={isFailed ? 'alert' : ''} role={isFailed ? 'alert' : 'status'}>
          {result ? (
            <VerdictText verdict={result.verdict}>
              {isFailed && onHide && <p>{t('offered')}</p>}
              <p className="hint">{t('at', { time: clock(result.at) })}</p>
            </VerdictText>
          ) : (
            <p className="hint">{t(checked === 'asking' ? 'asking' : 'lead')}</p>
          )}
        </div>
        <div className="actions">
          {isUnreachable && checkButton}
          {isFailed && (
            <Button {...(!isUnreachable && { kind: 'primary' })} onPress={onCorrect}>
              {t('correct')}
            </Button>
          )}
          {isFailed && onHide && (
            <Button
              onPress={async (event) => {
                await onHide()
                returnFocus(event)
              }}
            >
              {t('hide')}
            </Button>
          )}
          {!isUnreachable && checkButton}
        </div>
      </Card>
    </div>
  )
}

function VerdictText({ verdict, children }: { verdict: Verdict; children: ReactNode }) {
  const t = useT(texts, verdictTexts, failureTexts)
  const { phrase, word } = describeVerdict(verdict)
  const todo = advice[verdict.outcome]
  return (
    <>
      <p className={`said ${verdict.outcome}`}>
        {t(phrase)} {word && t('because', { reason: word })}
      </p>
      {todo && <p>{t(todo)}</p>}
      {children}
    </>
  )
}
