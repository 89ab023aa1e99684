import type { ReactNode } from 'react'
import { useApi, useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { useRemovalColumn } from '../../ui/dialog-button.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { texts } from './phrases.ts'

type ListProps<T> = {
  title: string
  lead?: string
  /** The path of the list. The path of an entry is this path followed by the entry's id. */
  path: string
  keyOf: (row: T) => string
  nameOf: (row: T) => string
  columns: readonly Column<T>[]
  empty: string
  /** The label of the button, also used in the confirmation dialog. */
  action: string
  consequence: string
  extra?: ReactNode
}

/** Lists things that belong to a user, such as consents or sessions, each with a button that removes it. */
export function RemovableList<T>(props: ListProps<T>) {
  const { title, lead, path, keyOf, nameOf, columns, empty, action, consequence, extra } = props
  const t = useT(texts)
  const mayWrite = useCan('users:write')
  const { data, error, refetch } = useApi<T[]>(path)
  const remove = useRemoveEntity()
  const [removal, question] = useRemovalColumn<T>({
    action,
    label: (row) => `${action}: ${nameOf(row)}`,
    lead: consequence,
    onConfirm: (row) => remove(`${path}/${encodeURIComponent(keyOf(row))}`, [path], t('removed')),
  })
  return (
    <Card title={title} {...(lead && { lead })} actions={mayWrite && extra}>
      {data ? (
        <Table
          label={title}
          rows={data.data}
          keyOf={keyOf}
          empty={<p>{empty}</p>}
          columns={mayWrite ? [...columns, removal] : columns}
        />
      ) : (
        <Loading failure={error} onRetry={refetch} />
      )}
      {question}
    </Card>
  )
}

/** Returns a function that deletes the entity at a path and shows a confirmation. */
export function useRemoveEntity() {
  const change = useChange()
  const notify = useNotify()
  return async (path: string, invalidates: readonly string[], confirmation: string): Promise<void> => {
    const [address = path, query] = path.split('?')
    await change(address, {
      method: 'DELETE',
      invalidates,
      ...(query && { query: Object.fromEntries(new URLSearchParams(query)) }),
    })
    notify.success(confirmation)
  }
}
