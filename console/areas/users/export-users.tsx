import { useEffect, useRef, useState } from 'react'
import {
  formatHeaderLine,
  formatUserLine,
  getExportColumns,
  type UserFileFormat,
} from '../../../operator/users/formats.ts'
import type { ImportedUser } from '../../../src/contract/users/user-import.schema.ts'
import { call } from '../../api/client.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { datedFileName, saveFile } from '../../ui/save-file.ts'
import { SegmentedControl } from '../../ui/segments.tsx'
import { useExplain } from '../../ui/toast.tsx'
import { isSignInFreshEnough } from './import-calls.ts'
import { transferPhrases } from './transfer-phrases.ts'

/** The number of users in one call (spec/management#user-export). */
const PAGE_SIZE = 500

/**
 * The columns of the export. The export contains no passwords or secrets of authenticator apps; only the command
 * exports those (`npm run users`).
 */
const columns = getExportColumns(false)

type State = { kind: 'ready' } | { kind: 'running'; count: number } | { kind: 'ended'; text: string }

/** Exports all users to a file that the browser saves. */
export default function ExportUsers() {
  const t = useT(transferPhrases)
  const { number } = useFormats()
  const explain = useExplain()
  const [format, setFormat] = useState<UserFileFormat>('csv')
  const [state, setState] = useState<State>({ kind: 'ready' })
  const wantsStop = useRef(false)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])

  async function save() {
    wantsStop.current = false
    const parts = format === 'csv' ? [formatHeaderLine(columns)] : []
    let count = 0
    let after: string | null = ''
    let failure: unknown = null
    try {
      while (after !== null && !wantsStop.current && !isLeft.current && (await isSignInFreshEnough(false))) {
        setState({ kind: 'running', count })
        const page: UserPage = (await call<UserPage>('/users/export', { query: { after, limit: PAGE_SIZE } }))
          .data
        parts.push(page.users.map((user) => formatUserLine(user, format, columns)).join(''))
        count += page.users.length
        after = page.next
      }
    } catch (error) {
      failure = error
    }
    // If the user has left the page in the meantime, don't save the file.
    if (isLeft.current) return
    const isWhole = after === null
    const name = isWhole ? 'users' : 'users-incomplete'
    saveFile(datedFileName(name, format), parts, format === 'csv' ? 'text/csv' : 'application/x-ndjson')
    const outcome = t(isWhole ? 'exported' : 'exportedPart', { count: number(count) })
    setState({ kind: 'ended', text: failure ? `${outcome} ${explain(failure)}` : outcome })
  }

  return (
    <Page title={t('exportTitle')} lead={t('exportLead')} parent={{ href: '/users', title: t('users') }}>
      <Card>
        <SegmentedControl
          label={t('format')}
          value={format}
          options={[
            { value: 'csv', label: t('csv') },
            { value: 'jsonl', label: t('jsonl') },
          ]}
          onChange={setFormat}
        />
        {state.kind === 'running' ? (
          <div className="actions">
            <span role="status">{t('exporting', { count: number(state.count) })}</span>
            <Button
              onPress={() => {
                wantsStop.current = true
              }}
            >
              {t('stop')}
            </Button>
          </div>
        ) : (
          <div className="actions">
            <Button kind="primary" onPress={save}>
              {t('save')}
            </Button>
            {state.kind === 'ended' && <span role="status">{state.text}</span>}
          </div>
        )}
      </Card>
    </Page>
  )
}

type UserPage = { users: ImportedUser[]; next: string | null }
