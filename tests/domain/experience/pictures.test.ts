import { describe, expect, it } from 'vitest'
import {
  collectPictures,
  findLogoUrlProblem,
  findPictureProblem,
  isLoadablePicture,
} from '../../../src/domain/experience/pictures.ts'

describe('a picture that the content security policy allows', () => {
  it.each([
    [undefined, true],
    [null, true],
    ['', true],
    ['/logo.svg', true],
    ['https://cdn.example/logo.png', true],
    ['HTTPS://cdn.example:8443?a', true],
    ['https://cdn.example', true],
    ['http://cdn.example/logo.png', false],
    ['https://[::1]/logo.png', false],
    ['x https://cdn.example/', false],
    ['https://cdn.example:x/', false],
    ['data:image/png;base64,AAAA', false],
    ['logo.png', false],
  ])('can have the URL %s: %s', (address, isLoadable) => {
    expect(isLoadablePicture(address)).toBe(isLoadable)
  })

  it('can be on the pages’ own origin, which uses http in development', () => {
    const origin = 'http://localhost:8787'
    expect(isLoadablePicture(`${origin}/logo.png`, origin)).toBe(true)
    expect(isLoadablePicture('http://localhost:8788/logo.png', origin)).toBe(false)
    expect(isLoadablePicture('logo.png', origin)).toBe(false)
  })

  it('is required in every setting', () => {
    const pictures = [
      { path: ['branding', 'logoUrl'], address: 'https://cdn.example/logo.png' },
      { path: ['branding', 'favicon'], address: 'http://cdn.example/icon.png' },
      { path: ['layout', 'pictureUrl'], address: 'x' },
    ]
    expect(findPictureProblem(pictures)).toMatchObject({
      status: 422,
      data: { issues: [{ path: ['branding', 'favicon'] }, { path: ['layout', 'pictureUrl'] }] },
      details: expect.stringMatching(/favicon` \w.*https/),
    })
    expect(findPictureProblem(pictures.slice(0, 1))).toBeNull()
    expect(findPictureProblem([])).toBeNull()
    expect(findPictureProblem(pictures.slice(0, 2), 'http://cdn.example')).toBeNull()
  })
})

describe('the problem with a logo URL that is being typed', () => {
  it.each([
    ['https://cdn.example/logo.png', null],
    ['/logo-2.svg', null],
    ['/assets/brand/0dF-_9.svg', null],
    ['/assets/brand/../logo.svg', 'path'],
    ['/pictures/logo.svg', 'path'],
    ['/', 'path'],
    ['//cdn.example/logo.png', 'path'],
    ['logo', 'form'],
    ['https://cdn.example/lo go.png', 'form'],
    ['https://cdn.example/'.padEnd(2048, 'x'), null],
    ['https://cdn.example/'.padEnd(2049, 'x'), 'form'],
    ['http://cdn.example/logo.png', 'scheme'],
    ['https://[::1]/logo.png', 'scheme'],
  ])('is determined on each change: for %s it is %s', (address, problem) => {
    expect(findLogoUrlProblem(address)).toBe(problem)
  })
})

describe('the pictures in settings', () => {
  it('include all branding fields except the name, and the image of a split layout', () => {
    const logoUrl = 'https://cdn.example/logo.png'
    const pictureUrl = '/harbour.webp'
    const branding = { path: ['branding', 'logoUrl'], address: logoUrl }
    expect(
      collectPictures({ branding: { name: 'Shop', logoUrl }, layout: { type: 'Split', pictureUrl } }),
    ).toEqual([branding, { path: ['layout', 'pictureUrl'], address: pictureUrl }])
    expect(collectPictures({ branding: { logoUrl }, layout: { type: 'Card' } })).toEqual([branding])
    expect(collectPictures({})).toEqual([])
  })
})
