import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { useNotify } from '../../ui/toast.tsx'
import type { Verdict } from './verdict.ts'

/** `at`: epoch milliseconds. */
export type Checked = { verdict: Verdict; at: number }
export type CheckState = Checked | 'asking' | null

/** What the provider says about credentials (spec/connectors#credential-check): about the stored ones, or about those in the form. */
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
  /** It is about other credentials than those that are there now; so is an answer that is still to come. */
  function forget(): void {
    latest.current += 1
    setChecked(null)
  }
  return { checked, check, forget }
}
