import { useState } from 'react'
import { type HookEvent, hookEventGroups } from '../../../src/contract/hooks/hooks.ts'
import { sampleMessage } from '../../../src/domain/hooks/sample-message.ts'
import { useT } from '../../phrases.ts'
import { Checkbox } from '../../ui/fields.tsx'
import { eventTexts } from './event-phrases.ts'

type EventChoiceProps = {
  value: readonly HookEvent[]
  problem: string | undefined
  isDisabled?: boolean
  onChange: (events: HookEvent[]) => void
}

const groups = Object.entries(hookEventGroups) as [
  keyof typeof hookEventGroups,
  (typeof hookEventGroups)[keyof typeof hookEventGroups],
][]

/** Lets the user choose the events of a webhook, each with a sentence and an example of its message. */
export function EventChoice({ value, problem, isDisabled = false, onChange }: EventChoiceProps) {
  const t = useT(eventTexts)
  const toggle = (event: HookEvent, isOn: boolean) =>
    // The first event is the one that clients of a single event see, so the order is kept.
    onChange(isOn ? [...value, event] : value.filter((each) => each !== event))
  return (
    <>
      {groups.map(([group, events]) => (
        <fieldset key={group} className="group">
          <legend>{t(group)}</legend>
          {events.map((event) => (
            <div key={event}>
              <Checkbox
                label={event}
                hint={t(event)}
                isDisabled={isDisabled}
                isSelected={value.includes(event)}
                onChange={(isOn) => toggle(event, isOn)}
              />
              <Example event={event} />
            </div>
          ))}
        </fieldset>
      ))}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

function Example({ event }: { event: HookEvent }) {
  const t = useT(eventTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {t('example')} <span className="visually-hidden">{event}</span>
      </summary>
      {isOpen && <pre>{JSON.stringify(createExample(event), null, 2)}</pre>}
    </details>
  )
}

const createExample = (event: HookEvent) =>
  sampleMessage('example', event, { now: Date.now(), userAgent: navigator.userAgent })
