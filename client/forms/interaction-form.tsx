import type { ComponentProps } from 'react'
import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'
import { useBoot, useInteractionPath } from '../context/boot.tsx'

/**
 * A form that also works without JavaScript: it is posted to the path of one of our pages and contains the
 * interaction id (spec/pages#forms-without-script).
 */
export function InteractionForm({ action, children, ...form }: ComponentProps<'form'> & { action: string }) {
  const { interaction } = useBoot()
  const address = useInteractionPath()
  return (
    <form method="post" action={address(action)} {...form}>
      {interaction && <input type="hidden" name={INTERACTION_PARAM} value={interaction} />}
      {children}
    </form>
  )
}
