import type { ReactNode, RefObject } from 'react'
import { useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { APP_CODE_FIELD, appCodeProblems } from './journeys.ts'

/** The code that an authenticator app shows, in one field: it is pasted as often as typed (spec/pages#second-factor). */
export function AppCodeForm({
  box,
  children,
}: {
  box?: RefObject<HTMLInputElement | null>
  children?: ReactNode
}) {
  const t = useT()
  return (
    <JourneyForm validate={appCodeProblems}>
      {(problems) => (
        <>
          <Field
            name={APP_CODE_FIELD}
            {...(box && { box })}
            label={t('vestibule.verification_code')}
            problem={problems[APP_CODE_FIELD]}
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            maxLength={16}
            required
          />
          {children}
          <Button name="submit">{t('action.continue')}</Button>
        </>
      )}
    </JourneyForm>
  )
}
