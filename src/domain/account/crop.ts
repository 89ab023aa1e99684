/** Calculates the square that is cut out of a picture (spec/account-centre#picture). */

export type Size = { width: number; height: number }

/**
 * The position of a crop. `zoom` is relative to the shorter side, which is fully visible at 1. `x` and `y`, from 0 to
 * 1, place the square within the remaining space.
 */
export type Crop = { zoom: number; x: number; y: number }

export const MAX_ZOOM = 4

export const CENTERED_CROP: Crop = { zoom: 1, x: 0.5, y: 0.5 }

/** Returns the cropped square in pixels of the picture. */
export function cropSquare(picture: Size, { zoom, x, y }: Crop) {
  const { width, height } = picture
  const side = Math.min(width, height) / zoom
  return { left: (width - side) * x, top: (height - side) * y, side }
}

/**
 * Moves the picture by a fraction of the square. The point under the finger follows the finger, up to the edge of the
 * picture.
 */
export function dragCrop(picture: Size, crop: Crop, by: { x: number; y: number }): Crop {
  const { left, top, side } = cropSquare(picture, crop)
  return {
    zoom: crop.zoom,
    x: relativePosition(left - by.x * side, picture.width - side, crop.x),
    y: relativePosition(top - by.y * side, picture.height - side, crop.y),
  }
}

/** Zooms around the centre of the square, as far as the edges of the picture permit. */
export function zoomCrop(picture: Size, crop: Crop, newZoom: number): Crop {
  const zoom = clamp(newZoom, 1, MAX_ZOOM)
  const before = cropSquare(picture, crop)
  const { side } = cropSquare(picture, { ...crop, zoom })
  const moved = (before.side - side) / 2
  return {
    zoom,
    x: relativePosition(before.left + moved, picture.width - side, crop.x),
    y: relativePosition(before.top + moved, picture.height - side, crop.y),
  }
}

/**
 * Converts an offset into a fraction of the remaining space. If there is no remaining space, keeps the current
 * fraction.
 */
const relativePosition = (offset: number, room: number, current: number): number =>
  room > 0 ? clamp(offset / room, 0, 1) : current

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))
