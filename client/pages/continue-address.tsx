import { maskIdentifier } from '../../src/domain/masking.ts'
import { useHere, useT } from '../context/boot.tsx'
import { IdentifierField } from '../forms/identifier-field.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { missingAddresses, missingNameProblems } from '../journeys/continue.ts'
import { identifierNames } from '../journeys/identifier-names.ts'
import { StepFrame } from '../layout/frame.tsx'
import { Button } from '../ui/button.tsx'

/** The address that an account lacks (spec/pages#continue). */
export default function ContinueAddressPage() {
  const t = useT()
  const { path, navigation } = useHere()
  const accepted = missingAddresses(path)
  const known = navigation?.identifier
  const words = accepted.length > 1 ? 'email_or_phone' : (accepted[0] ?? 'email')
  return (
    <StepFrame
      title={t(`description.link_${words}`)}
      description={t(`description.link_${words}_description`)}
    >
      <JourneyForm validate={missingNameProblems}>
        {(problems) => (
          <>
            <IdentifierField
              accepted={accepted}
              problem={problems.identifier}
              defaultValue={accepted.some((type) => type === known?.type) ? known : undefined}
            />
            <Button name="submit">{t('action.continue')}</Button>
          </>
        )}
      </JourneyForm>
      <TakenSocialAddress />
    </StepFrame>
  )
}

/** The address of the social account belongs to another account (spec/pages#continue). */
function TakenSocialAddress() {
  const t = useT()
  const { email, phone } = useHere().navigation?.registeredSocialIdentity ?? {}
  const identifier = email
    ? ({ type: 'email', value: email } as const)
    : phone
      ? ({ type: 'phone', value: phone } as const)
      : null
  if (!identifier) return null
  return (
    <p className="notice">
      {t('description.social_identity_exist', {
        type: t(identifierNames[identifier.type]),
        value: maskIdentifier(identifier),
      })}
    </p>
  )
}
