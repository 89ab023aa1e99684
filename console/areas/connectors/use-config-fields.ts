import { useEffect, useRef, useState } from 'react'
import { readConfigValue } from '../../../src/domain/connectors/config-value.ts'
import { isDeepEqual } from '../../api/changes.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { useNotify } from '../../ui/toast.tsx'
import {
  buildConfigBody,
  type Config,
  configProblems,
  type FieldInput,
  type FormItem,
  findFaults,
  type Inputs,
  parseFieldValue,
  toInput,
} from './config.ts'
import { texts } from './phrases.ts'

type ConfigFieldsOptions = {
  items: readonly FormItem[]
  /** The configuration with the unsaved changes. */
  config: Config
  /** The stored configuration, or null for a connector that isn't installed yet. */
  stored: Config | null
  /** The error of the last save. */
  saveError?: ApiProblem | null
  /** Called with the key of the item that the user has changed, and its new value. */
  onChange: (key: string, value: unknown) => void
}

/** Manages the fields of a configuration while the user fills them in. */
export function useConfigFields({ items, config, stored, saveError = null, onChange }: ConfigFieldsOptions) {
  const t = useT(texts)
  const notify = useNotify()
  const [typed, setTyped] = useState<Inputs>({})
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const place = useFocusOnProblem(problems, saveError)

  /**
   * Returns the text as typed while it represents the value, so that `1.` isn't reformatted before the user types
   * more.
   */
  const visibleInput = (item: FormItem): FieldInput => {
    const own = typed[item.key]
    const value = readConfigValue(config, item.key)
    const isOwn = own !== undefined && isDeepEqual(parseFieldValue(item, own, stored), value)
    return isOwn ? own : toInput(item, value)
  }

  function write(key: string, value: unknown) {
    setProblems({})
    onChange(key, value)
  }

  function change(item: FormItem, input: FieldInput) {
    setTyped({ ...typed, [item.key]: input })
    write(item.key, parseFieldValue(item, input, stored))
  }

  /**
   * Returns the configuration to send. If a field is missing or invalid, shows the problem next to the field and
   * returns null.
   */
  function validate(): Record<string, unknown> | null {
    const faults = Object.entries(findFaults(items, config))
    setProblems(Object.fromEntries(faults.map(([key, fault]) => [key, t(fault)])))
    return faults.length > 0 ? null : buildConfigBody(items, config, stored)
  }

  /**
   * Calls the function with the configuration and shows problems next to their fields. Returns null if the console or
   * the API rejected the configuration.
   */
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
    problems: { ...configProblems(saveError), ...problems },
    /** The element that contains the fields. */
    place,
    /** Focuses the first field so that the user can correct the configuration. */
    focus: () => place.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(),
    isBusy,
    change,
    /** Changes a value that has an editor instead of a field. */
    write,
    complete: validate,
    use: run,
  }
}

export type ConfigFieldsState = ReturnType<typeof useConfigFields>

/** Focuses the first invalid field. On a small screen, it may not be visible next to the button. */
function useFocusOnProblem(problems: object, saveError: ApiProblem | null) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isWrong = Object.keys(problems).length > 0 || Object.keys(configProblems(saveError)).length > 0
    if (isWrong) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems, saveError])
  return place
}
