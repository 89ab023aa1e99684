import { useState } from 'react'
import { useT } from '../../phrases.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { texts } from './phrases.ts'
import { useRemoval } from './removable-list.tsx'

type Props = { path: string; hasPasskeys: boolean; onClose: () => void }

/** For a user who has lost them. */
export function ResetFactors({ path, hasPasskeys, onClose }: Props) {
  const t = useT(texts)
  const remove = useRemoval()
  const [withPasskeys, setWithPasskeys] = useState(false)
  return (
    <ConfirmDialog
      title={t('resetFactors')}
      lead={
        <>
          {t('resetFactorsLead')}
          {hasPasskeys && (
            <Checkbox label={t('alsoPasskeys')} isSelected={withPasskeys} onChange={setWithPasskeys} />
          )}
        </>
      }
      action={t('resetFactors')}
      onClose={onClose}
      onConfirm={() =>
        remove(`${path}/factors${withPasskeys ? '?passkeys=true' : ''}`, [path], t('factorsReset'))
      }
    />
  )
}
