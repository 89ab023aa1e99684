import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useNotify } from '../../ui/toast.tsx'
import { texts } from './phrases.ts'

/** Sends a failed delivery of the hook at this path again (spec/management#hook-deliveries). The button that does tells what fails. */
export function useResend(path: string): (deliveryId: string) => Promise<void> {
  const t = useT(texts)
  const change = useChange()
  const notify = useNotify()
  const of = `${path}/deliveries`
  return async (deliveryId) => {
    await change(`${of}/${deliveryId}/resend`, { method: 'POST', invalidates: [of] })
    notify.success(t('resent'))
  }
}
