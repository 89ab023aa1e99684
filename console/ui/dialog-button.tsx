import { type ReactNode, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { call } from '../api/client.ts'
import { setDraft } from '../api/drafts.ts'
import { queryClient, useChange } from '../api/queries.ts'
import { useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import type { ManagementScope } from '../session/scopes.ts'
import { Button, type ButtonProps } from './button.tsx'
import { CreateDialog, type CreateProps } from './create-dialog.tsx'
import { ConfirmDialog, type ConfirmProps } from './dialog.tsx'
import type { Column } from './table.tsx'
import { useNotify } from './toast.tsx'

type DialogButtonProps = Omit<ButtonProps, 'children' | 'onPress'> & {
  text: string
  /** The query with which a link to the page opens the dialog. */
  openedBy?: string | undefined
  /** Renders the dialog. Call the argument to close it. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog. */
export function DialogButton({ text, openedBy, children, ...button }: DialogButtonProps) {
  const isLinked = useSearch() === openedBy
  const [path, go] = useLocation()
  const [isOpen, setOpen] = useState(isLinked)
  const close = () => {
    setOpen(false)
    // A reload must not open the dialog again.
    if (isLinked) go(path, { replace: true })
  }
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && children(close)}
    </>
  )
}

type ConfirmButtonProps = Pick<ConfirmProps, 'lead' | 'confirmationText' | 'onConfirm'> &
  Pick<ButtonProps, 'kind'> & {
    text: string
    /**
     * The title of the dialog and the label of its confirmation button. The default is the label of this button.
     */
    title?: string
    action?: string
  }

/** A button that asks for confirmation before it acts. */
export const ConfirmButton = ({ text, kind = 'plain', ...dialog }: ConfirmButtonProps) => (
  <DialogButton text={text} kind={kind}>
    {(close) => <ConfirmDialog title={text} action={text} {...dialog} onClose={close} />}
  </DialogButton>
)

type DeleteButtonProps = Pick<ConfirmProps, 'title' | 'lead' | 'confirmationText'> & {
  /** The label of the button. The default is "Delete". */
  text?: string
  isDisabled?: boolean
  /** The path of the entity in the API. Its parent path is that of the list. */
  path: string
  /** The page to open after the deletion. */
  back: string
  /** The notification to show after the deletion. */
  confirmation?: string
  /** Other paths to read again, because they included the entity. */
  alsoChanged?: readonly string[]
}

/**
 * A button that deletes an entity from its own page. It leaves the page first, because a deleted entity can't be read
 * again.
 */
export function DeleteButton(props: DeleteButtonProps) {
  const { text, isDisabled = false, path, back, confirmation, alsoChanged = [], ...dialog } = props
  const t = useT()
  const action = text ?? t('delete')
  const notify = useNotify()
  const [, go] = useLocation()
  const remove = async () => {
    await call(path, { method: 'DELETE' })
    go(back)
    setDraft(path, null)
    queryClient.removeQueries({ queryKey: [path] })
    if (confirmation) notify.success(confirmation)
    await Promise.all(
      [path.slice(0, path.lastIndexOf('/')), ...alsoChanged].map((changed) =>
        queryClient.invalidateQueries({ queryKey: [changed] }),
      ),
    )
  }
  return (
    <DialogButton kind="danger" text={action} isDisabled={isDisabled}>
      {(close) => <ConfirmDialog {...dialog} action={action} onConfirm={remove} onClose={close} />}
    </DialogButton>
  )
}

type CreateButtonProps<Name extends string> = Omit<
  CreateProps<Name>,
  'title' | 'action' | 'onClose' | 'onCreate'
> & {
  text: string
  /** The label of the dialog's button. The default is "Create". */
  action?: string
  kind?: ButtonProps['kind']
  scope: ManagementScope
  openedBy?: string
  onCreate: (values: Readonly<Record<Name, string>>, close: () => void) => Promise<void>
}

/**
 * A button next to a list that opens a dialog for the values that a new entity needs. It is hidden from users who may
 * not create one.
 */
export function CreateButton<Name extends string>(props: CreateButtonProps<Name>) {
  const t = useT()
  const { text, action = t('create'), kind = 'primary', scope, openedBy, onCreate, ...dialog } = props
  if (!useCan(scope)) return null
  return (
    <DialogButton kind={kind} text={text} openedBy={openedBy}>
      {(close) => (
        <CreateDialog
          {...dialog}
          title={text}
          action={action}
          onClose={close}
          onCreate={(values) => onCreate(values, close)}
        />
      )}
    </DialogButton>
  )
}

/** Returns a function that creates an entity in the list at `path` and opens its page below `page`. */
export function useCreateEntity(path: string, page: string) {
  const change = useChange()
  const [, go] = useLocation()
  return async (body: Readonly<Record<string, string>>): Promise<void> => {
    const { data } = await change<{ id: string }>(path, { method: 'POST', body })
    go(`${page}/${data.id}`)
  }
}

type RemovalProps<T> = {
  /** The label of the button. */
  action: string
  /**
   * The title of the dialog and the accessible name of the button. It includes the name of the row to remove.
   */
  label: (row: T) => string
  lead: string
  heading?: string
  isOffered?: (row: T) => boolean
  onConfirm: (row: T) => Promise<unknown>
}

/** Returns the last column of a table whose rows can be removed, and the dialog that confirms a removal. */
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
