import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import type { Factory } from './config.ts'
import { type CheckResult, isFailure, type Verdict } from './verdict.ts'

type Config = Record<string, unknown>

/** Checks the configuration of a new message connector, and keeps the result until the administrator has answered. */
export function useInstallCheck(factory: Factory) {
  const [failed, setFailed] = useState<Verdict | null>(null)
  const latest = useRef<CheckResult | null>(null)
  return {
    failed,
    close: () => setFailed(null),
    /** Returns the result of the last check, or null if there was none. */
    result: () => latest.current,
    /** Returns whether to install the connector without asking. */
    async passes(config: Config): Promise<boolean> {
      if (factory.type === 'Social' || !factory.hasCheck) return true
      const path = `/connector-factories/${factory.id}/check`
      const { data } = await call<Verdict>(path, { method: 'POST', body: { config } })
      latest.current = { verdict: data, at: Date.now() }
      setFailed(isFailure(data) ? data : null)
      return !isFailure(data)
    },
  }
}
