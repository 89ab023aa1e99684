import { type Crop, dragCrop, type Size, zoomCrop } from '../../src/domain/account/crop.ts'

type Cropping = {
  picture: Size
  crop(): Crop
  show(crop: Crop): void
  signal: AbortSignal
}

type Point = { x: number; y: number }

const WHEEL_STEP = 0.002 // the change in zoom per pixel of wheel movement

/** Lets the user drag the picture with a finger or the mouse, and zoom it with two fingers or the wheel. */
export function followPointers(canvas: HTMLElement, { picture, crop, show, signal }: Cropping): void {
  const pointers = new Map<number, Point>()
  const span = () => {
    const [one, other] = [...pointers.values()]
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0
  }
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    handle: (event: HTMLElementEventMap[K]) => void,
  ): void => canvas.addEventListener(type, handle, { signal, passive: false })

  on('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
  })
  on('pointermove', ({ pointerId, clientX: x, clientY: y }) => {
    const before = pointers.get(pointerId)
    if (!before) return
    const spanBefore = span()
    pointers.set(pointerId, { x, y })
    const size = canvas.clientWidth
    const by = { x: (x - before.x) / size / pointers.size, y: (y - before.y) / size / pointers.size }
    const dragged = dragCrop(picture, crop(), by)
    show(spanBefore > 0 ? zoomCrop(picture, dragged, (dragged.zoom * span()) / spanBefore) : dragged)
  })
  const release = ({ pointerId }: PointerEvent) => void pointers.delete(pointerId)
  on('pointerup', release)
  on('pointercancel', release)
  on('wheel', (event) => {
    event.preventDefault()
    show(zoomCrop(picture, crop(), crop().zoom * (1 - event.deltaY * WHEEL_STEP)))
  })
}
