import { useState } from 'react'
import { Link } from 'wouter'
import { useBoot, useInteractionPath, useT } from '../context/boot.tsx'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { PasswordField } from '../ui/field.tsx'

/** Asks for the password of an existing account. */
export function CurrentPasswordField({ problem }: { problem: string | undefined }) {
  const t = useT()
  const [isShown, setShown] = useState(false)
  return (
    <PasswordField
      name="password"
      label={t('input.password')}
      problem={problem}
      autoComplete="current-password"
      enterKeyHint="go"
      isShown={isShown}
      onToggle={() => setShown(!isShown)}
      below={<ForgotLink />}
      required
    />
  )
}

/**
 * Links to the page for forgotten passwords (spec/pages#forgot-password). With JavaScript, the link passes the
 * identifier on.
 */
function ForgotLink() {
  const { forgotPassword } = useBoot().experience
  const t = useT()
  const address = useInteractionPath()
  const { run } = useReactionDispatcher()
  if (!forgotPassword.email && !forgotPassword.phone) return null
  return (
    <p className="forgot">
      <Link
        className="link"
        href={address('/forgot-password')}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
          const form = event.currentTarget.closest('form')
          if (!form) return
          event.preventDefault()
          run('forget', identifierFields(form))
        }}
      >
        {t('action.forgot_password')}
      </Link>
    </p>
  )
}

/** Returns the values of the form without the password. */
function identifierFields(form: HTMLFormElement): Record<string, string> {
  const texts = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'password',
  )
  return Object.fromEntries(texts)
}
