import './picture-field.css'
import { useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Link } from 'wouter'
import type { z } from 'zod'
import { BRAND_PICTURE_MAX_BYTES } from '../../src/contract/experience/brand-pictures.ts'
import type { UploadedFile, UploadStatus } from '../../src/contract/experience/user-assets.schema.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import { findLogoUrlProblem } from '../../src/domain/experience/pictures.ts'
import { call } from '../api/client.ts'
import { type ApiProblem, toProblem } from '../api/problem.ts'
import { useApi } from '../api/queries.ts'
import { phrases, useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { apiOrigin } from '../session/place.ts'
import { Button } from '../ui/button.tsx'
import { TextField, useDebounced } from '../ui/fields.tsx'
import { useFocusReturn } from '../ui/focus.ts'
import { useExplain } from '../ui/toast.tsx'

const texts = phrases({
  en: {
    upload: 'Upload',
    uploading: 'Uploading…',
    hint: 'Upload a picture, or enter its full https address.',
    addressHint: 'Enter the full https address of a picture.',
    pathHint: 'An uploaded picture gets a path on this host.',
    stored:
      'Pictures of up to 256 KiB are stored here (JPEG, PNG, WebP, SVG, GIF or ICO). Larger ones go to your storage for uploads.',
    storedOnly:
      'Pictures of up to 256 KiB are stored here (JPEG, PNG, WebP, SVG, GIF or ICO). For larger ones, set up storage for uploads:',
    places: 'Settings > URLs and files',
    notShown: 'There’s no picture at this URL.',
    path: 'A path on this host consists of a slash and a file name, such as /logo.svg, or is the path of an uploaded picture.',
    form: 'Enter a full address, such as https://cdn.example.com/logo.svg.',
    forbidden: 'This SVG file contains {part}, which isn’t allowed in uploads.',
    tooLarge: 'This file is larger than 256 KiB. Upload a smaller one, or set up storage for uploads.',
    quota:
      'There’s no space left: 50 pictures with a total of 4 MiB can be stored here. Pictures that nothing uses are removed after a day.',
    scheme:
      'Use a URL that begins with https:// and a host name, or upload the picture. Browsers would block it at any other URL.',
  },
  de: {
    upload: 'Hochladen',
    uploading: 'Wird hochgeladen …',
    hint: 'Laden Sie ein Bild hoch, oder geben Sie seine vollständige https-Adresse ein.',
    addressHint: 'Geben Sie die vollständige https-Adresse eines Bildes ein.',
    pathHint: 'Ein hochgeladenes Bild erhält einen Pfad dieses Hosts.',
    stored:
      'Bilder bis 256 KiB werden hier gespeichert (JPEG, PNG, WebP, SVG, GIF oder ICO). Größere kommen in Ihren Speicher für Uploads.',
    storedOnly:
      'Bilder bis 256 KiB werden hier gespeichert (JPEG, PNG, WebP, SVG, GIF oder ICO). Für größere richten Sie einen Speicher für Uploads ein:',
    places: 'Einstellungen > Adressen und Dateien',
    notShown: 'Unter dieser Adresse ist kein Bild.',
    path: 'Ein Pfad dieses Hosts ist ein Schrägstrich und ein Dateiname, wie /logo.svg, oder der Pfad eines hochgeladenen Bildes.',
    form: 'Geben Sie eine vollständige Adresse ein, wie https://cdn.example.com/logo.svg.',
    forbidden: 'Diese SVG-Datei enthält {part}, was in Uploads nicht erlaubt ist.',
    tooLarge:
      'Diese Datei ist größer als 256 KiB. Laden Sie eine kleinere hoch, oder richten Sie einen Speicher für Uploads ein.',
    quota:
      'Es ist kein Platz mehr: Hier lassen sich 50 Bilder mit zusammen 4 MiB speichern. Bilder, die nirgends verwendet werden, werden nach einem Tag entfernt.',
    scheme:
      'Verwenden Sie eine Adresse mit https:// und einem Hostnamen, oder laden Sie das Bild hoch. Browser würden es unter jeder anderen Adresse blockieren.',
  },
})

/** The errors of an upload that the field explains in more detail than the server. */
const explanations: Readonly<Record<string, 'tooLarge' | 'quota'>> = {
  'storage.not_configured': 'tooLarge',
  'storage.quota_exceeded': 'quota',
}

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
  /** If true, the value has to be a full URL, as for the logo of an application. */
  isUrl?: boolean
  /** A sentence that says what the picture is for. */
  purpose?: string
  /** If true, the field explains where uploads are stored. Each card explains it once. */
  explainsUploads?: boolean
}

/** Returns what can be uploaded, or undefined if the user may not upload pictures. */
const useUploadStatus = () =>
  useApi<z.infer<typeof UploadStatus>>('/user-assets/service-status', {
    isEnabled: useCan('experience:read'),
  }).data?.data

/** Explains where uploaded pictures are stored. */
function UploadNotice() {
  const t = useT(texts)
  const maySee = useCan('settings:read')
  const uploads = useUploadStatus()
  if (!uploads) return null
  if (uploads.maxUploadFileSize > BRAND_PICTURE_MAX_BYTES) return <p className="hint">{t('stored')}</p>
  return (
    <p className="hint">
      {t('storedOnly')} {maySee ? <Link href="/settings/addresses">{t('places')}</Link> : t('places')}
    </p>
  )
}

/**
 * The time in milliseconds for which the user has to stop typing before the picture is requested, so that no request is
 * sent to an incomplete URL.
 */
const DELAY_MS = 400

/** Edits the URL of a picture. Uploading a picture fills in its URL. */
export default function PictureField({
  label,
  value,
  onChange,
  problem,
  isDisabled,
  ground = 'light',
  isUrl = false,
  purpose,
  explainsUploads = false,
}: PictureFieldProps) {
  const t = useT(texts)
  const explain = useExplain()
  const mayUpload = useCan('experience:write')
  const uploads = useUploadStatus()
  const settled = useDebounced(value, DELAY_MS)
  // Don't report an error while the user is still typing the URL.
  const findProblem = (address: string) =>
    isUrl && address.startsWith('/') ? 'form' : findLogoUrlProblem(address, isUrl ? apiOrigin : undefined)
  const fault = value && settled ? findProblem(settled) && findProblem(value) : null
  const buttons = useRef<HTMLDivElement>(null)
  const returnFocus = useFocusReturn(buttons)
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const upload = async (files: FileList | null) => {
    const [file] = files ?? []
    if (!file) return
    if (
      uploads &&
      file.size > uploads.maxUploadFileSize &&
      uploads.maxUploadFileSize === BRAND_PICTURE_MAX_BYTES
    )
      return setFailure(t('tooLarge'))
    setBusy(true)
    setFailure(undefined)
    try {
      const body = new FormData()
      body.set('file', file)
      const { data } = await call<z.infer<typeof UploadedFile>>('/user-assets', { method: 'POST', body })
      onChange(isUrl ? data.url : (data.path ?? data.url))
    } catch (error) {
      const problem = toProblem(error)
      const part = readForbiddenPart(problem)
      const explanation = explanations[problem.code ?? '']
      setFailure(part === null ? (explanation ? t(explanation) : explain(error)) : t('forbidden', { part }))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="picture-field">
      {explainsUploads && <UploadNotice />}
      <TextField
        label={label}
        hint={[purpose, t(mayUpload ? 'hint' : 'addressHint'), mayUpload && !isUrl && t('pathHint')]
          .filter(Boolean)
          .join(' ')}
        isCode
        value={value}
        problem={failure ?? (fault ? t(fault) : problem)}
        isDisabled={isDisabled}
        onChange={(address) => {
          setFailure(undefined)
          onChange(address.trim())
        }}
      />
      <div ref={buttons} className="shown">
        {value && settled && !findProblem(settled) && (
          <Picture key={settled} address={settled} ground={ground} />
        )}
        {uploads && mayUpload && !isDisabled && (
          <FileTrigger acceptedFileTypes={uploads.allowUploadMimeTypes} onSelect={upload}>
            <Button aria-label={`${t('upload')}: ${label}`} isDisabled={isBusy}>
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
      <img src={URL.parse(address, apiOrigin)?.href ?? address} alt="" onError={() => setFailed(true)} />
    </span>
  )
}
