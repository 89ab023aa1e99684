import type { FormEvent, ReactNode } from 'react'
import { INTENT_FIELD } from '../../src/contract/interactions/interaction.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { queryWithoutInteraction } from '../context/paths.ts'
import type { Translate } from '../context/phrases.ts'
import { InteractionForm } from '../forms/interaction-form.tsx'
import { TermsLinks } from '../forms/terms.tsx'
import type { BackLink, DialogProps } from '../reactions/reaction-effects.ts'
import type { OpenDialog } from '../reactions/reaction-reducer.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { withLink } from '../ui/rich-text.tsx'

/** The dialog that a reaction opened (spec/pages#dialogs). */
export function ReactionDialog({ dialog, back, onAnswer }: DialogProps) {
  const t = useT()
  const decline = () => onAnswer(false)
  const link = dialog.kind !== 'question' && dialog.back !== 0 ? back(dialog.back) : null
  const { message } = dialog
  return (
    <>
      {dialog.kind === 'confirm' && <AgreementForm dialog={dialog} onAgree={() => onAnswer(true)} />}
      <Dialog title={titleOf(dialog, t)} closeLabel={t('vestibule.close')} onClose={decline}>
        <p>
          {dialog.kind === 'confirm' && dialog.about ? withLink(dialog.message, <TermsLinks />) : message}
        </p>
        <div className="dialog-actions">
          {dialog.kind === 'alert' ? (
            <CloseButton kind="primary" link={link} onClose={decline}>
              {dialog.button ?? t('action.got_it')}
            </CloseButton>
          ) : (
            <>
              <CloseButton kind="quiet" link={link} onClose={decline}>
                {t('action.cancel')}
              </CloseButton>
              {dialog.kind === 'confirm' ? (
                <Button form={AGREED}>{dialog.yes}</Button>
              ) : (
                <Button type="button" onClick={() => onAnswer(true)}>
                  {dialog.yes}
                </Button>
              )}
            </>
          )}
        </div>
      </Dialog>
    </>
  )
}

/** Returns a title that matches the dialog's confirm button. An alert has a generic title. */
function titleOf(dialog: OpenDialog, t: Translate): string {
  if (dialog.kind === 'alert') return t('vestibule.error_title')
  if (dialog.yes === t('action.agree')) return t('vestibule.terms_title')
  return t(
    dialog.yes === t('action.create') ? 'description.create_account' : 'vestibule.account_exists_title',
  )
}

/**
 * The button that closes the dialog. If closing the dialog takes the user back to another page, the button is a link,
 * which works without JavaScript.
 */
function CloseButton({
  kind,
  link,
  onClose,
  children,
}: {
  kind: 'primary' | 'quiet'
  link: BackLink | null
  onClose: () => void
  children: ReactNode
}) {
  if (!link) return <Button kind={kind}>{children}</Button>
  return (
    <ButtonLink
      kind={kind}
      href={link.href}
      onClick={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </ButtonLink>
  )
}

/** The id of the form that the dialog's confirm button submits. */
const AGREED = 'agreed'

/**
 * The form of the dialog's confirm button. It is outside the dialog, so that the button works even if the server
 * rendered the dialog and no script was loaded.
 */
function AgreementForm({
  dialog,
  onAgree,
}: {
  dialog: Extract<OpenDialog, { kind: 'confirm' }>
  onAgree: () => void
}) {
  const { path, search } = useCurrentPage()
  const { connectorId } = useBoot().values
  const agree = (event: FormEvent) => {
    if (!dialog.form) return
    event.preventDefault()
    onAgree()
  }
  return (
    <InteractionForm id={AGREED} action={path + queryWithoutInteraction(search)} onSubmit={agree}>
      <input type="hidden" name={INTENT_FIELD} value={dialog.intent} />
      {connectorId && <input type="hidden" name="connectorId" value={connectorId} />}
    </InteractionForm>
  )
}
