import type { ReactNode } from 'react'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { useT } from '../context/boot.tsx'
import type { PhraseKey } from '../context/phrases.ts'
import type { FieldProblems } from '../journeys/problems.ts'
import { Button } from '../ui/button.tsx'
import { IdentifierField } from './identifier-field.tsx'
import { JourneyForm, type JourneyFormProps } from './journey-form.tsx'

/** The main form of a page that asks for an identifier and possibly other fields. */
export function IdentifierForm({
  accepted,
  isFirst,
  hasPassword,
  button = 'action.continue',
  children,
  ...form
}: Pick<JourneyFormProps, 'validate' | 'resolve'> & {
  accepted: readonly IdentifierType[]
  isFirst?: true
  hasPassword?: boolean
  button?: PhraseKey
  /** The content below the identifier field. */
  children?: (problems: FieldProblems) => ReactNode
}) {
  const t = useT()
  return (
    <JourneyForm {...form}>
      {(problems) => (
        <>
          <IdentifierField
            accepted={accepted}
            problem={problems.identifier}
            isFirst={isFirst}
            hasPassword={hasPassword}
          />
          {children?.(problems)}
          <Button name="submit">{t(button)}</Button>
        </>
      )}
    </JourneyForm>
  )
}
