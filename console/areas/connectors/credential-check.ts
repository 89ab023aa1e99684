import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { useNotify } from '../../ui/toast.tsx'
import type { Verdict } from './verdict.ts'

/** The result of a check. `at` is in epoch milliseconds. */
type CheckResult = { verdict: Verdict; at: number }
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
  /** Discards the result, and that of any check still in progress, because the credentials have changed. */
  function forget(): void {
    latest.current += 1
    setChecked(null)
  }
  return { checked, check, forget }
}
