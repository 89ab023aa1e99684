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
  /** As large as the window. It has a button that closes it. */
  isFullScreen?: boolean
  /** It shows what is never shown again, and has a button of its own that closes it. */
  isOneTime?: boolean
}

/** Open while it is rendered. Escape and a click outside close it, unless that would lose what it shows, or is about to show. */
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
  /** For what cannot be undone: has to be typed before the button does anything. */
  typed?: string
  /** A rejection is said in the dialog, which stays. */
  onConfirm: () => Promise<unknown> | unknown
  onClose: () => void
}

export function ConfirmDialog({ title, lead, action, typed, onConfirm, onClose }: ConfirmProps) {
  const t = useT()
  const [text, setText] = useState('')
  return (
    <Dialog title={title} role="alertdialog" onClose={onClose}>
      <DialogForm
        action={action}
        kind="danger"
        isIncomplete={typed !== undefined && text.trim() !== typed.trim()}
        onClose={onClose}
        onSubmit={async () => {
          await onConfirm()
          onClose()
        }}
      >
        {() => (
          <>
            <p>{lead}</p>
            {typed !== undefined && (
              <TextField
                label={t('typeToConfirm', { text: typed.trim() })}
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
