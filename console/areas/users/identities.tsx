import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { useRemovalColumn } from '../../ui/dialog-button.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { texts } from './phrases.ts'
import type { ManagedUser } from './profile.ts'
import { useRemoval } from './removable-list.tsx'

/** The accounts elsewhere with which the user signs in. */
export function Identities({ user }: { user: ManagedUser }) {
  const t = useT(texts)
  const mayWrite = useMay('users:write')
  const remove = useRemoval()
  const path = `/users/${encodeURIComponent(user.id)}`
  const rows = Object.entries(user.identities).map(([target, identity]) => ({ target, ...identity }))
  const [removal, question] = useRemovalColumn<(typeof rows)[number]>({
    action: t('unlink'),
    label: ({ target }) => `${t('unlink')}: ${target}`,
    lead: t('unlinkLead'),
    onConfirm: ({ target }) =>
      remove(`${path}/identities/${encodeURIComponent(target)}`, [path], t('removed')),
  })
  return (
    <Card title={t('identities')}>
      <Table
        label={t('identities')}
        rows={rows}
        keyOf={({ target }) => target}
        empty={<p>{t('noIdentities')}</p>}
        columns={[
          { title: t('provider'), cell: ({ target }) => target },
          {
            title: t('accountThere'),
            cell: ({ userId, details }) => details?.email ?? details?.name ?? userId,
          },
          ...(mayWrite ? [removal] : []),
        ]}
      />
      {question}
    </Card>
  )
}
