import { useEffect, useRef, useState } from 'react'
import { apiOrigin } from '../../session/place.ts'
import {
  createPreviewMessage,
  keepValidColors,
  type PreviewData,
  type PreviewState,
} from './preview-message.ts'

/** The size of a user's window in CSS pixels. */
const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 780 } } as const

type FrameProps = {
  title: string
  path: string
  /** The settings to preview, or null while they are loading. */
  previewData: PreviewData | null
  view: PreviewState
  onEscape?: (() => void) | undefined
}

/** Shows the real page at a path and sends it each change as a message. */
export function PreviewFrame({ title, path, previewData, view, onEscape }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const lastColor = useRef<PreviewData['settings']['color']>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent<unknown>) => {
      const isOurs = source === frame.current?.contentWindow && origin === apiOrigin
      if (isOurs && isReadyMessage(data)) setReady(true)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    if (!isReady || !previewData) return
    const { settings, savedColor } = previewData
    lastColor.current = keepValidColors(settings.color, lastColor.current ?? savedColor)
    const message = createPreviewMessage(previewData, view, lastColor.current)
    frame.current?.contentWindow?.postMessage(message, apiOrigin)
  }, [isReady, previewData, view])

  useEffect(() => {
    // The frame can receive focus, because it scrolls. The console can only listen for key presses in a page of its
    // own origin.
    const isOurs = apiOrigin === window.location.origin
    const page = isReady && isOurs ? frame.current?.contentWindow : null
    if (!page || !onEscape) return
    const listen = ({ key }: KeyboardEvent) => key === 'Escape' && onEscape()
    page.addEventListener('keydown', listen)
    return () => page.removeEventListener('keydown', listen)
  }, [isReady, onEscape])

  const { width, height } = sizes[view.device]
  const [container, scale] = useScale(sizes[view.device])
  return (
    <div ref={container} className="preview-place">
      <div
        className={`preview-window ${view.device}`}
        style={{ inlineSize: width * scale, blockSize: height * scale }}
      >
        <iframe
          ref={frame}
          title={title}
          src={`${apiOrigin}${path}?preview=true`}
          style={{ inlineSize: width, blockSize: height, transform: `scale(${scale})` }}
        />
      </div>
    </div>
  )
}

const isReadyMessage = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'sender' in data && data.sender === 'vestibule_preview_ready'

/** Returns the factor by which a window of this size is scaled down to fit its container. */
function useScale({ width, height }: { width: number; height: number }) {
  const place = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState({ width: 0, height: 0 })
  useEffect(() => {
    if (!place.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return [place, Math.min(1, room.width / width, room.height / height)] as const
}
