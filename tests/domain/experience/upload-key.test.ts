import { describe, expect, it } from 'vitest'
import {
  isUploadKey,
  safeFileName,
  uploadFolder,
  uploadKey,
  uploadPrefix,
  userUploadPrefix,
} from '../../../src/domain/experience/upload-key.ts'

const owner = { tenantId: 'shop', userId: 'ann' }
const upload = {
  ...owner,
  id: 'a1B2c3D4',
  fileName: 'Logo.PNG',
  type: 'image/png',
  now: Date.UTC(2026, 0, 2, 23, 59, 59, 999),
} as const
const KEY = 'shop/ann/2026/01/02/a1B2c3D4/Logo.png'

describe('an upload’s key', () => {
  it('consists of its tenant, user, day, id and file name', () => {
    expect(uploadKey(upload)).toBe(KEY)
    expect(uploadKey({ ...upload, tenantId: 'a.b', userId: '../c' })).toBe(
      'a_b/___c/2026/01/02/a1B2c3D4/Logo.png',
    )
  })

  it('starts with the prefixes for the tenant and the user', () => {
    expect([uploadPrefix('shop'), userUploadPrefix('shop', 'ann')]).toEqual(['shop/', 'shop/ann/'])
    expect([uploadPrefix('a.b'), userUploadPrefix('a.b', 'c/d')]).toEqual(['a_b/', 'a_b/c_d/'])
  })

  it.each([
    ['logo.png', 'logo.png'],
    ['Mein schönes Löwen-Bild.png', 'Mein_schones_Lowen-Bild.png'],
    ['../../../etc/passwd', 'passwd.png'],
    ['..\\..\\boot.ini', 'boot.ini.png'],
    ['.htaccess', 'htaccess.png'],
    ['..', 'file.png'],
    ['', 'file.png'],
    ['图片.png', 'file.png'],
    ['page.html', 'page.html.png'],
    ['a\r\nX-Evil: 1.png', 'a_X-Evil_1.png'],
    ['a"; filename="b.png', 'a_filename_b.png'],
    ['a%2e%2e%2fb.png', 'a_2e_2e_2fb.png'],
    ['a\0b.png', 'a_b.png'],
    ['a?b#c.png', 'a_b_c.png'],
    ['\u202egnp.exe', 'gnp.exe.png'],
    [`${'x'.repeat(500)}.png`, `${'x'.repeat(100)}.png`],
  ])('[ASVS-5.3.2] ends with a safe form of the file name %j: %s', (fileName, safe) => {
    expect(safeFileName(fileName, 'image/png')).toBe(safe)
  })

  it.each([
    ['a JPEG', 'photo.jpeg', 'image/jpeg', 'photo.jpeg'],
    ['a type with another extension', 'photo.jpeg', 'image/png', 'photo.jpeg.png'],
    ['no extension', 'photo', 'image/webp', 'photo.webp'],
    ['an extension in capitals', 'Photo.JPG', 'image/jpeg', 'Photo.jpg'],
    ['a folder', 'C:\\pictures\\photo.bmp', 'image/bmp', 'photo.bmp'],
    ['nothing left', '...', 'image/gif', 'file.gif'],
  ] as const)('contains a safe file name even for a file with %s', (_, fileName, type, safe) => {
    expect(safeFileName(fileName, type)).toBe(safe)
  })

  it.each([
    [KEY, true],
    ['shop/ann/2026/01/02/a1B2c3D4/..', false],
    ['shop/ann/2026/01/02/a1B2c3D4/', false],
    ['shop/ann/2026/01/02/a1B2c3D/Logo.png', false],
    ['shop/ann/2026/01/02/a1B2c3D45/Logo.png', false],
    ['shop/ann/2026/1/02/a1B2c3D4/Logo.png', false],
    ['/shop/ann/2026/01/02/a1B2c3D4/Logo.png', false],
    ['shop/ann/2026/01/02/a1B2c3D4/Logo.png/x', false],
    ['shop/ann/2026/01/02/a1B2c3D4/Lo go.png', false],
    ['shop/report.pdf', false],
  ])('is recognized in %s: %s', (key, isKey) => {
    expect(isUploadKey(key)).toBe(isKey)
  })
})

describe('a user’s upload folder', () => {
  const FOLDER = 'shop/ann/2026/01/02/a1B2c3D4/'
  it.each([
    [`https://cdn.example/${KEY}`, FOLDER],
    [`/api/assets/${KEY}`, FOLDER],
    [KEY, FOLDER],
    [`https://cdn.example/${KEY}?v=/shop/ann/`, FOLDER],
    [`https://cdn.example/${KEY}#/shop/ann/`, FOLDER],
    // The bucket may have the same name as the tenant and user.
    [`https://cdn.example/shop/ann/${KEY}`, FOLDER],
    ['https://cdn.example/shop/ben/2026/01/02/a1B2c3D4/Logo.png', null],
    ['https://cdn.example/other/ann/2026/01/02/a1B2c3D4/Logo.png', null],
    ['https://cdn.example/shop/ann/Logo.png', null],
    [`https://cdn.example/Logo.png?${KEY}`, null],
    ['', null],
  ])('is found in %s: %s', (address, folder) => {
    expect(uploadFolder(address, owner)).toBe(folder)
  })
})
