/** The smallest file of each type that is recognisable by its first bytes. */
export const pictureFiles = {
  'image/png': latin1Bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  'image/jpeg': latin1Bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'),
  'image/gif': latin1Bytes('GIF89a\x01\0\x01\0\0\0\0;'),
  'image/webp': latin1Bytes('RIFF\x1a\0\0\0WEBPVP8L'),
  'image/tiff': latin1Bytes('II*\0\x08\0\0\0'),
  'image/vnd.microsoft.icon': latin1Bytes('\0\0\x01\0\x01\0\x10\x10\0\0'),
  'image/bmp': latin1Bytes('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'),
  'image/svg+xml': latin1Bytes('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>'),
} as const

export function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}
