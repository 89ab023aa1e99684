import { type ReactNode, useEffect, useRef } from 'react'
import { phrases, useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { useReturnOfFocus } from '../../ui/focus.ts'
import { Card } from '../../ui/page.tsx'
import type { CheckState } from './credential-check.ts'
import { isFailure, phraseOf, type Verdict } from './verdict.ts'

const texts = phrases({
  en: {
    title: 'Credentials',
    lead: 'Whether the provider knows the settings below, saved or not. Nothing is saved and nobody is signed in.',
    check: 'Check the credentials',
    asking: 'The provider is asked …',
    at: 'Checked at {time}',
    accepted: 'The provider knows the credentials.',
    refused: 'The provider refuses the credentials.',
    refusedDo:
      'The connector does not work like this. Compare them with what the provider shows, letter by letter, enter the right ones below and save: they are checked again then.',
    unclear: 'The provider neither confirms nor refuses the credentials.',
    unclearDo: 'Test it to be sure.',
    unreachable: 'The provider does not answer.',
    tooLate: 'The provider does not answer in time.',
    unreadable: 'The answer of the provider cannot be read.',
    unreachableDo: 'Look at the addresses below, if you have set any. Else try again in a minute.',
    unsupported: 'This provider offers no way to check credentials.',
    unsupportedDo: 'Test it: that shows whether they are right.',
    because: 'The provider says: {reason}',
    offered: 'Users see the button on the sign-in page, and cannot sign in with it.',
    correct: 'Correct the credentials',
    hide: 'Hide the button until then',
  },
  de: {
    title: 'Zugangsdaten',
    lead: 'Ob der Anbieter die Einstellungen unten kennt, gespeichert oder nicht. Nichts wird gespeichert und niemand angemeldet.',
    check: 'Zugangsdaten prüfen',
    asking: 'Der Anbieter wird gefragt …',
    at: 'Geprüft um {time}',
    accepted: 'Der Anbieter kennt die Zugangsdaten.',
    refused: 'Der Anbieter lehnt die Zugangsdaten ab.',
    refusedDo:
      'So funktioniert der Konnektor nicht. Vergleichen Sie sie Zeichen für Zeichen mit dem, was der Anbieter anzeigt, tragen Sie unten die richtigen ein und speichern Sie: Dann werden sie erneut geprüft.',
    unclear: 'Der Anbieter bestätigt die Zugangsdaten nicht und lehnt sie nicht ab.',
    unclearDo: 'Testen Sie den Konnektor, um sicher zu sein.',
    unreachable: 'Der Anbieter antwortet nicht.',
    tooLate: 'Der Anbieter antwortet nicht rechtzeitig.',
    unreadable: 'Die Antwort des Anbieters ist nicht lesbar.',
    unreachableDo:
      'Sehen Sie sich die Adressen unten an, falls Sie welche eingestellt haben. Sonst versuchen Sie es in einer Minute erneut.',
    unsupported: 'Bei diesem Anbieter lassen sich Zugangsdaten nicht prüfen.',
    unsupportedDo: 'Testen Sie den Konnektor: Das zeigt, ob sie stimmen.',
    because: 'Der Anbieter sagt: {reason}',
    offered: 'Benutzer sehen den Button auf der Anmeldeseite und können sich damit nicht anmelden.',
    correct: 'Zugangsdaten korrigieren',
    hide: 'Button so lange ausblenden',
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
  /** Takes the button off the sign-in page; null if it is not there, or is not this administrator's to change. */
  onHide: (() => Promise<void>) | null
}

/** A failure comes into view by itself: it is asked for after an installation and a save, too. */
export function Credentials({ checked, onCheck, onCorrect, onHide }: CredentialsProps) {
  const t = useT(texts)
  const { clock } = useFormats()
  const result = checked === 'asking' ? null : checked
  const isFailed = result !== null && isFailure(result.verdict)
  const place = useRef<HTMLDivElement>(null)
  const returnFocus = useReturnOfFocus(place)
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
          {isFailed && (
            <Button kind="primary" onPress={onCorrect}>
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
          <Button isDisabled={checked === 'asking'} onPress={onCheck}>
            {t('check')}
          </Button>
        </div>
      </Card>
    </div>
  )
}

function VerdictText({ verdict, children }: { verdict: Verdict; children: ReactNode }) {
  const t = useT(texts)
  const { phrase, word } = phraseOf(verdict)
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
