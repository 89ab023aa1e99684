import { phrases, useT } from '../../phrases.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButton } from '../../ui/dialog-button.tsx'
import { Preview, type PreviewProps } from './preview.tsx'

const texts = phrases({
  en: { preview: 'Preview', show: 'Show the preview' },
  de: { preview: 'Vorschau', show: 'Vorschau anzeigen' },
})

/** On narrow screens, shows the preview over the page. The button that opens it stays in view. */
export function PreviewSheet(preview: Omit<PreviewProps, 'onEscape'>) {
  const t = useT(texts)
  return (
    <div className="show-preview">
      <DialogButton text={t('show')}>
        {(close) => (
          <Dialog title={t('preview')} isFullScreen onClose={close}>
            <Preview {...preview} onEscape={close} />
          </Dialog>
        )}
      </DialogButton>
    </div>
  )
}
