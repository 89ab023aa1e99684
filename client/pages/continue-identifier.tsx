import { maskIdentifier } from '../../src/domain/masking.ts'
import { useCurrentPage, useT } from '../context/boot.tsx'
import { IdentifierForm } from '../forms/identifier-form.tsx'
import { missingIdentifierTypesAt, validateMissingIdentifier } from '../journeys/continue.ts'
import { identifierNames } from '../journeys/identifier-names.ts'
import { StepFrame } from '../layout/frame.tsx'
import type { PageFields } from '../reactions/reactions.ts'

const words = { username: 'enter_username', email: 'link_email', phone: 'link_phone' } as const

export const fields: PageFields = () => ({ send: ['identifier'] })

/** Asks for the username, email address or phone number that an account lacks (spec/pages#continue). */
export default function ContinueIdentifierPage() {
  const t = useT()
  const accepted = missingIdentifierTypesAt(useCurrentPage().path)
  const [only = 'email', ...more] = accepted
  const phrase = more.length > 0 ? 'link_email_or_phone' : words[only]
  return (
    <StepFrame title={t(`description.${phrase}`)} description={t(`description.${phrase}_description`)}>
      <IdentifierForm accepted={accepted} validate={validateMissingIdentifier} />
      {only !== 'username' && <TakenSocialAddress />}
    </StepFrame>
  )
}

/** Explains that the social account's address belongs to another account here (spec/pages#continue). */
function TakenSocialAddress() {
  const t = useT()
  const { email, phone } = useCurrentPage().navigation?.registeredSocialIdentity ?? {}
  const type = email ? 'email' : 'phone'
  const value = email || phone
  if (!value) return null
  return (
    <p className="description aside">
      {t('description.social_identity_exist', {
        type: t(identifierNames[type]),
        value: maskIdentifier({ type, value }),
      })}
    </p>
  )
}
