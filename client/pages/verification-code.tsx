import { useRef } from 'react'
import { receiveCode } from '../browser/text-message.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { queryWithoutInteraction } from '../context/paths.ts'
import { IdentityChip } from '../forms/identity-chip.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { ResendForm } from '../forms/resend-form.tsx'
import { CODE_LENGTH, validateCode } from '../journeys/code.ts'
import { identifierNames } from '../journeys/identifier-names.ts'
import { CODE_FIELD } from '../journeys/reaction-table.ts'
import { codeFlows } from '../journeys/send-code.ts'
import { StepFrame } from '../layout/frame.tsx'
import { SiblingLink } from '../layout/navigation.tsx'
import type { PageFields } from '../reactions/reactions.ts'
import { Button } from '../ui/button.tsx'
import { CodeInput, clearCode } from '../ui/code-input.tsx'
import '../styles/chip.css'
import '../styles/resend.css'

export const fields: PageFields = () => ({ send: [CODE_FIELD] })

/**
 * Asks for the code that was sent to an address. Every flow that uses codes has this page at
 * {flow}/verification-code (spec/pages#verification-code).
 */
export default function VerificationCodePage() {
  const t = useT()
  const { notice } = useBoot()
  const { path, navigation } = useCurrentPage()
  const code = useRef<HTMLFieldSetElement>(null)
  const flow = codeFlows.find((name) => path.startsWith(`/${name}/`)) ?? 'sign-in'
  const identifier = navigation?.identifier ?? { type: 'email', value: '' }

  return (
    <StepFrame
      title={t('action.enter_passcode')}
      description={
        <IdentityChip
          identifier={identifier}
          sentence={t('description.enter_passcode', {
            address: t(identifierNames[identifier.type]),
            target: '<link></link>',
          })}
        />
      }
    >
      <JourneyForm validate={validateCode}>
        {(problems) => (
          <>
            <CodeInput
              field={code}
              name={CODE_FIELD}
              length={CODE_LENGTH}
              legend={t('vestibule.verification_code')}
              digitLabel={(number) => t('vestibule.digit_of', { number, total: CODE_LENGTH })}
              problem={problems[CODE_FIELD]}
              // If the server rendered an open dialog, the focus stays in the dialog.
              startsFocused={notice === null}
              receive={identifier.type === 'phone' ? receiveCode : undefined}
            />
            <Button name="submit">{t('action.continue')}</Button>
          </>
        )}
      </JourneyForm>
      {/* Clear the digits of the previous code. */}
      <ResendForm onSent={() => clearCode(code.current)} />
      {flow === 'sign-in' && <PasswordInstead />}
    </StepFrame>
  )
}

/** Links to the password page if the settings allow signing in with a password. */
function PasswordInstead() {
  const { experience } = useBoot()
  const t = useT()
  const { search, navigation } = useCurrentPage()
  const method = experience.signIn.methods.find(
    ({ identifier }) => identifier === navigation?.identifier?.type,
  )
  if (!method?.password) return null
  return (
    <p className="aside">
      <SiblingLink to={`/sign-in/password${queryWithoutInteraction(search)}`} navigation={navigation}>
        {t('action.sign_in_via_password')}
      </SiblingLink>
    </p>
  )
}
