import { useEffect, useRef, useState } from 'react'
import { useFormats, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { datedFileName, saveFile } from '../../ui/save-file.ts'
import { useNotify } from '../../ui/toast.tsx'
import { type Cursor, csvHeader, csvRow, type LogFilter } from './logs.ts'
import { texts } from './phrases.ts'
import { readOlderLogs } from './read-logs.ts'

/**
 * The maximum number of rows: as many as a spreadsheet and a person can handle. Larger exports are possible through the
 * API. Our choice.
 */
const MAX_ROWS = 10_000

/** Downloads the rows that match the filter as a file, newest first. */
export function CsvDownload({ filter }: { filter: LogFilter }) {
  const t = useT(texts)
  const { number } = useFormats()
  const notify = useNotify()
  const [count, setCount] = useState<number | null>(null)
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])

  async function download() {
    const controller = new AbortController()
    stopping.current = controller
    setCount(0)
    try {
      const lines = new Map<string, string>()
      let cursor: Cursor | null = null
      do {
        const batch = await readOlderLogs(filter, cursor, controller.signal)
        for (const row of batch.rows) lines.set(row.id, csvRow(row))
        setCount(lines.size)
        cursor = batch.next
      } while (cursor && lines.size < MAX_ROWS)
      saveFile(
        datedFileName('log', 'csv'),
        [csvHeader, ...[...lines.values()].slice(0, MAX_ROWS)],
        'text/csv',
      )
      notify.success(t(cursor ? 'csvCut' : 'csvDone', { count: number(Math.min(lines.size, MAX_ROWS)) }))
    } catch (error) {
      if (!controller.signal.aborted) notify.failure(error)
    } finally {
      setCount(null)
    }
  }

  if (count === null) return <Button onPress={download}>{t('csv')}</Button>
  return (
    <span className="actions" role="status">
      {t('csvRead', { count: number(count) })}
      <progress max={MAX_ROWS} value={count} aria-label={t('csv')} />
      <Button onPress={() => stopping.current?.abort()}>{t('cancel')}</Button>
    </span>
  )
}
