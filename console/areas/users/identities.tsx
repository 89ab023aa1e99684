import { useState } from 'react'
import { useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
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
  const [asked, setAsked] = useState<string | null>(null)
  const path = `/users/${encodeURIComponent(user.id)}`
  const rows = Object.entries(user.identities).map(([target, identity]) => ({ target, ...identity }))
  const button = {
    title: t('remove'),
    cell: ({ target }: { target: string }) => (
      <Button kind="quiet" aria-label={`${t('unlink')}: ${target}`} onPress={() => setAsked(target)}>
        {t('unlink')}
      </Button>
    ),
  }
  const columns = [
    { title: t('provider'), cell: ({ target }: (typeof rows)[number]) => target },
    {
      title: t('accountThere'),
      cell: ({ userId, details }: (typeof rows)[number]) => details?.email ?? details?.name ?? userId,
    },
  ]
  return (
    <Card title={t('identities')}>
      <Table
        label={t('identities')}
        rows={rows}
        keyOf={({ target }) => target}
        empty={<p>{t('noIdentities')}</p>}
        columns={mayWrite ? [...columns, button] : columns}
      />
      {asked && (
        <ConfirmDialog
          title={`${t('unlink')}: ${asked}`}
          lead={t('unlinkLead')}
          action={t('unlink')}
          onClose={() => setAsked(null)}
          onConfirm={() => remove(`${path}/identities/${encodeURIComponent(asked)}`, [path], t('removed'))}
        />
      )}
    </Card>
  )
}
