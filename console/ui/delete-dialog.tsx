import { useLocation } from 'wouter'
import { call } from '../api/client.ts'
import { setDraft } from '../api/drafts.ts'
import { queryClient } from '../api/queries.ts'
import { useT } from '../phrases.ts'
import { ConfirmDialog } from './dialog.tsx'
import { useNotify } from './toast.tsx'

type DeleteProps = {
  title: string
  lead: string
  /** Has to be typed, where it is given. */
  typed?: string
  /** Paths of the API: of the entity, and of the list that shows it. */
  path: string
  list: string
  /** The page that is shown afterwards. */
  back: string
  /** What is called differently from "Delete". */
  action?: string
  /** Said when it is done. */
  said?: string
  /** What it was part of, to be read again. */
  alsoChanged?: readonly string[]
  onClose: () => void
}

/** Deletes an entity from its own page. The page is left first: what is deleted cannot be read again. */
export function DeleteDialog({ path, list, back, said, alsoChanged = [], ...dialog }: DeleteProps) {
  const t = useT()
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
  return <ConfirmDialog action={t('delete')} {...dialog} onConfirm={remove} />
}
