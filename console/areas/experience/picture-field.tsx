import { useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { UploadedFile, UploadStatus } from '../../../src/contract/experience/user-assets.schema.ts'
import { isRecord } from '../../../src/contract/is-record.ts'
import { pictureFault } from '../../../src/domain/experience/pictures.ts'
import { call } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useMay } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField, useDelayed } from '../../ui/fields.tsx'
import { useReturnOfFocus } from '../../ui/focus.ts'
import { useExplanation } from '../../ui/toast.tsx'

const texts = phrases({
  en: {
    upload: 'Upload',
    uploading: 'Uploading …',
    hint: 'An https address, or a path of this host.',
    noStorage: 'To upload pictures, choose a storage for uploads:',
    places: 'Settings, addresses',
    notShown: 'There is no picture at this address.',
    path: 'A path of this host is a slash and a file name, as in /logo.svg.',
    form: 'This is no complete address.',
    forbidden: 'The drawing contains {part}, which uploaded SVG files can’t have.',
    scheme: 'Only an address that begins with https:// and a host name: browsers would block the picture.',
  },
  de: {
    upload: 'Hochladen',
    uploading: 'Wird hochgeladen …',
    hint: 'Eine https-Adresse oder ein Pfad dieses Hosts.',
    noStorage: 'Um Bilder hochzuladen, wählen Sie einen Speicher für Uploads:',
    places: 'Einstellungen, Adressen',
    notShown: 'Unter dieser Adresse ist kein Bild.',
    path: 'Ein Pfad dieses Hosts ist ein Schrägstrich und ein Dateiname, wie /logo.svg.',
    form: 'Das ist keine vollständige Adresse.',
    forbidden: 'Die Zeichnung enthält {part}, was in hochgeladenen SVG-Dateien nicht erlaubt ist.',
    scheme: 'Nur eine Adresse mit https:// und einem Hostnamen: Browser würden das Bild blockieren.',
  },
})

/** What a drawing has that may not be in one (spec/connectors#upload-content). */
const forbiddenPart = ({ data }: ApiProblem): string | null =>
  isRecord(data) && typeof data.forbidden === 'string' ? data.forbidden : null

type PictureFieldProps = {
  label: string
  /** Empty where there is none. */
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  isDisabled: boolean
  /** The theme of the pages on whose ground it is seen. */
  ground?: 'light' | 'dark'
}

const useUploadStatus = () => useApi<z.infer<typeof UploadStatus>>('/user-assets/service-status').data?.data

/** Once on a card: what is missing before its pictures can be uploaded. */
export function UploadNotice() {
  const t = useT(texts)
  const maySee = useMay('settings:read')
  if (useUploadStatus()?.status !== 'not_configured') return null
  return (
    <p className="hint">
      {t('noStorage')} {maySee ? <Link href="/settings/addresses">{t('places')}</Link> : t('places')}
    </p>
  )
}

/** A pause in typing: an address that is not complete is nobody's to be asked. */
const DELAY_MS = 400

/** The address of a picture, which an upload fills in. */
export function PictureField({
  label,
  value,
  onChange,
  problem,
  isDisabled,
  ground = 'light',
}: PictureFieldProps) {
  const t = useT(texts)
  const explain = useExplanation()
  const uploads = useUploadStatus()
  const settled = useDelayed(value, DELAY_MS)
  // What is still being typed is not said to be wrong.
  const fault = value && settled ? pictureFault(settled) && pictureFault(value) : null
  const buttons = useRef<HTMLDivElement>(null)
  const returnFocus = useReturnOfFocus(buttons)
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
      const { data } = await call<z.infer<typeof UploadedFile>>('/user-assets', { method: 'POST', body })
      onChange(data.url)
    } catch (error) {
      const part = forbiddenPart(problemOf(error))
      setFailure(part === null ? explain(error) : t('forbidden', { part }))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="picture-field">
      <TextField
        label={label}
        hint={t('hint')}
        value={value}
        problem={failure ?? (fault ? t(fault) : problem)}
        isDisabled={isDisabled}
        onChange={(address) => {
          setFailure(undefined)
          onChange(address.trim())
        }}
      />
      <div ref={buttons} className="shown">
        {value && settled && !pictureFault(settled) && (
          <Picture key={settled} address={settled} ground={ground} />
        )}
        {uploads?.status === 'ready' && (
          <FileTrigger acceptedFileTypes={uploads.allowUploadMimeTypes} onSelect={upload}>
            <Button aria-label={`${t('upload')}: ${label}`} isDisabled={isDisabled || isBusy}>
              {t(isBusy ? 'uploading' : 'upload')}
            </Button>
          </FileTrigger>
        )}
        {value && (
          <Button
            kind="quiet"
            aria-label={`${t('remove')}: ${label}`}
            isDisabled={isDisabled}
            onPress={(event) => {
              onChange('')
              returnFocus(event)
            }}
          >
            {t('remove')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Picture({ address, ground }: { address: string; ground: 'light' | 'dark' }) {
  const t = useT(texts)
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed) return <span className="hint no-picture">{t('notShown')}</span>
  return (
    <span className={`ground ${ground}`}>
      <img src={address} alt="" onError={() => setFailed(true)} />
    </span>
  )
}
