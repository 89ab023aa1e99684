import { type FocusEvent, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { INTENT_FIELD, INTERACTION_PARAM } from '../../src/contract/interaction.ts'
import { useAddress, useBoot, useHere, useT } from '../app/boot.tsx'
import { ownQuery } from '../app/own-query.ts'
import { useReactions } from '../app/reaction-dispatcher.tsx'
import { useHydrated } from '../browser/facts.ts'
import type { FindProblems, Problems } from '../journeys/problems.ts'
import type { FormValues } from '../journeys/reactions.ts'
import { formResult, type Reaction } from '../journeys/reactions.ts'
import { AlertIcon } from '../ui/icons.tsx'
import { LoadingOverlay } from '../ui/loading.tsx'

/** Where a message goes that belongs to no field. */
const WHOLE_FORM = ''

/**
 * A form whose journey runs here when there is script, and on the server when there is none or not yet: it is a plain
 * form with an address all the time. `mend` may put the only problem right by asking, as with terms not agreed to.
 */
export function JourneyForm({
  intent = 'send',
  isMain = intent === 'send',
  find = () => ({}),
  mend,
  onReaction,
  children,
}: {
  /** Which of the page's forms this is: its journey in the page table. */
  intent?: string
  /** Says what the server has to say of the page. */
  isMain?: boolean
  find?: FindProblems
  /** After a journey, unless it has left the page. */
  onReaction?: (reaction: Reaction) => void
  mend?: (problems: Problems, form: HTMLFormElement) => Promise<boolean>
  children: (problems: Problems) => ReactNode
}) {
  const boot = useBoot()
  const t = useT()
  const { path, search, navigation } = useHere()
  const address = useAddress()
  const { run, isBusy } = useReactions()
  const isHydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const saidByServer =
    isMain && boot.notice?.kind === 'inline' ? { [boot.notice.field ?? WHOLE_FORM]: boot.notice.message } : {}
  const [problems, setProblems] = useState<Problems>(saidByServer)
  const [wasTried, setTried] = useState(false)
  /** Where the visitor goes on, once what is wrong there has been drawn. The server may have found something, too. */
  const toShow = useRef(Object.keys(saidByServer)[0])

  useEffect(() => {
    if (toShow.current === undefined) return
    goTo(form.current, toShow.current)
    toShow.current = undefined
  })

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const element = event.currentTarget
    if (isBusy) return
    setTried(true)
    const button = (event.nativeEvent as SubmitEvent).submitter
    const found = find(valuesOf(element), { ...boot, path, search, navigation })
    if (Object.keys(found).length > 0 && !(await mend?.(found, element))) return show(found)

    setProblems({})
    const reaction = await run(intent, valuesOf(element, button))
    if (!reaction) return
    const result = formResult(reaction)
    if (result?.kind === 'inline') show({ [result.field ?? WHOLE_FORM]: result.message })
    if (result?.clears) clear(element, result.clears)
    onReaction?.(reaction)
  }

  function show(found: Problems) {
    setProblems(found)
    toShow.current = Object.keys(found)[0]
  }

  /** Judged on leaving a field, once the form was sent (contract 10.3). */
  function judge({ target, currentTarget }: FocusEvent<HTMLFormElement>) {
    if (!wasTried || !(target instanceof HTMLInputElement)) return
    const { [target.name]: problem } = find(valuesOf(currentTarget), { ...boot, path, search, navigation })
    setProblems(({ [target.name]: _, ...others }) =>
      problem ? { ...others, [target.name]: problem } : others,
    )
  }

  return (
    <form
      ref={form}
      className="form"
      method="post"
      action={address(path + ownQuery(search))}
      // Until the script is here, the browser's own checks help.
      noValidate={isHydrated}
      onSubmit={send}
      onBlur={judge}
    >
      {boot.interaction && <input type="hidden" name={INTERACTION_PARAM} value={boot.interaction} />}
      {intent !== 'send' && <input type="hidden" name={INTENT_FIELD} value={intent} />}
      <div role="alert">
        {problems[WHOLE_FORM] && (
          <p className="form-problem">
            <AlertIcon />
            {problems[WHOLE_FORM]}
          </p>
        )}
      </div>
      {children(problems)}
      <LoadingOverlay isLoading={isMain && isBusy} label={t('vestibule.loading')} />
    </form>
  )
}

/** Empties fields by how their names begin, and goes to the first of them. */
function clear(form: HTMLFormElement, names: string): void {
  const fields = [...form.elements].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.name.startsWith(names),
  )
  for (const field of fields) field.value = ''
  fields[0]?.focus()
}

/** The button that sends a form has a say in it. */
function valuesOf(form: HTMLFormElement, button: HTMLElement | null = null): FormValues {
  const entries = [...new FormData(form, button)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(entries)
}

/**
 * To a field with what is said below it, or to what is said of the whole form. Focusing a field that has the focus
 * already does not scroll, and much enlarged the message may be off the screen.
 */
function goTo(form: HTMLFormElement | null, name: string): void {
  const field = name === WHOLE_FORM ? null : fieldNamed(form, name)
  const isField = field instanceof HTMLInputElement
  if (isField) {
    field.focus()
    if (field.type !== 'checkbox') field.select()
  }
  const box = isField ? field.closest('.field, .checkbox') : form?.querySelector('.form-problem')
  box?.scrollIntoView({ block: 'nearest' })
}

/** Of several inputs that are one field, the first that is still empty, or the first. */
function fieldNamed(form: HTMLFormElement | null, name: string) {
  const named = form?.elements.namedItem(name)
  if (!(named instanceof HTMLFieldSetElement)) return named
  const inputs = [...named.querySelectorAll('input')]
  return inputs.find(({ value }) => value === '') ?? inputs[0]
}
