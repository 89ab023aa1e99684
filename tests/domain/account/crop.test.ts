import { describe, expect, it } from 'vitest'
import { CENTERED_CROP, cropSquare, dragCrop, zoomCrop } from '../../../src/domain/account/crop.ts'

/** Tests the square that is cropped from a picture (spec/account-centre#picture). */

const wide = { width: 400, height: 200 }
const tall = { width: 100, height: 300 }

it('a crop square spans the shorter side and is centred on the longer one', () => {
  expect(cropSquare(wide, CENTERED_CROP)).toEqual({ left: 100, top: 0, side: 200 })
  expect(cropSquare(tall, CENTERED_CROP)).toEqual({ left: 0, top: 100, side: 100 })
})

describe('dragging the crop square', () => {
  it('moves it by the same distance as the picture', () => {
    expect(cropSquare(wide, dragCrop(wide, CENTERED_CROP, { x: 0.25, y: 0.25 }))).toMatchObject({
      left: 50,
      top: 0,
    })
    expect(cropSquare(tall, dragCrop(tall, CENTERED_CROP, { x: 1, y: -0.5 }))).toMatchObject({
      left: 0,
      top: 150,
    })
  })

  it('stops at the edge of the picture', () => {
    expect(cropSquare(wide, dragCrop(wide, CENTERED_CROP, { x: 9, y: 9 }))).toEqual({
      left: 0,
      top: 0,
      side: 200,
    })
    expect(cropSquare(wide, dragCrop(wide, CENTERED_CROP, { x: -9, y: 0 }))).toMatchObject({ left: 200 })
  })
})

describe('zooming the crop square', () => {
  it('keeps its centre', () => {
    expect(cropSquare(wide, zoomCrop(wide, CENTERED_CROP, 2))).toEqual({ left: 150, top: 50, side: 100 })
  })

  it('keeps its centre at the edge of the picture', () => {
    const corner = { zoom: 2, x: 0, y: 0 }
    expect(cropSquare(wide, zoomCrop(wide, corner, 4))).toEqual({ left: 25, top: 25, side: 50 })
  })

  it('keeps it inside the picture when it grows again', () => {
    const corner = dragCrop(wide, zoomCrop(wide, CENTERED_CROP, 4), { x: 9, y: 9 })
    expect(cropSquare(wide, corner)).toEqual({ left: 0, top: 0, side: 50 })
    expect(cropSquare(wide, zoomCrop(wide, corner, 1))).toEqual({ left: 0, top: 0, side: 200 })
  })

  it('is limited to a factor between one and four', () => {
    expect(zoomCrop(wide, CENTERED_CROP, 99).zoom).toBe(4)
    expect(zoomCrop(wide, CENTERED_CROP, 0.1).zoom).toBe(1)
  })
})
