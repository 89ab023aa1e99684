import { useId, useState } from 'react'
import { useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { datedFileName, saveFile } from '../../ui/save-file.ts'
import { RequireStepUp } from '../../ui/step-up.tsx'
import { Table } from '../../ui/table.tsx'
import { transferPhrases } from './transfer-phrases.ts'
import { type ImportRun, useImport } from './use-import.ts'

/** Imports users from a file that the browser reads. The file itself isn't uploaded. */
export default function ImportUsers() {
  const t = useT(transferPhrases)
  return (
    <Page title={t('importTitle')} lead={t('importLead')} parent={{ href: '/users', title: t('users') }}>
      <RequireStepUp>
        <ImportForm />
      </RequireStepUp>
    </Page>
  )
}

/** The maximum number of rejected lines that the page shows. The downloaded file has all of them. */
const SHOWN = 50

function ImportForm() {
  const t = useT(transferPhrases)
  const id = useId()
  const [file, setFile] = useState<File | null>(null)
  const [withAdministrators, setWithAdministrators] = useState(false)
  const run = useImport(file, withAdministrators)
  const { state } = run
  const isRunning = state.kind === 'running'
  return (
    <>
      <Card title={t('file')} lead={t('fileLead')}>
        <div className="field">
          <label htmlFor={id}>{t('file')}</label>
          <input
            id={id}
            type="file"
            accept=".csv,.jsonl,.ndjson,text/csv,application/x-ndjson"
            disabled={isRunning}
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
          {file && !run.format && <span className="problem">{t('unknownFormat')}</span>}
        </div>
        <Checkbox
          label={t('withAdministrators')}
          hint={t('withAdministratorsHint')}
          isSelected={withAdministrators}
          isDisabled={isRunning}
          onChange={setWithAdministrators}
        />
        <Controls run={run} />
      </Card>
      <Outcome run={run} file={file} />
    </>
  )
}

function Controls({ run }: { run: ImportRun }) {
  const t = useT(transferPhrases)
  const { number } = useFormats()
  const { state, progress, share } = run
  if (state.kind === 'running') {
    return (
      <div className="actions">
        <progress value={share} aria-label={t('importTitle')} />
        <span>{t('line', { line: number(progress.line) })}</span>
        <Button onPress={run.stop}>{t('stop')}</Button>
      </div>
    )
  }
  if (state.kind === 'done') return null
  return (
    <div className="actions">
      <Button kind="primary" isDisabled={!run.format} onPress={() => run.start()}>
        {progress.line > 1 ? t('goOn', { line: number(progress.line) }) : t('start')}
      </Button>
    </div>
  )
}

function Outcome({ run, file }: { run: ImportRun; file: File | null }) {
  const t = useT(transferPhrases)
  const { number } = useFormats()
  const { state, progress, rejections } = run
  if (progress.line === 1 && state.kind !== 'failed') return null
  return (
    <Card title={t(state.kind === 'done' ? 'done' : 'soFar')}>
      {state.kind === 'failed' && (
        <p className="alert" role="alert">
          {state.text}
        </p>
      )}
      <p role="status">
        {t('counts', {
          created: number(progress.created),
          existing: number(progress.existing),
          rejected: number(progress.rejected),
        })}
      </p>
      {rejections.length > 0 && (
        <>
          <div className="actions">
            <Button
              onPress={() =>
                saveFile(
                  datedFileName(`${file?.name ?? 'users'}.rejected`, 'jsonl'),
                  rejections.map((rejection) => `${JSON.stringify(rejection)}\n`),
                  'application/x-ndjson',
                )
              }
            >
              {t('saveRejected', { count: number(rejections.length) })}
            </Button>
          </div>
          <Table
            label={t('rejected')}
            rows={rejections.slice(0, SHOWN)}
            keyOf={({ line }) => String(line)}
            columns={[
              { title: t('lineNumber'), cell: ({ line }) => number(line) },
              {
                title: t('reason'),
                cell: ({ code, reason }) => (code === 'line' ? problemOf(reason) : reason),
              },
              { title: t('code'), cell: ({ code }) => <code>{code}</code>, isHiddenOnPhones: true },
            ]}
          />
        </>
      )}
    </Card>
  )

  /** Returns the reason why a line wasn't sent. */
  function problemOf(reason: string): string {
    switch (reason) {
      case 'quote':
      case 'open':
      case 'utf8':
      case 'long':
      case 'unanswered':
        return t(reason)
      default:
        return reason
    }
  }
}
