import { useRef } from 'react'
import { Button as AriaButton, type ButtonProps as AriaProps, type PressEvent } from 'react-aria-components'
import { Link, type LinkProps } from 'wouter'
import { useNotify } from './notify.ts'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'
export type ButtonProps = AriaProps & { kind?: Kind }

/**
 * A button that ignores presses while its handler is running, so that a double press counts once. A failure is shown
 * as a notification.
 */
export function Button({ kind = 'plain', onPress, ...props }: ButtonProps) {
  const notify = useNotify()
  const isBusy = useRef(false)
  const press = async (event: PressEvent) => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      // A handler that sends a request returns a promise, although its type does not say so.
      await (onPress?.(event) as unknown)
    } catch (failure) {
      notify.failure(failure)
    } finally {
      isBusy.current = false
    }
  }
  return <AriaButton {...props} {...(onPress && { onPress: press })} className={`button ${kind}`} />
}

export function ButtonLink({ kind = 'plain', ...props }: LinkProps & { kind?: Kind }) {
  return <Link {...props} className={`button ${kind}`} />
}
