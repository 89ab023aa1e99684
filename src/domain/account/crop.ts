/** The square that is cut out of a picture (spec/account-centre#picture). */

export type Size = { width: number; height: number }

/** `zoom` is of the shorter side: 1 shows all of it. `x` and `y` say where the square is in what is left over, from 0 to 1. */
export type Crop = { zoom: number; x: number; y: number }

export const MAX_ZOOM = 4

export const MIDDLE: Crop = { zoom: 1, x: 0.5, y: 0.5 }

/** In pixels of the picture. */
export function croppedSquare(picture: Size, { zoom, x, y }: Crop) {
  const { width, height } = picture
  const side = Math.min(width, height) / zoom
  return { left: (width - side) * x, top: (height - side) * y, side }
}

/** The picture is dragged, by parts of the square: what is under the finger stays there, up to the edge. */
export function draggedCrop(picture: Size, crop: Crop, by: { x: number; y: number }): Crop {
  const { left, top, side } = croppedSquare(picture, crop)
  return {
    zoom: crop.zoom,
    x: placeOf(left - by.x * side, picture.width - side, crop.x),
    y: placeOf(top - by.y * side, picture.height - side, crop.y),
  }
}

/** The middle of the square stays where it is, as far as the picture goes. */
export function zoomedCrop(picture: Size, crop: Crop, newZoom: number): Crop {
  const zoom = within(newZoom, 1, MAX_ZOOM)
  const before = croppedSquare(picture, crop)
  const { side } = croppedSquare(picture, { ...crop, zoom })
  const moved = (before.side - side) / 2
  return {
    zoom,
    x: placeOf(before.left + moved, picture.width - side, crop.x),
    y: placeOf(before.top + moved, picture.height - side, crop.y),
  }
}

/** Where nothing is left over, every place is the same. */
const placeOf = (offset: number, room: number, before: number): number =>
  room > 0 ? within(offset / room, 0, 1) : before

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
