import { Link } from 'wouter'
import { useAddress, useBoot, useT } from '../app/boot.tsx'
import { useReactions } from '../app/reaction-dispatcher.tsx'

/** Where a forgotten password can be reset (product 2). With script it takes along what was typed beside it. */
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
          run('forget', namesIn(form))
        }}
      >
        {t('action.forgot_password')}
      </Link>
    </p>
  )
}

/** What the form has to say who somebody is. */
function namesIn(form: HTMLFormElement): Record<string, string> {
  const texts = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'password',
  )
  return Object.fromEntries(texts)
}
