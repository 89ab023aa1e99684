import { useRef } from 'react'
import { clearCode } from '../browser/code-boxes.ts'
import { receiveCode } from '../browser/text-message.ts'
import { CodeForm } from '../codes/code-form.tsx'
import { ResendForm } from '../codes/resend-form.tsx'
import { MailboxHelp, SentTo, sentCodePages } from '../codes/sent-code.tsx'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { queryWithoutInteraction } from '../context/paths.ts'
import { EditLink } from '../forms/identity-chip.tsx'
import { CODE_FIELD } from '../journeys/reaction-table.ts'
import { StepFrame } from '../layout/frame.tsx'
import { MethodLink } from '../layout/navigation.tsx'
import { formatPhone } from '../phones/phones.ts'
import type { PageFields } from '../reactions/reactions.ts'
import '../styles/disc.css'

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
  const { type, value } = navigation?.identifier ?? { type: 'email', value: '' }
  // The page table does not show this page for a username.
  if (type === 'username') return null

  const { title, icon } = sentCodePages[type]
  return (
    <StepFrame
      title={t(title)}
      icon={icon}
      description={
        <>
          <SentTo type={type} target={type === 'phone' ? formatPhone(value) : value} /> <EditLink />
        </>
      }
    >
      <CodeForm
        name={CODE_FIELD}
        field={code}
        // If the server rendered an open dialog, the focus stays in the dialog.
        hasInitialFocus={notice === null || notice.kind === 'inline'}
        receive={type === 'phone' ? receiveCode : undefined}
      />
      {/* Clear the digits of the previous code. */}
      <ResendForm onSent={() => clearCode(code.current)} />
      {type === 'email' && <MailboxHelp address={value} />}
      {path.startsWith('/sign-in/') && <PasswordInstead />}
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
    <MethodLink to={`/sign-in/password${queryWithoutInteraction(search)}`}>
      {t('action.sign_in_via_password')}
    </MethodLink>
  )
}
