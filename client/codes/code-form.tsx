import { type ReactNode, type RefObject, useState } from 'react'
import type { FieldName } from '../../src/contract/interactions/boot.ts'
import type { CodeReceiver } from '../browser/code-boxes.ts'
import { useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { validateCodeIn } from '../journeys/read-code.ts'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { Button } from '../ui/button.tsx'
import { CodeField } from './code-field.tsx'

/** The main form of every sign-in page that asks for a code of six digits (spec/pages#code-boxes). */
export function CodeForm({
  name,
  field,
  hasInitialFocus,
  receive,
  children,
}: {
  name: FieldName
  field?: RefObject<HTMLFieldSetElement | null>
  hasInitialFocus?: boolean | undefined
  receive?: CodeReceiver | undefined
  /** The fields above the boxes. The last digit sends the form, so fields below the boxes would come too late. */
  children?: ReactNode
}) {
  const t = useT()
  const { running } = useReactionDispatcher()
  const [isLeaving, setLeaving] = useState(false)
  return (
    <JourneyForm
      validate={validateCodeIn(name)}
      onReaction={({ kind }) => setLeaving(kind === 'goTo' || kind === 'leave')}
    >
      {(problems) => (
        <>
          {children}
          <CodeField
            name={name}
            problem={problems[name]}
            field={field}
            hasInitialFocus={hasInitialFocus}
            // A page that is restored from the browser's cache no longer waits for the next one.
            isAccepted={isLeaving && running !== null}
            receive={receive}
          />
          <Button name="submit">{t('action.continue')}</Button>
        </>
      )}
    </JourneyForm>
  )
}
