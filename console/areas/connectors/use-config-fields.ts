import { useEffect, useRef, useState } from 'react'
import { isSame } from '../../api/changes.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { useNotify } from '../../ui/toast.tsx'
import {
  type Config,
  configProblems,
  configToSend,
  type FieldInput,
  findFaults,
  type Inputs,
  type Item,
  toInput,
  toValue,
} from './config.ts'
import { texts } from './phrases.ts'

type ConfigFieldsOptions = {
  items: readonly Item[]
  /** With what is not saved. */
  config: Config
  /** Null for a connector that is not installed yet. */
  stored: Config | null
  /** What the server says about a save. */
  refused?: ApiProblem | null
  onChange: (changes: Config) => void
}

/** The fields of a configuration while they are filled in. */
export function useConfigFields({ items, config, stored, refused = null, onChange }: ConfigFieldsOptions) {
  const t = useT(texts)
  const notify = useNotify()
  const [typed, setTyped] = useState<Inputs>({})
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const place = useFocusOnProblem(problems, refused)

  /** As it was typed, as long as that stands for the value: `1.` stays until there is more. */
  const visibleInput = (item: Item): FieldInput => {
    const own = typed[item.key]
    const isOwn = own !== undefined && isSame(toValue(item, own, stored), config[item.key])
    return isOwn ? own : toInput(item, config[item.key])
  }

  function change(item: Item, input: FieldInput) {
    setTyped({ ...typed, [item.key]: input })
    setProblems({})
    onChange({ [item.key]: toValue(item, input, stored) })
  }

  /** Null, and shown at the fields, where something is missing or cannot be read. */
  function validate(): Record<string, unknown> | null {
    const faults = Object.entries(findFaults(items, config))
    setProblems(Object.fromEntries(faults.map(([key, fault]) => [key, t(fault)])))
    return faults.length > 0 ? null : configToSend(items, config)
  }

  /** Does something with the configuration; what is wrong with it is shown at its fields. Null if it was refused. */
  async function run<T>(work: (config: Record<string, unknown>) => Promise<T>): Promise<T | null> {
    const sent = validate()
    if (!sent) return null
    setBusy(true)
    try {
      return await work(sent)
    } catch (error) {
      const refusals = error instanceof ApiProblem ? configProblems(error) : {}
      setProblems(refusals)
      if (!items.some(({ key }) => Object.hasOwn(refusals, key))) notify.failure(error)
      return null
    } finally {
      setBusy(false)
    }
  }

  return {
    items,
    inputs: Object.fromEntries(items.map((item) => [item.key, visibleInput(item)])),
    stored,
    problems: { ...configProblems(refused), ...problems },
    /** The part of the page that has the fields. */
    place,
    /** The first field has the focus, to be mended. */
    focus: () => place.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(),
    isBusy,
    change,
    complete: validate,
    use: run,
  }
}

export type ConfigFieldsState = ReturnType<typeof useConfigFields>

/** To the first field that has to be mended: on a small screen it is out of sight of the button. */
function useFocusOnProblem(problems: object, refused: ApiProblem | null) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isWrong = Object.keys(problems).length > 0 || Object.keys(configProblems(refused)).length > 0
    if (isWrong) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems, refused])
  return place
}
