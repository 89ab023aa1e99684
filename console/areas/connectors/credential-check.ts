import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { useNotify } from '../../ui/toast.tsx'
import type { CheckResult, Verdict } from './verdict.ts'

export type CheckState = CheckResult | 'asking' | null

/**
 * Asks the provider whether it accepts the stored credentials, or those in the form
 * (spec/connectors#credential-check).
 */
export function useCredentialCheck(connectorId: string) {
  const notify = useNotify()
  const [checked, setChecked] = useState<CheckState>(null)
  const latest = useRef(0)
  async function check(config?: Record<string, unknown>): Promise<void> {
    const attempt = ++latest.current
    const settle = (next: CheckState) => {
      if (attempt === latest.current) setChecked(next)
    }
    setChecked('asking')
    try {
      const body = config ? { config } : {}
      const { data } = await call<Verdict>(`/connectors/${connectorId}/check`, { method: 'POST', body })
      settle({ verdict: data, at: Date.now() })
    } catch (error) {
      settle(null)
      if (config) throw error
      notify.failure(error)
    }
  }
  /** Shows another result, or none after a change, instead of that of any check still in progress. */
  function show(result: CheckResult | null): void {
    latest.current += 1
    setChecked(result)
  }
  return { checked, check, show }
}
