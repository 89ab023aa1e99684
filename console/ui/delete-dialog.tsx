import { useLocation } from 'wouter'
import { call } from '../api/client.ts'
import { setDraft } from '../api/drafts.ts'
import { queryClient } from '../api/queries.ts'
import { ConfirmDialog, type ConfirmProps } from './dialog.tsx'
import { useNotify } from './toast.tsx'

export type DeleteProps = Omit<ConfirmProps, 'onConfirm'> & {
  /** Paths of the API: of the entity, and of the list that shows it. */
  path: string
  list: string
  /** The page that is shown afterwards. */
  back: string
  /** Said when it is done. */
  said?: string
  /** What it was part of, to be read again. */
  alsoChanged?: readonly string[]
}

/** Deletes an entity from its own page. The page is left first: what is deleted cannot be read again. */
export function DeleteDialog({ path, list, back, said, alsoChanged = [], ...dialog }: DeleteProps) {
  const notify = useNotify()
  const [, go] = useLocation()
  const remove = async () => {
    await call(path, { method: 'DELETE' })
    go(back)
    setDraft(path, null)
    queryClient.removeQueries({ queryKey: [path] })
    if (said) notify.success(said)
    await Promise.all(
      [list, ...alsoChanged].map((changed) => queryClient.invalidateQueries({ queryKey: [changed] })),
    )
  }
  return <ConfirmDialog {...dialog} onConfirm={remove} />
}
