import type { ComponentProps, ReactNode } from 'react'
import { useIsHydrated } from '../browser/facts.ts'
import { FieldError } from './field.tsx'

export function Checkbox({
  problem,
  inert,
  children,
  ...input
}: Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  name: string
  problem?: string | undefined
  children: ReactNode
}) {
  const { name } = input
  const isHydrated = useIsHydrated()
  return (
    <div className="checkbox" inert={inert}>
      <label className="checkbox-label">
        <input
          {...input}
          {...(problem && !isHydrated && { autoFocus: true })}
          type="checkbox"
          id={name}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${name}-problem` : undefined}
        />
        <span>{children}</span>
      </label>
      <FieldError of={name} text={problem} />
    </div>
  )
}
