import { type ReactNode, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useT } from '../phrases.ts'
import { Button } from './button.tsx'
import { DialogBusyContext, DialogForm } from './dialog-form.tsx'
import { TextField } from './fields.tsx'
import { useHeadingFocusOnClose } from './focus.ts'

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  role?: 'dialog' | 'alertdialog'
  /** If true, the dialog fills the window and has a button to close it. */
  isFullScreen?: boolean
  /**
   * True if the dialog shows something that can't be shown again. Its content then has to include a button to close it.
   */
  isOneTime?: boolean
}

/**
 * A dialog that is open as long as it is rendered. Escape and a click outside close it, unless something that is shown
 * only once would be lost.
 */
export function Dialog({
  title,
  onClose,
  children,
  role = 'dialog',
  isFullScreen,
  isOneTime = false,
}: DialogProps) {
  const t = useT()
  useHeadingFocusOnClose()
  const [isBusy, setBusy] = useState(false)
  const staysOpen = isOneTime || isBusy
  return (
    <ModalOverlay
      className={isFullScreen ? 'overlay whole' : 'overlay'}
      isOpen
      isDismissable={!staysOpen}
      isKeyboardDismissDisabled={staysOpen}
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Modal className="modal">
        <AriaDialog className="dialog" role={role}>
          <div className="dialog-head">
            <Heading slot="title">{title}</Heading>
            {isFullScreen && <Button onPress={onClose}>{t('close')}</Button>}
          </div>
          <DialogBusyContext value={setBusy}>{children}</DialogBusyContext>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

export type ConfirmProps = {
  title: string
  lead: ReactNode
  action: string
  /** A text that the user has to type before they can confirm, for actions that can't be undone. */
  confirmationText?: string
  /** Performs the action. If the promise rejects, the dialog stays open and shows the error. */
  onConfirm: () => Promise<unknown> | unknown
  onClose: () => void
}

export function ConfirmDialog({ title, lead, action, confirmationText, onConfirm, onClose }: ConfirmProps) {
  const t = useT()
  const [text, setText] = useState('')
  return (
    <Dialog title={title} role="alertdialog" onClose={onClose}>
      <DialogForm
        action={action}
        kind="danger"
        isIncomplete={confirmationText !== undefined && text.trim() !== confirmationText.trim()}
        onClose={onClose}
        onSubmit={async () => {
          await onConfirm()
          onClose()
        }}
      >
        {() => (
          <>
            <p>{lead}</p>
            {confirmationText !== undefined && (
              <TextField
                label={t('typeToConfirm', { text: confirmationText.trim() })}
                value={text}
                onChange={setText}
                autoComplete="off"
                isCode
              />
            )}
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}
