import type { HookEvent } from '../../../src/contract/hooks/hooks.ts'
import { useT } from '../../phrases.ts'
import { Select } from '../../ui/fields.tsx'
import { texts } from './phrases.ts'

type EventSelectProps = {
  events: readonly HookEvent[]
  value: HookEvent | undefined
  onChange: (event: HookEvent) => void
}

/** Lets the user choose one of the events of a webhook. It is hidden if there is only one. */
export function EventSelect({ events, value, onChange }: EventSelectProps) {
  const t = useT(texts)
  if (events.length < 2 || value === undefined) return null
  return (
    <Select
      label={t('event')}
      value={value}
      options={events.map((event) => ({ value: event, label: event }))}
      onChange={onChange}
    />
  )
}
