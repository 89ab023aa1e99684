import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import type { z } from 'zod'
import type { Uploaded, UploadStatus } from '../../../src/contract/user-assets.schema.ts'
import { call } from '../../api/client.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useExplanation } from '../../ui/toast.tsx'
import { useWords } from '../../ui/words.ts'

const texts = phrases({
  en: {
    upload: 'Upload',
    uploading: 'Uploading …',
    hint: 'An https address, or a path of this host.',
    noStorage:
      'Uploads need a place for files (storage provider in the settings). Until then: an https address.',
  },
  de: {
    upload: 'Hochladen',
    uploading: 'Wird hochgeladen …',
    hint: 'Eine https-Adresse oder ein Pfad dieses Hosts.',
    noStorage:
      'Zum Hochladen fehlt ein Ort für Dateien (Speicher in den Einstellungen). Bis dahin: eine https-Adresse.',
  },
})

type PictureFieldProps = {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  problem?: string | undefined
  isDisabled: boolean
}

/** The address of a picture, which an upload fills in. */
export function PictureField({ label, value, onChange, problem, isDisabled }: PictureFieldProps) {
  const t = useT(texts)
  const words = useWords()
  const explain = useExplanation()
  const status = useApi<z.infer<typeof UploadStatus>>('/user-assets/service-status')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const upload = async (files: FileList | null) => {
    const [file] = files ?? []
    if (!file) return
    setBusy(true)
    setFailure(undefined)
    try {
      const body = new FormData()
      body.set('file', file)
      const { data } = await call<z.infer<typeof Uploaded>>('/user-assets', { method: 'POST', body })
      onChange(data.url)
    } catch (error) {
      setFailure(explain(error))
    } finally {
      setBusy(false)
    }
  }
  const known = status.data?.data
  return (
    <div className="picture-field">
      <TextField
        label={label}
        hint={t(known?.status === 'not_configured' ? 'noStorage' : 'hint')}
        value={value ?? ''}
        problem={failure ?? problem}
        isDisabled={isDisabled}
        onChange={(address) => onChange(address.trim() || undefined)}
      />
      <div className="shown">
        {value && <img src={value} alt="" />}
        {known?.status === 'ready' && (
          <FileTrigger acceptedFileTypes={known.allowUploadMimeTypes} onSelect={upload}>
            <Button aria-label={`${t('upload')}: ${label}`} isDisabled={isDisabled || isBusy}>
              {t(isBusy ? 'uploading' : 'upload')}
            </Button>
          </FileTrigger>
        )}
        {value && (
          <Button
            kind="quiet"
            aria-label={`${words('remove')}: ${label}`}
            isDisabled={isDisabled}
            onPress={() => onChange(undefined)}
          >
            {words('remove')}
          </Button>
        )}
      </div>
    </div>
  )
}
