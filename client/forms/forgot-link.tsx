import { Link } from 'wouter'
import { useAddress, useBoot, useT } from '../context/boot.tsx'
import { useReactions } from '../reactions/reaction-dispatcher.tsx'

/** To the page for forgotten passwords (spec/pages#forgot-password). With script it takes the identifier along. */
export function ForgotLink() {
  const { forgotPassword } = useBoot().experience
  const t = useT()
  const address = useAddress()
  const { run } = useReactions()
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

/** The fields of the form without the password. */
function identifierFields(form: HTMLFormElement): Record<string, string> {
  const texts = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'password',
  )
  return Object.fromEntries(texts)
}
