import { useState } from 'react'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Preview, type PreviewProps } from './preview.tsx'

const texts = phrases({
  en: { preview: 'Preview', show: 'Show the preview' },
  de: { preview: 'Vorschau', show: 'Vorschau anzeigen' },
})

/** Where there is no room beside the settings: a button that stays in sight, and the preview over the page. */
export function PreviewSheet(preview: Omit<PreviewProps, 'onEscape'>) {
  const t = useT(texts)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <div className="show-preview">
        <Button onPress={() => setOpen(true)}>{t('show')}</Button>
      </div>
      {isOpen && (
        <Dialog title={t('preview')} isWhole onClose={close}>
          <Preview {...preview} onEscape={close} />
        </Dialog>
      )}
    </>
  )
}
