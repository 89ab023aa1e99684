import { Button as AriaButton, type ButtonProps } from 'react-aria-components'
import { Link, type LinkProps } from 'wouter'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

export function Button({ kind = 'plain', ...props }: ButtonProps & { kind?: Kind }) {
  return <AriaButton {...props} className={`button ${kind}`} />
}

export function ButtonLink({ kind = 'plain', ...props }: LinkProps & { kind?: Kind }) {
  return <Link {...props} className={`button ${kind}`} />
}
