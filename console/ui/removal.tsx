import { useState } from 'react'
import { useT } from '../phrases.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './dialog.tsx'
import type { Column } from './table.tsx'

type RemovalProps<T> = {
  /** On the button. */
  action: string
  /** What is done, with the name of the row: the title of the question, and what screen readers say of the button. */
  label: (row: T) => string
  lead: string
  heading?: string
  isOffered?: (row: T) => boolean
  onConfirm: (row: T) => Promise<unknown>
}

/** The last column of a table whose rows can be taken away, and the question before. */
export function useRemovalColumn<T>({
  action,
  label,
  lead,
  heading,
  isOffered = () => true,
  onConfirm,
}: RemovalProps<T>) {
  const t = useT()
  const [row, setRow] = useState<T | null>(null)
  const column: Column<T> = {
    title: heading ?? t('remove'),
    cell: (each) =>
      isOffered(each) && (
        <Button kind="quiet" aria-label={label(each)} onPress={() => setRow(each)}>
          {action}
        </Button>
      ),
  }
  const question = row && (
    <ConfirmDialog
      title={label(row)}
      lead={lead}
      action={action}
      onClose={() => setRow(null)}
      onConfirm={() => onConfirm(row)}
    />
  )
  return [column, question] as const
}
