import { type ReactNode, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './button.tsx'
import { TextField } from './fields.tsx'
import { useHeadingIfLost } from './focus.ts'
import { useNotify } from './toast.tsx'
import { useWords } from './words.ts'

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  role?: 'dialog' | 'alertdialog'
  /** As large as the window. It has a button that closes it. */
  isWhole?: boolean
}

/** Open while it is rendered. Escape and a click outside close it. */
export function Dialog({ title, onClose, children, role = 'dialog', isWhole }: DialogProps) {
  const words = useWords()
  useHeadingIfLost()
  return (
    <ModalOverlay
      className={isWhole ? 'overlay whole' : 'overlay'}
      isOpen
      isDismissable
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Modal className="modal">
        <AriaDialog className="dialog" role={role}>
          <div className="dialog-head">
            <Heading slot="title">{title}</Heading>
            {isWhole && <Button onPress={onClose}>{words('close')}</Button>}
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

type ConfirmProps = {
  title: string
  lead: ReactNode
  action: string
  /** For what cannot be undone: has to be typed before the button does anything. */
  typed?: string
  onConfirm: () => Promise<unknown> | unknown
  onClose: () => void
}

export function ConfirmDialog({ title, lead, action, typed, onConfirm, onClose }: ConfirmProps) {
  const words = useWords()
  const notify = useNotify()
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      notify.failure(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} role="alertdialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        <p>{lead}</p>
        {typed !== undefined && (
          <TextField
            label={words('typeToConfirm', { text: typed })}
            value={text}
            onChange={setText}
            autoComplete="off"
            isCode
          />
        )}
        <div className="actions">
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button
            kind="danger"
            type="submit"
            isDisabled={isBusy || (typed !== undefined && text.trim() !== typed)}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
