import { useLocation } from 'wouter'
import { call } from '../api/client.ts'
import { setDraft } from '../api/drafts.ts'
import { queryClient } from '../api/queries.ts'
import { ConfirmDialog } from './dialog.tsx'
import { useWords } from './words.ts'

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
  onClose: () => void
}

/** Deletes an entity from its own page. The page is left first: what is deleted cannot be read again. */
export function DeleteDialog({ path, list, back, ...dialog }: DeleteProps) {
  const words = useWords()
  const [, go] = useLocation()
  const remove = async () => {
    await call(path, { method: 'DELETE' })
    go(back)
    setDraft(path, null)
    queryClient.removeQueries({ queryKey: [path] })
    await queryClient.invalidateQueries({ queryKey: [list] })
  }
  return <ConfirmDialog {...dialog} action={words('delete')} onConfirm={remove} />
}
