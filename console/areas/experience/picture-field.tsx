import { useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { UploadedFile, UploadStatus } from '../../../src/contract/experience/user-assets.schema.ts'
import { isRecord } from '../../../src/contract/is-record.ts'
import { findLogoUrlProblem } from '../../../src/domain/experience/pictures.ts'
import { call } from '../../api/client.ts'
import { type ApiProblem, toProblem } from '../../api/problem.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField, useDebounced } from '../../ui/fields.tsx'
import { useFocusReturn } from '../../ui/focus.ts'
import { useExplain } from '../../ui/toast.tsx'

const texts = phrases({
  en: {
    upload: 'Upload',
    uploading: 'Uploading…',
    hint: 'An https URL, or a path on this host.',
    noStorage: 'To upload pictures, set up storage for uploads:',
    places: 'Settings > URLs and files',
    notShown: 'There’s no picture at this URL.',
    path: 'A path on this host consists of a slash and a file name, such as /logo.svg.',
    form: 'This isn’t a complete URL.',
    forbidden: 'This SVG file contains {part}, which isn’t allowed in uploads.',
    scheme:
      'Use a URL that begins with https:// and a host name. Browsers would block the picture at any other URL.',
  },
  de: {
    upload: 'Hochladen',
    uploading: 'Wird hochgeladen …',
    hint: 'Eine https-Adresse oder ein Pfad dieses Hosts.',
    noStorage: 'Um Bilder hochzuladen, richten Sie einen Speicher für Uploads ein:',
    places: 'Einstellungen > Adressen und Dateien',
    notShown: 'Unter dieser Adresse ist kein Bild.',
    path: 'Ein Pfad dieses Hosts ist ein Schrägstrich und ein Dateiname, wie /logo.svg.',
    form: 'Das ist keine vollständige Adresse.',
    forbidden: 'Die Zeichnung enthält {part}, was in hochgeladenen SVG-Dateien nicht erlaubt ist.',
    scheme:
      'Verwenden Sie eine Adresse mit https:// und einem Hostnamen. Browser würden das Bild unter jeder anderen Adresse blockieren.',
  },
})

/**
 * Returns the forbidden part of an uploaded SVG file, if the upload was rejected because of it
 * (spec/connectors#upload-content).
 */
const readForbiddenPart = ({ data }: ApiProblem): string | null =>
  isRecord(data) && typeof data.forbidden === 'string' ? data.forbidden : null

type PictureFieldProps = {
  label: string
  /** The URL of the picture, or an empty string. */
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  isDisabled: boolean
  /** The theme whose background colour is shown behind the picture. */
  ground?: 'light' | 'dark'
}

const useUploadStatus = () => useApi<z.infer<typeof UploadStatus>>('/user-assets/service-status').data?.data

/** Explains what is missing before pictures can be uploaded. Each card shows this once. */
export function UploadNotice() {
  const t = useT(texts)
  const maySee = useCan('settings:read')
  if (useUploadStatus()?.status !== 'not_configured') return null
  return (
    <p className="hint">
      {t('noStorage')} {maySee ? <Link href="/settings/addresses">{t('places')}</Link> : t('places')}
    </p>
  )
}

/**
 * How long, in milliseconds, the user has to stop typing before the picture is requested, so that no request is sent
 * to an incomplete URL.
 */
const DELAY_MS = 400

/** Edits the URL of a picture. Uploading a picture fills in its URL. */
export function PictureField({
  label,
  value,
  onChange,
  problem,
  isDisabled,
  ground = 'light',
}: PictureFieldProps) {
  const t = useT(texts)
  const explain = useExplain()
  const uploads = useUploadStatus()
  const settled = useDebounced(value, DELAY_MS)
  // Don't report an error while the user is still typing the URL.
  const fault = value && settled ? findLogoUrlProblem(settled) && findLogoUrlProblem(value) : null
  const buttons = useRef<HTMLDivElement>(null)
  const returnFocus = useFocusReturn(buttons)
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
      const part = readForbiddenPart(toProblem(error))
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
        {value && settled && !findLogoUrlProblem(settled) && (
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
