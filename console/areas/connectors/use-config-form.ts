import { useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { useNotify } from '../../ui/toast.tsx'
import { type Config, configProblems, type Inputs, type Item, inputsOf, readConfig } from './config.ts'
import { texts } from './phrases.ts'

/** The fields of a configuration while they are filled in. They hold secrets, so they are kept in no draft. */
export function useConfigForm(items: readonly Item[], stored: Config | null) {
  const t = useT(texts)
  const notify = useNotify()
  const [inputs, setInputs] = useState<Inputs>(() => inputsOf(items, stored))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)

  /** Does something with the configuration; what is wrong with it is shown at its fields. Null if it was refused. */
  async function use<T>(work: (config: Record<string, unknown>) => Promise<T>): Promise<T | null> {
    const reading = readConfig(items, inputs, stored)
    if (reading.kind === 'faults') {
      setProblems(Object.fromEntries(Object.entries(reading.faults).map(([key, fault]) => [key, t(fault)])))
      return null
    }
    setProblems({})
    setBusy(true)
    try {
      return await work(reading.config)
    } catch (error) {
      const found = error instanceof ApiProblem ? configProblems(error) : {}
      const isAtField = items.some(({ key }) => Object.hasOwn(found, key))
      setProblems(found)
      if (!isAtField) notify.failure(error)
      return null
    } finally {
      setBusy(false)
    }
  }

  return { inputs, setInputs, problems, isBusy, use }
}
