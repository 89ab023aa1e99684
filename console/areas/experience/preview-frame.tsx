import { useEffect, useRef, useState } from 'react'
import { type Previewed, type PreviewView, previewMessage, validColor } from './preview-message.ts'

/** In CSS pixels: what a user's window has. */
const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 780 } } as const

type FrameProps = {
  title: string
  path: string
  /** Null as long as it is being loaded. */
  previewed: Previewed | null
  view: PreviewView
}

/** The real page at a path, which gets each change as a message. */
export function PreviewFrame({ title, path, previewed, view }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const lastColor = useRef<Previewed['settings']['color']>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent<unknown>) => {
      const isOurs = source === frame.current?.contentWindow && origin === window.location.origin
      if (isOurs && isReadyMessage(data)) setReady(true)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    if (!isReady || !previewed) return
    const { color } = previewed.settings
    lastColor.current = validColor(color, lastColor.current ?? color)
    const message = previewMessage(previewed, view, lastColor.current)
    frame.current?.contentWindow?.postMessage(message, window.location.origin)
  }, [isReady, previewed, view])

  const { width, height } = sizes[view.device]
  const [place, scale] = useScale(width)
  return (
    <div ref={place} className={`preview-place ${view.device}`} style={{ blockSize: height * scale }}>
      <iframe
        ref={frame}
        title={title}
        src={`${path}?preview=true`}
        style={{ inlineSize: width, blockSize: height, transform: `scale(${scale})` }}
      />
    </div>
  )
}

const isReadyMessage = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'sender' in data && data.sender === 'vestibule_preview_ready'

/** By how much a window of this width is drawn smaller, so that it fits its place. */
function useScale(width: number) {
  const place = useRef<HTMLDivElement>(null)
  const [available, setAvailable] = useState(0)
  useEffect(() => {
    if (!place.current) return
    const observer = new ResizeObserver(([entry]) => setAvailable(entry?.contentRect.width ?? 0))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return [place, Math.min(1, available / width)] as const
}
