import { CENTERED_CROP, type Crop, cropSquare, type Size, zoomCrop } from '../../src/domain/account/crop.ts'
import { followPointers } from './crop-pointers.ts'

/**
 * Crops the selected picture in the page's dialog, scales it, and submits it with the form in which it was
 * selected.
 */

/**
 * The size of the cropped picture, in pixels. The picture is displayed at no more than 128 CSS pixels, so it is sharp
 * on a screen with up to three device pixels per CSS pixel.
 */
const SIDE = 512
/**
 * The maximum size of the selected file, in bytes. It is large enough for photos from any camera. A larger file is
 * unlikely to be a picture of a person.
 */
const MAX_BYTES = 64 * 1024 * 1024
/**
 * The length of the picture's longer side while the user drags it, in pixels. It is limited so that drawing is
 * fast even for a large file.
 */
const MAX_DRAWN = 3072
const QUALITY = 0.9

export async function cropPicture(input: HTMLInputElement, file: File): Promise<void> {
  const problem = document.getElementById('picture-problem')
  if (problem) problem.textContent = ''
  // Cropping would stop the animation.
  if (file.type === 'image/gif') return
  const picture = await openPicture(file).catch(() => null)
  if (!picture) {
    input.value = ''
    if (problem) problem.textContent = problem.dataset.text ?? ''
    return
  }
  const crop = await askInDialog(input, picture)
  const cropped = crop && (await cutOut(picture, crop, file.type))
  picture.close()
  if (cropped) send(input, cropped)
  else input.value = ''
}

/**
 * Decodes a picture and rotates it according to its EXIF data. Throws if the file is not a picture or is too
 * large for the browser.
 */
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

/** Resolves to the crop that the user chose, or to null if the user closed the dialog. */
function askInDialog(input: HTMLInputElement, picture: ImageBitmap): Promise<Crop | null> {
  const dialog = document.getElementById(input.dataset.crop ?? '') as HTMLDialogElement
  const form = dialog.querySelector('form') as HTMLFormElement
  const canvas = dialog.querySelector('canvas') as HTMLCanvasElement
  const sliders = [...form.querySelectorAll<HTMLInputElement>('[type=range]')]
  const controller = new AbortController()
  const { signal } = controller
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
        controller.abort()
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

/**
 * Cuts out the crop and never enlarges a small picture. The new file does not contain metadata such as the
 * location and the camera.
 */
async function cutOut(picture: ImageBitmap, crop: Crop, type: string): Promise<File> {
  const canvas = document.createElement('canvas')
  draw(canvas, picture, crop, Math.min(SIDE, Math.max(1, Math.round(cropSquare(picture, crop).side))))
  // Browsers that cannot encode WebP write PNG instead, which also preserves transparency.
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, type === 'image/jpeg' ? type : 'image/webp', QUALITY),
  )
  if (!blob) throw new Error('the canvas cannot be written')
  return new File([blob], `picture.${blob.type.replace('image/', '')}`, { type: blob.type })
}

/** Submits the form through its submit button, as if the user had selected the cropped file. */
function send(input: HTMLInputElement, cropped: File): void {
  const files = new DataTransfer()
  files.items.add(cropped)
  input.files = files.files
  input.form?.requestSubmit(input.form.querySelector('button'))
}
