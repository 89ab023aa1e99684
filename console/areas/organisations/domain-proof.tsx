import { useState } from 'react'
import { isRecord } from '../../../src/contract/is-record.ts'
import type { OrganizationDomain } from '../../../src/contract/organisations/domains.schema.ts'
import { toProblem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { domainPhrases } from './domain-phrases.ts'

const reasons = ['missing', 'disagreement', 'unavailable'] as const

type ProofProps = {
  /** The path of the list of domains. */
  list: string
  domain: OrganizationDomain
  onClose: () => void
}

/** Shows the record that proves a domain, and checks it. */
export function DomainProof({ list, domain: { domain, record, checkedAt }, onClose }: ProofProps) {
  const t = useT(domainPhrases)
  const { time } = useFormats()
  const change = useChange()
  const notify = useNotify()
  const [reason, setReason] = useState<(typeof reasons)[number] | null>(null)
  const check = async () => {
    setReason(null)
    try {
      await change(`${list}/${domain}/verification`, { method: 'POST', invalidates: [list] })
    } catch (failure) {
      const { data } = toProblem(failure)
      setReason(reasons.find((each) => isRecord(data) && data.reason === each) ?? null)
      throw failure
    }
    notify.success(t('nowProved', { domain }))
    onClose()
  }
  return (
    <Dialog title={t('proveTitle', { domain })} onClose={onClose}>
      <DialogForm action={t('checkNow')} onSubmit={check} onClose={onClose}>
        {() => (
          <>
            <p>{t('proveLead')}</p>
            <Copyable label={t('recordName')} value={record.name} />
            <Copyable label={t('recordValue')} value={record.value} />
            {checkedAt !== null && <p className="hint">{t('checkedAt', { time: time(checkedAt) })}</p>}
            {reason && <p role="status">{t(reason)}</p>}
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}
