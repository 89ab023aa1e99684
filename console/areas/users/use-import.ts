import { useEffect, useRef, useState } from 'react'
import type { UserFileFormat } from '../../../operator/users/formats.ts'
import { detectFormat } from '../../../operator/users/formats.ts'
import { useT } from '../../phrases.ts'
import { userStoragePrefixes } from '../../session/kept-for-user.ts'
import { useExplain } from '../../ui/toast.tsx'
import { isSignInFreshEnough, sendUsers } from './import-calls.ts'
import { importFile, NO_PROGRESS, type Progress, type Rejection } from './import-job.ts'
import { transferPhrases } from './transfer-phrases.ts'

type State = { kind: 'ready' | 'running' | 'done' } | { kind: 'failed'; text: string }

export type ImportRun = {
  state: State
  /** The file format, or null if the extension of the file isn't supported. */
  format: UserFileFormat | null
  progress: Progress
  /** The share of the file that has been imported, from 0 to 1. */
  share: number
  /** The lines rejected since the page was opened. They may contain passwords and aren't stored anywhere. */
  rejections: readonly Rejection[]
  start: () => void
  stop: () => void
}

/**
 * Runs the import of a file. The tab stores the progress by the file's name, size and modification time, so that
 * importing the same file continues from there after a stop or a sign-in.
 */
export function useImport(file: File | null, withAdministrators: boolean): ImportRun {
  const t = useT(transferPhrases)
  const explain = useExplain()
  const key = file ? `${userStoragePrefixes.imports}${file.name}:${file.size}:${file.lastModified}` : ''
  const [lastRun, setLastRun] = useState({ key: '', progress: NO_PROGRESS, share: 0 })
  const [rejections, setRejections] = useState<readonly Rejection[]>([])
  const [state, setState] = useState<State>({ kind: 'ready' })
  const wantsStop = useRef(false)
  useEffect(
    () => () => {
      wantsStop.current = true
    },
    [],
  )
  const { progress, share } = lastRun.key === key ? lastRun : { progress: storedProgress(key), share: 0 }
  const format = file && detectFormat(file.name)

  async function start() {
    if (!file || !format) return
    wantsStop.current = false
    setState({ kind: 'running' })
    if (progress.line === 1) setRejections([])
    try {
      const isDone = await importFile(file, {
        format,
        from: progress,
        send: (users) => sendUsers(users, withAdministrators),
        mayContinue: async () => !wantsStop.current && (await isSignInFreshEnough()),
        onProgress: (next, refused, bytes) => {
          window.sessionStorage.setItem(key, JSON.stringify(next))
          setLastRun({ key, progress: next, share: bytes / file.size })
          setRejections((before) => [...before, ...refused])
        },
      })
      if (isDone) {
        window.sessionStorage.removeItem(key)
        setState({ kind: 'done' })
      } else {
        setState(wantsStop.current ? { kind: 'ready' } : { kind: 'failed', text: t('signInEnds') })
      }
    } catch (failure) {
      setState({ kind: 'failed', text: explain(failure) })
    }
  }

  return {
    format,
    progress,
    share,
    rejections,
    state: lastRun.key === key || state.kind === 'running' ? state : { kind: 'ready' },
    start: () => void start(),
    stop: () => {
      wantsStop.current = true
    },
  }
}

function storedProgress(key: string): Progress {
  const stored = window.sessionStorage.getItem(key)
  return stored ? (JSON.parse(stored) as Progress) : NO_PROGRESS
}
