import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Factory } from './config.ts'
import { isFailure, type Verdict } from './verdict.ts'

type Config = Record<string, unknown>

/** Checks the configuration of a new message connector, and keeps the result until the administrator has answered. */
export function useInstallCheck(factory: Factory) {
  const [failed, setFailed] = useState<Verdict | null>(null)
  return {
    failed,
    close: () => setFailed(null),
    /** Returns whether to install the connector without asking. */
    async passes(config: Config): Promise<boolean> {
      if (factory.type === 'Social') return true
      const path = `/connector-factories/${factory.id}/check`
      const { data } = await call<Verdict>(path, { method: 'POST', body: { config } })
      setFailed(isFailure(data) ? data : null)
      return !isFailure(data)
    },
  }
}
