import { CENTERED_CROP, type Crop, cropSquare, type Size, zoomCrop } from '../../src/domain/account/crop.ts'
import { followPointers } from './crop-pointers.ts'

/** A picture that was chosen is cropped in the dialog of its page, scaled, and sent by the form that it was chosen in. */

/** Sharp on a screen of three pixels for each of the 128 in which it is shown largest. */
const SIDE = 512
/** What a camera makes; more is no picture of a person. */
const MAX_BYTES = 64 * 1024 * 1024
/** Of the longer side, while it is dragged: drawing stays fast however large the file is. */
const MAX_DRAWN = 3072
const QUALITY = 0.9

export async function cropPicture(input: HTMLInputElement, file: File): Promise<void> {
  const problem = document.getElementById('picture-problem')
  if (problem) problem.textContent = ''
  // What moves would stand still.
  if (file.type === 'image/gif') return
  const picture = await openPicture(file).catch(() => null)
  if (!picture) {
    input.value = ''
    if (problem) problem.textContent = problem.dataset.text ?? ''
    return
  }
  const crop = await askInDialog(input, picture)
  const cut = crop && (await cutOut(picture, crop, file.type))
  picture.close()
  if (cut) send(input, cut)
  else input.value = ''
}

/** Turned as its EXIF data say; throws for what is no picture, or more than the browser can hold. */
async function openPicture(file: File): Promise<ImageBitmap> {
  if (file.size > MAX_BYTES) throw new Error('too large')
  const whole = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = MAX_DRAWN / Math.max(whole.width, whole.height)
  if (scale >= 1) return whole
  const resizeWidth = Math.max(1, Math.round(whole.width * scale))
  const resizeHeight = Math.max(1, Math.round(whole.height * scale))
  const scaled = await createImageBitmap(whole, { resizeWidth, resizeHeight, resizeQuality: 'high' })
  whole.close()
  return scaled
}

/** Null where the user has closed it. */
function askInDialog(input: HTMLInputElement, picture: ImageBitmap): Promise<Crop | null> {
  const dialog = document.getElementById(input.dataset.crop ?? '') as HTMLDialogElement
  const form = dialog.querySelector('form') as HTMLFormElement
  const canvas = dialog.querySelector('canvas') as HTMLCanvasElement
  const sliders = [...form.querySelectorAll<HTMLInputElement>('[type=range]')]
  const ended = new AbortController()
  const { signal } = ended
  let crop = CENTERED_CROP

  const show = (next: Crop) => {
    crop = next
    for (const slider of sliders) slider.value = String(crop[slider.name as keyof Crop])
    draw(canvas, picture, crop, SIDE)
  }
  form.addEventListener(
    'input',
    ({ target }) => {
      const { name, valueAsNumber } = target as HTMLInputElement
      show(name === 'zoom' ? zoomCrop(picture, crop, valueAsNumber) : { ...crop, [name]: valueAsNumber })
    },
    { signal },
  )
  followPointers(canvas, { picture, crop: () => crop, show, signal })
  dialog.querySelector('[data-cancel]')?.addEventListener('click', () => dialog.close(''), { signal })

  return new Promise((resolve) => {
    dialog.addEventListener(
      'close',
      () => {
        ended.abort()
        resolve(dialog.returnValue === 'save' ? crop : null)
      },
      { signal },
    )
    dialog.returnValue = ''
    show(CENTERED_CROP)
    dialog.showModal()
  })
}

function draw(canvas: HTMLCanvasElement, picture: CanvasImageSource & Size, crop: Crop, size: number): void {
  const { left, top, side } = cropSquare(picture, crop)
  canvas.width = size
  canvas.height = size
  const context = canvas.getContext('2d')
  if (!context) return
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, left, top, side, side, 0, 0, size, size)
}

/** A small picture is not made larger. A file of its own: without the place and the camera that the one before may name. */
async function cutOut(picture: ImageBitmap, crop: Crop, type: string): Promise<File> {
  const canvas = document.createElement('canvas')
  draw(canvas, picture, crop, Math.min(SIDE, Math.max(1, Math.round(cropSquare(picture, crop).side))))
  // A browser that cannot write the one writes PNG, which keeps what is transparent, too.
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, type === 'image/jpeg' ? type : 'image/webp', QUALITY),
  )
  if (!blob) throw new Error('the canvas cannot be written')
  return new File([blob], `picture.${blob.type.replace('image/', '')}`, { type: blob.type })
}

/** By the button of the form, as if the file had been chosen so. */
function send(input: HTMLInputElement, cut: File): void {
  const files = new DataTransfer()
  files.items.add(cut)
  input.files = files.files
  input.form?.requestSubmit(input.form.querySelector('button'))
}
