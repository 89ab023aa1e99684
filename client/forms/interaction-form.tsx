import type { ComponentProps } from 'react'
import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'
import { useBoot, useInteractionPath } from '../context/boot.tsx'

/**
 * A form that also works without script: it is posted to one of our paths and names the interaction
 * (spec/pages#forms-without-script).
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
